"""Sources: where a note was learnt, as `scheme:identifier`."""

import re

LONGEST_SOURCE = 200
FORM = re.compile(r"([a-z][a-z0-9_-]*):(\S(?:.*\S)?)")
FORBIDDEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def parse_source(source: str) -> tuple[str, str]:
    """The scheme and the identifier of `source`, as in `doc:leases`.

    Raises ValueError with one sentence when it is missing, longer than 200 characters, carries invisible or
    control characters, or is not `scheme:identifier`. The sentence never quotes the source.
    """
    if not source.strip():
        raise ValueError("The source is missing: say where this was learnt, for example doc:leases.")
    if len(source) > LONGEST_SOURCE:
        raise ValueError(f"The source is longer than {LONGEST_SOURCE} characters: shorten it.")
    if FORBIDDEN.search(source):
        raise ValueError("The source carries invisible or control characters: type it again without them.")
    form = FORM.fullmatch(source)
    if form is None:
        raise ValueError("The source is malformed: write a lower-case scheme, a colon and a name, like doc:leases.")
    return form[1], form[2]


def is_allowed(source: str, allowed: list[str]) -> bool:
    """Whether `source` falls under one of the `allowed` schemes or prefixes; an empty list allows all."""
    if not allowed:
        return True
    return any(source.startswith(entry if ":" in entry else f"{entry}:") for entry in allowed)
