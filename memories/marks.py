"""Texts with the parts marked that a reviewer should look at; everything else is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from memories.index.differences import tokens

Span = tuple[int, int]
# What the filter doubts, what another text says too, and what one of two texts says otherwise.
LOOKS = {
    "doubted": "<mark>{}</mark>",
    "shared": '<u class="shared">{}</u>',
    "differs": '<b class="differs">{}</b>',
}
NUMBERS = {"number", "version"}
WORDS = re.compile(r"\s+|\S+")


def marked(text: str, **looks: Iterable[Span]) -> SafeString:
    """`text` with spans set apart, each in its look; empty spans and what overlaps an earlier one are left out."""
    taken = bytearray(len(text))
    chosen: list[tuple[int, int, str]] = []
    for look, spans in looks.items():
        for start, end in sorted(spans):
            if 0 <= start < end <= len(text) and not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                chosen.append((start, end, look))
    pieces, done = [], 0
    for start, end, look in sorted(chosen):
        pieces += [escape(text[done:start]), format_html(LOOKS[look], text[start:end])]
        done = end
    return mark_safe("".join([*pieces, escape(text[done:])]))  # noqa: S308 every piece is escaped


def whole_words(text: str, spans: Iterable[Span]) -> list[Span]:
    """Spans widened to the words they touch: half a marked word reads like a slip."""
    words = [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
    widened = []
    for start, end in spans:
        touched = [word for word in words if word[0] < end and word[1] > start]
        if touched:
            widened.append((touched[0][0], touched[-1][1]))
    return widened


def shared_words(text: str, other: str) -> list[Span]:
    """Spans of `text` whose words, as the index reads them, stand in `other` too; neighbours join into one."""
    known = {token.form for token in tokens(other)}
    joined: list[Span] = []
    for token in tokens(text):
        if token.form not in known:
            continue
        start, end = token.span
        if joined and text[joined[-1][1] : start].isspace():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def other_numbers(text: str, other: str) -> list[Span]:
    """Spans of numbers and versions of `text` that `other` lacks, where it names one that `text` lacks in its stead."""
    ours, theirs = ([token for token in tokens(one) if token.matter in NUMBERS] for one in (text, other))
    said, known = {token.form for token in ours}, {token.form for token in theirs}
    instead = {token.matter for token in theirs if token.form not in said}
    return [token.span for token in ours if token.form not in known and token.matter in instead]


def word_diff(old: str, new: str) -> SafeString:
    """What an edit took out in <del> and put in in <ins>, word by word."""
    before, after = WORDS.findall(old), WORDS.findall(new)
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    parts: list[tuple[str, str]] = []
    for step, old_from, old_to, new_from, new_to in steps:
        if step == "equal":
            parts.append(("", "".join(after[new_from:new_to])))
            continue
        parts += [("del", "".join(before[old_from:old_to])), ("ins", "".join(after[new_from:new_to]))]
    return format_html_join("", "{}", ((_wrapped(tag, piece),) for tag, piece in parts if piece))


def _wrapped(tag: str, piece: str) -> SafeString:
    if tag == "del":
        return format_html("<del>{}</del>", piece)
    return format_html("<ins>{}</ins>" if tag == "ins" else "{}", piece)
