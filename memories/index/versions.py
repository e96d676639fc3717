"""Which product versions a note holds for: `2.x`, `3.0.x`, `3.1.0`, `>=3.1,<3.3`, or empty for all."""

from functools import lru_cache

import regex

_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,5}"
_CLAUSE = regex.compile(rf"(?P<relation>>=|<=|==|!=|>|<|~=)?\s*v?(?P<number>{_NUMBER})(?P<open>\.[xX*])?")
_VERSION = regex.compile(rf"v?({_NUMBER})(?:[.\-+]?[A-Za-z].*)?")

Release = tuple[int, ...]


def applies(spec: str, version: str) -> bool:
    """Does `version` (`3.1.4`, `v3.1`) fall under `spec`? Clauses joined by commas must all hold.

    A bare number holds for itself and what it leads: `3.1` for `3.1.4`, not for `3.10`. Raises ValueError
    when either cannot be read.
    """
    release = parse_version(version)
    return all(_holds(relation, number, release) for relation, number in _clauses(spec))


def parse_version(text: str) -> Release:
    """Numbers of a version, any suffix (`-rc1`) left aside. Raises ValueError."""
    match = _VERSION.fullmatch(text.strip())
    if not match:
        raise ValueError(f"{text[:40]!r} is no version: write it like 3.1 or 3.1.4.")
    return tuple(int(part) for part in match[1].split("."))


def check_spec(spec: str) -> None:
    """Raise ValueError when `spec` cannot be read."""
    _clauses(spec)


@lru_cache(maxsize=1024)
def _clauses(spec: str) -> tuple[tuple[str, Release], ...]:
    clauses = []
    for part in filter(None, (part.strip() for part in spec.split(","))):
        match = _CLAUSE.fullmatch(part)
        if not match or (match["open"] and match["relation"] not in (None, "==", "!=")):
            raise ValueError(f"{spec[:40]!r} names no versions: write it like 2.x, 3.1.0 or >=3.1,<3.3.")
        clauses.append((match["relation"] or "==", tuple(int(n) for n in match["number"].split("."))))
    return tuple(clauses)


def _holds(relation: str, number: Release, release: Release) -> bool:
    if relation in ("==", "!="):
        return (_padded(release, len(number))[: len(number)] == number) == (relation == "==")
    if relation == "~=":
        return release >= number and release[: len(number) - 1] == number[:-1]
    length = max(len(number), len(release))
    left, right = _padded(release, length), _padded(number, length)
    return {">=": left >= right, ">": left > right, "<=": left <= right, "<": left < right}[relation]


def _padded(release: Release, length: int) -> Release:
    return release + (0,) * (length - len(release))
