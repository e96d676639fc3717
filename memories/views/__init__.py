"""The console: every view checks access, calls one verb and renders a page or the part of it that changed."""
