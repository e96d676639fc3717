"""URLs of the project."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [path("admin/", admin.site.urls), path("", include("memories.urls"))]

handler400 = "memories.views.errors.unreadable"
handler403 = "memories.views.errors.forbidden"
handler500 = "memories.views.errors.broken"
