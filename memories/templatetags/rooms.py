"""What the rooms' templates need to say: links that change a filter, what was asked, details of an entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms, template
from django.http import QueryDict
from django.utils.formats import date_format, get_format, number_format
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from memories.charts import Bar
from memories.counts import Count
from memories.models import Action, Status
from memories.receipts import BACKUPS
from memories.screening import RULES

register = template.Library()

FACET_ICONS = {Status.PROPOSED.value: "inbox", Status.APPROVED.value: "check", Status.REJECTED.value: "close"}
ACTION_ICONS = {
    Action.PROPOSED.value: "inbox",
    Action.SEEN_AGAIN.value: "inbox",
    Action.REFUSED.value: "refused",
    Action.APPROVED.value: "check",
    Action.REJECTED.value: "close",
    Action.EDITED.value: "edit",
    Action.UNDONE.value: "undo",
    Action.FORGOTTEN.value: "trash",
    Action.SWEPT.value: "retention",
    Action.EXPORTED.value: "export",
    Action.SETTINGS.value: "settings",
    Action.MEMBERS.value: "person",
    Action.VIEWS.value: "filter",
    Action.PINNED.value: "pin",
}
ACTOR_ICONS = {"person": "person", "agent": "agent_derived", "command": "settings"}
CURSORS = ("after", "before")


@register.filter
def words(text: str) -> list[str]:
    """The words of a literal, to loop over."""
    return text.split()


@register.filter
def field(row: object, name: str) -> Any:
    return getattr(row, name, "")


@register.filter
def bound(form: forms.BaseForm, name: str) -> forms.BoundField:
    """The field of `form` called `name`."""
    return form[name]


@register.filter
def grouped(number: int | Count) -> str:
    """A whole number with its thousands apart."""
    return str(number) if isinstance(number, Count) else number_format(number, force_grouping=True)


@register.filter
def two_digits(score: float) -> str:
    """A score as the reader's language writes it; a page shows two hundred, and `floatformat` takes its time."""
    return f"{score:.2f}".replace(".", str(get_format("DECIMAL_SEPARATOR")))


@register.simple_tag
def plain(number: float) -> str:
    """A number as SVG reads it, whatever the language."""
    return f"{number:g}"


@register.simple_tag
def bars(drawn: Iterable[Bar]) -> SafeString:
    """The bars of a chart; numbers as SVG reads them."""
    return format_html_join(
        "",
        '<rect class="series-{}" x="{}" y="{}" width="{}" height="{}"><title>{}: {}</title></rect>',
        (
            (bar.series, bar.x, bar.y, bar.width, bar.height, date_format(bar.day, "j M"), str(bar.count))
            for bar in drawn
        ),
    )


@register.simple_tag
def percent(share: float, digits: int = 1) -> str:
    """A share of one in percent, as SVG reads it."""
    return f"{100 * max(0.0, min(1.0, share)):.{digits}f}"


@register.simple_tag
def facet_name(name: str) -> str:
    return {"status": _("Status"), "kind": _("Kind"), "origin": _("Origin")}[name]


@register.filter
def facet_icon(value: str) -> str:
    return FACET_ICONS.get(value, value)


@register.filter
def action_icon(action: str) -> str:
    return ACTION_ICONS.get(action, "activity")


@register.filter
def actor_icon(actor: str) -> str:
    """The drawing for the door an actor came through."""
    return ACTOR_ICONS.get(actor.partition(":")[0], "lock")


@register.simple_tag(takes_context=True)
def change_query(context: dict[str, Any], name: str, value: str, drop: bool = False) -> str:
    """A link to this page with one more condition, or without it, from the first page on."""
    query: QueryDict = context["request"].GET.copy()
    for gone in (*CURSORS, name):
        query.pop(gone, None)
    for empty in [key for key, given in query.items() if not given]:
        del query[empty]
    if not drop:
        query[name] = value
    return f"?{query.urlencode()}"


@register.simple_tag(takes_context=True)
def choose(context: dict[str, Any], name: str, value: object, chosen: object) -> str:
    """A link to this page with `value` chosen; without it where it is what is `chosen` now."""
    return change_query(context, name, str(value), value == chosen)


@register.filter
def asked_words(asked: Mapping[str, Any]) -> str:
    """What a deletion was asked for, in words."""
    by = asked.get("by")
    if by == "sweep":
        return _("what had outlived its time")
    if by == "rescreen":
        return _("evidence and earlier texts that the filter's rules refuse")
    if by == "source":
        return _("source %(source)s") % {"source": asked.get("source", "")}
    if by == "ids":
        return _("notes %(numbers)s") % {"numbers": ", ".join(str(number) for number in asked.get("ids", [])[:20])}
    if by == "query":
        return _("a query with a minimum score of %(score).2f") % {"score": asked.get("minimum_score", 0)}
    return pairs({name: value for name, value in asked.items() if name != "by"})


@register.filter
def rule_words(name: str) -> str:
    """What a rule of the filter objects to, in one sentence; empty for a rule of the store's own."""
    rule = RULES.get(name)
    return rule.sentence.partition(". ")[0].rstrip(".") + "." if rule else ""


@register.filter
def trace_icon(trace: str) -> str:
    """A tick for what a receipt found in order, a clock for what waits for the sweep, a warning for what is left."""
    if "manage.py sweep" in trace:
        return "clock"
    return "warning" if trace == BACKUPS or "manage.py" in trace else "check"


@register.filter
def details_words(details: Mapping[str, Any]) -> str:
    """What an audit entry says besides, in one line."""
    if "must_recall" in details:
        return _("must recall") if details["must_recall"] else _("must never recall")
    shown = {name: value for name, value in details.items() if value not in (None, "", [], {}, False)}
    for name in shown.keys() & {"notes", "evidence_dropped"}:
        numbers = shown[name]
        shown[name] = ", ".join(str(number) for number in numbers[:10]) + (" …" if len(numbers) > 10 else "")
    if isinstance(changes := shown.get("changes"), dict):
        shown = {name: f"{_or_dash(old)} → {_or_dash(new)}" for name, (old, new) in changes.items() if name != "policy"}
        if "policy" in changes:
            shown["policy"] = _("changed")
    return pairs(shown)


def _or_dash(value: Any) -> Any:
    return "–" if value in (None, "") else value


def pairs(shown: Mapping[str, Any]) -> str:
    return " · ".join(_pair(name.replace("_", " "), value) for name, value in shown.items())


def _pair(name: str, value: Any) -> str:
    if value is True:
        return name
    if isinstance(value, Mapping):
        value = [word if count == 1 else f"{word} × {count}" for word, count in value.items()]
    return f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
