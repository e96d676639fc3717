"""What templates of the console say often: icons, badges, times, counts, links of the rail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from memories import access, marks
from memories.beside import Near
from memories.models import Kind, Membership, Memory, Origin, Role, Status, Store

register = template.Library()

NAV_COUNT_LIMIT = 99
JUST_NOW = timedelta(minutes=1)
ORIGIN_TONES = {Origin.MAINTAINER: "good", Origin.UNTRUSTED: "warn"}
STATUS_LOOKS = {
    Status.PROPOSED: ("accent", "inbox"),
    Status.APPROVED: ("good", "check"),
    Status.REJECTED: ("", "close"),
}


# A list has three drawings a row: finding the sprite's name again for each costs more than reading the row.
@register.simple_tag
@lru_cache(maxsize=256)
def icon(name: str) -> SafeString:
    """A decorative drawing from the sprite; the words beside it carry the meaning."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', static("memories/icons.svg"), name
    )


@lru_cache(maxsize=256)
def badge(tone: str, drawing: str, words: str) -> SafeString:
    return format_html('<span class="badge {}">{}{}</span>', tone, icon(drawing), words)


@register.simple_tag
def kind_badge(kind: str) -> SafeString:
    return badge("", kind, str(Kind(kind).label))


@register.simple_tag
def origin_badge(origin: str) -> SafeString:
    return badge(ORIGIN_TONES.get(Origin(origin), ""), origin, str(Origin(origin).label))


@register.simple_tag
def status_badge(status: str) -> SafeString:
    return badge(*STATUS_LOOKS[Status(status)], str(Status(status).label))


@register.simple_tag
def when(moment: datetime | None) -> SafeString | str:
    """A time in the reader's zone, the zone named, UTC on hover."""
    return _time(moment, date_format(timezone.localtime(moment), "j M Y, H:i T")) if moment else "–"


@register.simple_tag
def day(moment: datetime | None) -> SafeString | str:
    """The day of a time in the reader's zone, the exact time in UTC on hover."""
    return _time(moment, date_format(timezone.localtime(moment), "j M Y")) if moment else "–"


@register.simple_tag
def time_span(first: datetime, last: datetime) -> SafeString:
    """From when to when on one day, in the reader's zone; one time where both read the same."""
    start, end = (date_format(timezone.localtime(moment), "j M Y, H:i") for moment in (first, last))
    if start == end:
        return when(last)  # type: ignore[return-value]
    return format_html("{}–{}", _time(first, start), _time(last, date_format(timezone.localtime(last), "H:i T")))


@register.simple_tag
def ago(moment: datetime | None) -> SafeString | str:
    """How long ago a time was, in its largest unit."""
    if moment is None:
        return "–"
    if timezone.now() - moment < JUST_NOW:
        return _time(moment, _("just now"))
    return _time(moment, _("%(time)s ago") % {"time": timesince(moment, depth=1)})


def _time(moment: datetime, words: str) -> SafeString:
    utc = moment.astimezone(UTC)
    exact, title = utc.strftime("%Y-%m-%dT%H:%M:%SZ"), utc.strftime("%Y-%m-%d %H:%M UTC")
    return format_html('<time datetime="{}" title="{}">{}</time>', exact, title, words)


@register.filter
def capped(count: int, limit: int) -> str:
    """A count that stopped at `limit`: "10,000+" rather than a slow exact one."""
    shown = number_format(min(count, limit), use_l10n=True, force_grouping=True)
    return f"{shown}+" if count > limit else shown


@register.simple_tag
def waiting_count(store: Store) -> str:
    """How many notes wait for a decision, counted no further than the rail can show."""
    waiting = Memory.objects.filter(store=store, status=Status.PROPOSED).order_by().values("id")[: NAV_COUNT_LIMIT + 1]
    return capped(waiting.count(), NAV_COUNT_LIMIT)


@register.inclusion_tag("memories/_nav_link.html", takes_context=True)
def nav_link(context: dict[str, Any], name: str, drawing: str, label: str, role: str = "reader") -> dict[str, Any]:
    """A link of the rail for who has at least `role`; `section` in the context marks the pages under it."""
    if not may(context["membership"], role):
        return {}
    store = context["membership"].store
    match = context["request"].resolver_match
    here = name in (context.get("section"), match.url_name if match else "")
    return {
        "href": reverse(name, args=[store.slug]),
        "icon": drawing,
        "label": label,
        "here": here,
        "store": store if name == "inbox" else None,
    }


@register.simple_tag(takes_context=True)
def my_stores(context: dict[str, Any]) -> list[Membership]:
    return access.by_waiting(context["request"].user)


@register.simple_tag(takes_context=True)
def store_asked_for(context: dict[str, Any]) -> Store | None:
    """The store whose page was asked for, if it is one of the person's own."""
    request = context["request"]
    slug = request.resolver_match.kwargs.get("slug") if request.resolver_match else None
    return access.stores_of(request.user).filter(slug=slug).first() if slug else None


@register.filter
def may(membership: object, role: str) -> bool:
    """Whether a membership reaches the role called `role`, as in `{% if membership|may:"reviewer" %}`."""
    return bool(getattr(membership, "role", 0) >= Role[role.upper()])


@register.filter
def said_once(sentences: Iterable[object]) -> tuple[list[str], list[str]]:
    """What is said in turn, and what several of `sentences` go on with alike, taken off them."""
    parts = [str(sentence).partition(". ") for sentence in sentences]
    alike = {end for end, times in Counter(end for _first, _stop, end in parts).items() if end and times > 1}
    each = [f"{first}." if end in alike else f"{first}{stop}{end}" for first, stop, end in parts]
    return list(dict.fromkeys(each)), [end for end in dict.fromkeys(end for *_rest, end in parts) if end in alike]


@register.simple_tag
def headline(note: Memory, near: Sequence[Near] = ()) -> SafeString:
    """A note's text with what the filter spoke about, and what evidence or the note in conflict has otherwise."""
    spans = [(finding.get("start", 0), finding.get("end", 0)) for finding in note.findings]
    other = next((one for one in near if one.conflict), None)
    differs = [difference.a for difference in other.differences] if other else []
    differs += marks.other_numbers(note.text, note.evidence)
    return marks.marked(note.text, doubted=marks.whole_words(note.text, spans), differs=differs)


@register.filter
def beside_note(evidence: str, text: str) -> SafeString:
    """Evidence with the words that the note repeats, and the numbers that it has otherwise."""
    differs = marks.other_numbers(evidence, text)
    return marks.marked(evidence, differs=differs, shared=marks.shared_words(evidence, text))


@register.filter
def with_differences(near: Near) -> SafeString:
    """The text of a near note with the words set apart that the note on the desk has otherwise."""
    return marks.marked(near.note.text, differs=[difference.b for difference in near.differences])


@register.simple_tag
def word_diff(old: str, new: str) -> SafeString:
    return marks.word_diff(old, new)


@register.filter
def actor_name(actor: str) -> str:
    """`person:mara` as "mara", `command:propose` as "command propose"."""
    door, _colon, name = actor.partition(":")
    return name if door == "person" and name else f"{door} {name}".strip()
