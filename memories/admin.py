"""A read-only look at every table for superusers: changes go through the verbs, which leave an audit entry."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db.models import BinaryField
from django.http import HttpRequest


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in the stubs only
    """Lists and shows rows; adds, changes and deletes nothing."""

    show_full_result_count = False
    list_per_page = 50

    def get_list_display(self, request: HttpRequest) -> Any:
        shown = [field for field in self.model._meta.concrete_fields if not isinstance(field, BinaryField)]
        return [field.name for field in shown if not field.is_relation][:8]

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [field.name for field in self.model._meta.concrete_fields if isinstance(field, BinaryField)]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


for model in apps.get_app_config("memories").get_models():
    admin.site.register(model, ReadOnlyAdmin)
