"""What matters and differs between two notes that read alike, so that no fact is merged away."""

from difflib import SequenceMatcher
from typing import Literal, NamedTuple

import regex

from memories.index.vocabulary import ANTONYMS, FUNCTION_WORDS, NEGATIONS, NUMBER_WORDS, UNITS, stem

Relation = Literal["duplicate", "conflict", "different"]
Matter = Literal["number", "version", "identifier", "unit", "negation", "opposite", "name", "word"]
Span = tuple[int, int]


class Difference(NamedTuple):
    """One thing that differs: what it is, and where it stands in each text (an empty span: nowhere)."""

    matter: Matter
    a: Span
    b: Span


class Token(NamedTuple):
    """A word of a text: its comparable form, what it is, and where it stands."""

    form: str
    matter: Matter
    start: int
    end: int


_TOKEN = regex.compile(r"\w+(?:[._\-/:@+]+\w+)*(?:'\w+)?|[%$€£]")
_VERSION = regex.compile(r"v?\d+(?:\.\d+)+(?:\.?[a-z]+\d*)?|v\d+|\d+(?:\.\d+)*\.x")
_IDENTIFIER = regex.compile(r".*(?:[._/:@]|\d.*\D|\D.*\d).*|\p{Ll}+\p{Lu}.*|.+\p{Ll}\p{Lu}.*")


def tokens(text: str) -> tuple[Token, ...]:
    """Words of a text that carry its meaning, in order; articles and the like are left out."""
    found = []
    for match in _TOKEN.finditer(text):
        token = _token(match.group(), match.start(), match.end(), first=not found)
        if token.matter != "word" or token.form not in FUNCTION_WORDS:
            found.append(token)
    return tuple(found)


def differences(a: str, b: str) -> tuple[Difference, ...]:
    """Everything that one of the texts says and the other does not, in the order of `a`."""
    left, right = tokens(a), tokens(b)
    matcher = SequenceMatcher(None, [t.form for t in left], [t.form for t in right], autojunk=False)
    moved = _moved(left, right, matcher)
    found = []
    for operation, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        if operation != "equal":
            ours = [token for token in left[a_from:a_to] if token.form not in moved]
            theirs = [token for token in right[b_from:b_to] if token.form not in moved]
            found += _paired(ours, theirs)
    return tuple(found)


def compare(a: str, b: str, cosine: float, threshold: float) -> Relation:
    """Are two notes the same, in conflict, or about different things?

    Below the embedder's measured `threshold` they are different. Above it they are duplicates only when
    nothing that matters differs; else one may correct the other, and a person decides.
    """
    if cosine < threshold:
        return "different"
    return "conflict" if differences(a, b) else "duplicate"


def _token(written: str, start: int, end: int, first: bool) -> Token:
    folded = written.casefold()
    if folded in NEGATIONS or folded.endswith("n't"):
        return Token("not", "negation", start, end)
    if folded in NUMBER_WORDS:
        return Token(NUMBER_WORDS[folded], "number", start, end)
    if regex.fullmatch(r"[\d,]+(?:\.\d+)?", folded) and folded.count(".") <= 1:
        return Token(folded.replace(",", ""), "number", start, end)
    if _VERSION.fullmatch(folded):
        return Token(folded.removeprefix("v"), "version", start, end)
    if _IDENTIFIER.fullmatch(written):
        return Token(folded, "identifier", start, end)
    if folded in UNITS:
        return Token(UNITS[folded], "unit", start, end)
    form = stem(folded)
    return Token(form, "name" if written[:1].isupper() and not first else "word", start, end)


def _moved(left: tuple[Token, ...], right: tuple[Token, ...], matcher: SequenceMatcher[str]) -> set[str]:
    return {t.form for t in left if t.matter == "word"} & {t.form for t in right if t.matter == "word"}


def _paired(ours: list[Token], theirs: list[Token]) -> list[Difference]:
    found = []
    for position in range(max(len(ours), len(theirs))):
        one = ours[position] if position < len(ours) else None
        other = theirs[position] if position < len(theirs) else None
        found.append(_difference(one, other))
    return found


def _difference(one: Token | None, other: Token | None) -> Difference:
    if one and other and frozenset((one.form, other.form)) in ANTONYMS:
        return Difference("opposite", (one.start, one.end), (other.start, other.end))
    strongest = [t.matter for t in (one, other) if t and t.matter != "word"]
    return Difference(
        strongest[0] if strongest else "word",
        (one.start, one.end) if one else (0, 0),
        (other.start, other.end) if other else (0, 0),
    )
