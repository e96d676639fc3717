"""The form of the recall playground."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from memories.explain import Question
from memories.index.versions import parse_version
from memories.models import Kind, Origin, Store
from memories.queries import FIRST_DAY, LAST_DAY

DAYS = [MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)]


class RecallForm(forms.Form):
    """What an agent would ask, with every condition that recall knows."""

    text = forms.CharField(
        label=_("What would an agent ask?"),
        max_length=2_000,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off", "aria-keyshortcuts": "/"}),
    )
    k = forms.IntegerField(label=_("Notes at most"), min_value=1, max_value=50, initial=3, required=False)
    minimum_score = forms.FloatField(label=_("Minimum score"), min_value=0, max_value=1, required=False)
    version = forms.CharField(label=_("Product version"), max_length=60, required=False)
    kind = forms.ChoiceField(label=_("Kind"), choices=[("", _("any")), *Kind.choices], required=False)
    origin = forms.ChoiceField(label=_("Origin at least"), choices=[("", _("any")), *Origin.choices], required=False)
    source_prefix = forms.CharField(label=_("Source begins with"), max_length=200, required=False)
    observed_from = forms.DateField(
        label=_("Learnt from"), required=False, validators=DAYS, widget=forms.DateInput(attrs={"type": "date"})
    )
    observed_to = forms.DateField(
        label=_("Learnt to"), required=False, validators=DAYS, widget=forms.DateInput(attrs={"type": "date"})
    )
    max_tokens = forms.IntegerField(
        label=_("Tokens at most"), min_value=50, max_value=4_000, initial=400, required=False
    )
    preferences = forms.BooleanField(label=_("Standing preferences first"), required=False)

    def __init__(self, data: Any = None, *, store: Store) -> None:
        super().__init__(data, label_suffix="")
        self.fields["minimum_score"].widget.attrs |= {"placeholder": f"{store.minimum_score:.2f}", "step": "0.01"}

    def clean_version(self) -> str:
        version = str(self.cleaned_data["version"])
        try:
            if version:
                parse_version(version)
        except ValueError as problem:
            raise forms.ValidationError(str(problem)) from None
        return version

    def clean_max_tokens(self) -> int:
        return self.cleaned_data["max_tokens"] or 400

    def question(self) -> Question:
        """What was asked; of a valid form only."""
        given = self.cleaned_data
        return Question(
            text=given["text"],
            k=given["k"] or 3,
            kinds=(given["kind"],) if given["kind"] else (),
            minimum_score=given["minimum_score"],
            version=given["version"],
            source_prefix=given["source_prefix"],
            origin_at_least=given["origin"],
            observed_from=given["observed_from"],
            observed_to=given["observed_to"],
        )
