"""What was typed, when a form is shown again: the same for every reason there is to show it, and without secrets."""

from __future__ import annotations

from typing import Any

from django.forms import BaseForm, BoundField

from memories.redact import without_secrets
from memories.screening.policy import DEFAULT_POLICY, Policy


class Typed(BoundField):
    """One field of a form that is shown again."""

    form: ShownAgain

    def value(self) -> Any:
        value = super().value()
        return without_secrets(value, self.form.screened_by) if self.form.is_bound and isinstance(value, str) else value


class ShownAgain(BaseForm):
    """A form that shows what was typed with a gap for each secret, in its fields and where an error quotes it."""

    bound_field_class = Typed
    screened_by: Policy = DEFAULT_POLICY

    def add_error(self, field: str | None, error: Any) -> None:
        for one in getattr(error, "error_list", []):
            if one.params and "value" in one.params:
                one.params = {**one.params, "value": without_secrets(str(one.params["value"]), self.screened_by)}
        super().add_error(field, error)
