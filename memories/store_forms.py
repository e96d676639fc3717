"""Forms of the settings page: a store's own fields, its periods, its filter policy, its members."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from memories.models import Kind, Role, Store
from memories.schemas import explain
from memories.screening import FAMILIES, Policy
from memories.screening.policy import LONGEST_TEXT
from memories.shown_again import ShownAgain
from memories.wording import policy_or_default

SETTINGS = {
    "": _("as each rule says"),
    "refuse": _("refuse all that it finds"),
    "flag": _("flag only"),
    "rest": _("rest"),
}
FAMILY_WORDS = {
    "hygiene": _("Hygiene: invisible and deceptive characters"),
    "instruction": _("Instructions addressed to an agent"),
    "credential": _("Credentials and keys"),
    "personal": _("Personal data"),
    "quality": _("Quality: guesses, questions, raw output"),
}


class StoreForm(ShownAgain, forms.ModelForm):  # type: ignore[type-arg]
    """Name, thresholds and review rules."""

    class Meta:
        model = Store
        fields = [
            "name",
            "description",
            "dedupe_threshold",
            "minimum_score",
            "version_rule",
            "two_person_review",
            "user_notes_need_review",
        ]
        help_texts = {
            "dedupe_threshold": _("From which likeness on, 0 to 1, a draft repeats a known note or conflicts with it."),
            "minimum_score": _("What a note must score, 0 to 1, to be recalled."),
            "version_rule": _("Whether a note names the product versions it holds for."),
        }


class RetentionForm(ShownAgain, forms.ModelForm):  # type: ignore[type-arg]
    """Days each kind is kept; empty keeps it until somebody forgets it."""

    class Meta:
        model = Store
        fields = ["fact_days", "episode_days", "preference_days", "procedure_days", "rejected_days"]


class PolicyForm(ShownAgain, forms.Form):
    """The filter policy: one choice a rule family, what the store adds of its own, and a text to try it on."""

    maximum_length = forms.IntegerField(label=_("Characters at most"), min_value=1, max_value=LONGEST_TEXT)
    allow_ip_addresses = forms.BooleanField(label=_("IP addresses are allowed"), required=False)
    allowed_sources = forms.CharField(
        label=_("Allowed sources"),
        required=False,
        max_length=50_000,
        help_text=_("One a line: a scheme such as doc, or a prefix such as doc:leases. Empty allows every source."),
        widget=forms.Textarea(attrs={"rows": 3, "class": "source"}),
    )
    extra_patterns = forms.CharField(
        label=_("Patterns of this store"),
        required=False,
        max_length=50_000,
        help_text=_("One JSON object a line with name, pattern, severity (refuse or flag) and sentence."),
        widget=forms.Textarea(attrs={"rows": 4, "class": "source"}),
    )

    sample = forms.CharField(label=_("A text"), required=False, max_length=10_000)
    kind = forms.ChoiceField(label=_("Kind"), choices=Kind.choices, required=False)

    def __init__(self, data: Any = None, *, store: Store) -> None:
        self.version_rule = store.version_rule
        # The settings page is where an unreadable one is mended: saving replaces it.
        self.kept = policy_or_default(store)
        super().__init__(data, initial=self._initial(), label_suffix="")
        for family in FAMILIES:
            self.fields[f"family_{family}"] = forms.ChoiceField(
                label=FAMILY_WORDS[family], choices=list(SETTINGS.items()), required=False
            )

    def _initial(self) -> dict[str, Any]:
        kept = self.kept
        chosen = {f"family_{family}": setting for family, setting in kept.families.items() if setting != "default"}
        return {
            **chosen,
            "maximum_length": kept.maximum_length,
            "allow_ip_addresses": kept.allow_ip_addresses,
            "allowed_sources": "\n".join(kept.allowed_sources),
            "extra_patterns": "\n".join(extra.model_dump_json() for extra in kept.extra_patterns),
        }

    @property
    def families(self) -> list[Any]:
        return [self[f"family_{family}"] for family in FAMILIES]

    def clean_extra_patterns(self) -> list[Any]:
        lines = [line for line in self.cleaned_data["extra_patterns"].splitlines() if line.strip()]
        found = []
        for number, line in enumerate(lines, start=1):
            try:
                found.append(json.loads(line))
            except (ValueError, RecursionError):
                raise forms.ValidationError(_("Line %(n)d is not a JSON object."), params={"n": number}) from None
        return found

    def clean(self) -> dict[str, Any]:
        """Build the policy, so that its own rules decide whether it can be used."""
        given = self.cleaned_data
        if not self.errors:
            try:
                given["policy"] = Policy.model_validate(
                    {
                        "families": {family: given[f"family_{family}"] or "default" for family in FAMILIES},
                        "maximum_length": given["maximum_length"],
                        "version_rule": self.version_rule,
                        "allow_ip_addresses": given["allow_ip_addresses"],
                        "allowed_sources": given["allowed_sources"].split(),
                        "extra_patterns": given["extra_patterns"],
                    }
                )
            except ValidationError as error:
                raise forms.ValidationError(explain(error)) from None
        return given

    @property
    def policy(self) -> Policy:
        """The policy of a valid form, or the one the store has."""
        found: Policy = self.cleaned_data["policy"] if self.is_bound and self.is_valid() else self.kept
        return found


class MemberForm(ShownAgain, forms.Form):
    """A person by the name they sign in with, and their role."""

    # The name may be a mail address, and a typing error in it has to be seen.
    screened_by = Policy(families={"personal": "rest"})
    username = forms.CharField(label=_("Signs in as"), max_length=150)
    role = forms.TypedChoiceField(label=_("Role"), choices=Role.choices, coerce=lambda value: Role(int(value)))

    def clean_username(self) -> User:
        user = User.objects.filter(username=self.cleaned_data["username"], is_active=True).first()
        if user is None:
            raise forms.ValidationError(_("Nobody signs in under this name: an administrator adds people first."))
        return user
