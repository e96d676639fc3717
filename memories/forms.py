"""Forms of the console."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from memories.deciding import MAINTAINERS_ONLY
from memories.models import Kind, Profile, Role
from memories.models.memory import EVIDENCE_LIMIT, SOURCE_LIMIT, TEXT_LIMIT
from memories.queries import FIRST_DAY, LAST_DAY
from memories.shown_again import ShownAgain

TICKED = re.compile(r"([0-9]{1,18}):([0-9]{1,9})", re.ASCII)

# Kept with the note in English, shown in the reader's language; the key is the digit that chooses it.
REASONS = {
    "1": gettext_noop("Not true, or no longer"),
    "2": gettext_noop("Already known"),
    "3": gettext_noop("Too vague to help"),
    "4": gettext_noop("True for one case only"),
    "5": gettext_noop("Gives orders to the agent"),
    "6": gettext_noop("Private or secret"),
}


NO_REASON = _("Say why: choose a reason, or write one.")


def words_of(reason: str, own_reason: str) -> str:
    """The reason that a press of one of the REASONS means, unless own words were given."""
    return own_reason.strip() or REASONS.get(reason, "")


def time_zones() -> list[tuple[str, object]]:
    return [("", _("as the browser says")), *((name, name) for name in known_zones())]


@cache
def known_zones() -> list[str]:
    """Names of all zones; finding them reads the whole zone database."""
    return sorted(available_timezones())


def languages() -> list[tuple[str, object]]:
    return [("", _("as the browser says")), *settings.LANGUAGES]


class LongSelect(forms.Select):
    """A choice of hundreds: rendering a template for each would take longer than all the rest of the page."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        attributes = flatatt(self.build_attrs(self.attrs, {**(attrs or {}), "name": name}))
        marks = {True: mark_safe(" selected"), False: ""}
        options = ((key, marks[key == (value or "")], label) for key, label in self.choices)
        return format_html(
            "<select{}>{}</select>",
            attributes,
            format_html_join("", '<option value="{}"{}>{}</option>', options),
        )


class ProfileForm(ShownAgain, forms.ModelForm):  # type: ignore[type-arg]
    """How one person likes the console."""

    theme = forms.ChoiceField(label=_("Colours"), choices=Profile.Theme.choices, widget=forms.RadioSelect)
    shortcuts = forms.BooleanField(label=_("Keyboard shortcuts"), required=False)
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=time_zones, required=False, widget=LongSelect)
    language = forms.ChoiceField(label=_("Language"), choices=languages, required=False)

    class Meta:
        model = Profile
        fields = ["theme", "shortcuts", "time_zone", "language"]


class WithReason(ShownAgain, forms.Form):
    """A rejection says why: a digit out of REASONS, or the reviewer's own words."""

    reason = forms.CharField(required=False, max_length=1)
    own_reason = forms.CharField(required=False, max_length=300)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("decision") == "reject" and "own_reason" in given and not self.why():
            self.add_error("own_reason", NO_REASON)
        return given

    def why(self) -> str:
        return words_of(self.cleaned_data.get("reason", ""), self.cleaned_data["own_reason"])

    def problem(self) -> str:
        """The first error, in one sentence."""
        field, errors = next(iter(self.errors.items()))
        if NO_REASON in errors:
            return str(NO_REASON)
        return _("This decision cannot be read: %(field)s: %(error)s") % {"field": field, "error": errors[0]}


class TickedField(forms.Field):
    """Notes with the versions that were seen, each `id:version`, as pairs of numbers."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: list[str] | None) -> list[tuple[int, int]]:
        pairs = [TICKED.fullmatch(one) for one in value or []]
        if not all(pairs):
            raise forms.ValidationError(_("a ticked note is written as its number and version, like 17:2"))
        return [(int(pair[1]), int(pair[2])) for pair in pairs if pair]


class DecisionForm(WithReason):
    """What a reviewer decided about one note, with the version they saw."""

    decision = forms.ChoiceField(choices=[(name, name) for name in ("approve", "replace", "reject", "undo", "save")])
    version = forms.IntegerField(min_value=1)
    text = forms.CharField(required=False, max_length=TEXT_LIMIT)
    applies_to = forms.CharField(required=False, max_length=60)
    expires_on = forms.DateField(required=False, validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)])


class TickedForm(WithReason):
    """One decision on several notes, each as `id:version`."""

    decision = forms.ChoiceField(choices=[(name, name) for name in ("approve", "reject")])
    ticked = TickedField()

    def problem(self) -> str:
        return super().problem() if self.data.getlist("ticked") else gettext("Tick notes first.")  # type: ignore[attr-defined]


class ProposalForm(ShownAgain, forms.Form):
    """A note that a person proposes."""

    text = forms.CharField(
        label=_("Note"),
        max_length=TEXT_LIMIT,
        widget=forms.Textarea(attrs={"rows": 3, "class": "note-text", "data-keep": "proposal-text"}),
        help_text=_("One short sentence that stays true. No secrets, no personal data, no orders to the agent."),
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=Kind.choices)
    source = forms.CharField(
        label=_("Source"),
        max_length=SOURCE_LIMIT,
        help_text=_("Where it was learnt, as scheme and identifier: doc:leases, issue:4, user:17."),
    )
    applies_to = forms.CharField(
        label=_("Versions"), max_length=60, required=False, help_text=_("Such as 2.x, 3.1.0 or >=3.1,<3.3.")
    )
    evidence = forms.CharField(
        label=_("Evidence"),
        max_length=EVIDENCE_LIMIT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "data-keep": "proposal-evidence"}),
        help_text=_("A short quotation of what you read there."),
    )

    def __init__(self, *args: Any, role: int, **options: Any) -> None:
        super().__init__(*args, **options)
        kinds = [choice for choice in Kind.choices if role >= Role.MAINTAINER or choice[0] not in MAINTAINERS_ONLY]
        self.fields["kind"].choices = kinds  # type: ignore[attr-defined]
