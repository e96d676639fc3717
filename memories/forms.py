"""Forms of the console."""

from __future__ import annotations

from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from memories.models import Profile


def time_zones() -> list[tuple[str, object]]:
    return [("", _("as the browser says")), *((name, name) for name in sorted(available_timezones()))]


def languages() -> list[tuple[str, object]]:
    return [("", _("as the browser says")), *settings.LANGUAGES]


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """How one person likes the console."""

    theme = forms.ChoiceField(label=_("Colours"), choices=Profile.Theme.choices, widget=forms.RadioSelect)
    shortcuts = forms.BooleanField(label=_("Keyboard shortcuts"), required=False)
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=time_zones, required=False)
    language = forms.ChoiceField(label=_("Language"), choices=languages, required=False)

    class Meta:
        model = Profile
        fields = ["theme", "shortcuts", "time_zone", "language"]
