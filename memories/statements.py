"""Find what people state about themselves: lasting things, in the first person, neither asked nor imagined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|```.*?(?:```|\Z)|^>.*$", re.DOTALL | re.MULTILINE)
IMAGINED = re.compile(
    r"\b(?:if|when|whether|imagine|suppose|pretend|as though|would|could|might|maybe|say that) i\b", re.I
)
LONGEST = 2_000

ADVERB = r"(?:always|never|usually|only|generally|mostly|normally|rarely|really|strictly|also|still)"
LASTING_VERB = (
    r"(?:eat|drink|like|love|enjoy|hate|dislike|prefer|avoid|live|work|speak|travel|cycle|commute|teach|own|"
    r"tolerate|smoke|use)"
)
# These say something lasting only with an adverb: "I always take the train", but not "I take the first one".
DAILY_VERB = (
    r"(?:take|fly|drive|cook|read|wear|play|follow|study|sleep|pay|pack|stay|book|write|walk|run|start|end|order)"
)
# A passing state or a matter of this talk, not of the person.
PASSING = re.compile(
    r"(?:not |so |very |a bit |just |still |really |pretty |quite |too )*"
    r"(?:\w+ing\b|sure|sorry|afraid|happy|glad|tired|back|here|"
    r"there|late|early|ready|done|fine|ok|okay|good|well|busy|confused|stuck|curious|lost|new here|aware|certain|able|"
    r"about|on it|in a|at a|at the|in the|on the|off|out|up|down|one|all|getting|trying|only asking|no expert|worried|"
    r"interested|excited|surprised|unsure|unable|grateful|thankful|open|free|home|hungry|thirsty|sick|ill)\b",
    re.IGNORECASE,
)
THIS_TALK = re.compile(
    r"(?:this|that|it|these|those|your?|the (?:idea|answer|first|second|last|other|above|way)|what|how|"
    r"to (?:know|see|ask))\b",
    re.IGNORECASE,
)
LASTING_NOUN = (
    r"(?:(?:favou?rite|preferred|usual|home|default|native|first|weekly|daily|monthly) [\w -]{2,40}?|diet|budget|"
    r"time ?zone|units?|language|pronouns|allerg(?:y|ies)|role|job|team|employer|company|hometown|commute)"
)


@dataclass(frozen=True)
class Statement:
    """What a note would say, and the words of the person it was read from."""

    text: str
    quotation: str


@dataclass(frozen=True)
class Form:
    """A way to state something: how it is recognized, and how it reads as a note about the user."""

    pattern: re.Pattern[str]
    note: str


START = r"(?:^|[,;:]|\b(?:and|but|since|because|as|so|well|hi|hello)\b)"


def form(pattern: str, note: str) -> Form:
    return Form(re.compile(rf"{START}\s*{pattern}", re.IGNORECASE), note)


NEXT_CLAUSE = r"\b(?:and|but|because|since|so|when|while)\s+(?:i|my|it|they|he|she|we|what|this|that)\b"
END = rf"(?=\s*(?:[,;!?\n]|\.(?!\w)|{NEXT_CLAUSE}|$))"
REST = rf"(?P<rest>.{{2,200}}?){END}"
FORMS = (
    form(rf"(?:i am|i['’]m)\s+{REST}", "The user is {rest}."),
    form(rf"i\s+(?P<adverb>{ADVERB}\s+)?(?P<verb>{LASTING_VERB})\s+{REST}", "The user {adverb}{verb} {rest}."),
    form(rf"i\s+(?P<adverb>{ADVERB}\s+)(?P<verb>{DAILY_VERB})\s+{REST}", "The user {adverb}{verb} {rest}."),
    form(rf"i\s+(?:do not|don['’]t)\s+(?P<verb>{LASTING_VERB})\s+{REST}", "The user does not {plain_verb} {rest}."),
    form(
        rf"i\s+(?:cannot|can['’]t)\s+(?P<verb>eat|drink|tolerate|drive|fly)\s+{REST}",
        "The user cannot {plain_verb} {rest}.",
    ),
    form(rf"my\s+(?P<noun>{LASTING_NOUN})\s+(?P<verb>is|are)\s+{REST}", "The user's {noun} {plain_verb} {rest}."),
    form(rf"(?:please\s+)?call me\s+{REST}", "The user wants to be called {rest}."),
)
ASKED_TO_REMEMBER = re.compile(
    r"^(?:and |so |also |please |could you |can you |you should |hey,? )*"
    r"(?:remember|keep in mind|bear in mind|note|don['’]t forget|do not forget|for the record)[,:]?\s+"
    r"(?:that\s+)?(?P<rest>.{3,300})$",
    re.IGNORECASE | re.DOTALL,
)
NOT_FOR_LATER = re.compile(r"(?:to|when|how|what|who|why|where|the time|last|this|it|me)\b", re.IGNORECASE)
PERSONS = (
    (r"\bi['’]m\b", "they are"),
    (r"\bi am\b", "they are"),
    (r"\bi['’]ve\b", "they have"),
    (r"\bi\b", "they"),
    (r"\bmyself\b", "themselves"),
    (r"\bmine\b", "theirs"),
    (r"\bmy\b", "their"),
    (r"\bme\b", "them"),
)


def find_statements(message: str) -> list[Statement]:
    """What the person states about themselves in `message`, each once; quotations of others are not looked at."""
    own_words = QUOTED.sub(" ", message[:LONGEST])
    found = [statement for sentence in SENTENCE.split(own_words) for statement in read_sentence(sentence.strip())]
    return list({statement.text: statement for statement in found}.values())


def read_sentence(sentence: str) -> Iterator[Statement]:
    """The statements of one sentence; a question counts only in the part that gives its reason."""
    asked = ASKED_TO_REMEMBER.match(sentence)
    if asked and not sentence.endswith("?"):
        yield from read_request(asked["rest"], sentence)
        return
    if IMAGINED.search(sentence):
        return
    if sentence.endswith("?"):
        reason = re.match(r"(?:since|because|as|given that)\s+(i\b[^,?]*),", sentence, re.IGNORECASE)
        sentence = reason[1] if reason else ""
    for one in FORMS:
        for match in one.pattern.finditer(sentence):
            if text := worded(one, match):
                yield Statement(text, sentence)


def read_request(rest: str, sentence: str) -> Iterator[Statement]:
    """What somebody asks to be remembered, whatever it is about; a task for later is none."""
    if NOT_FOR_LATER.match(rest):
        return
    own = re.match(r"my\s+(.*)", rest, re.IGNORECASE | re.DOTALL)
    stated = [worded(one, match) for one in FORMS for match in one.pattern.finditer(rest)]
    if any(stated):
        yield from (Statement(text, sentence) for text in stated if text)
    elif own:
        yield Statement(finished(f"The user's {third_person(own[1])}"), sentence)
    elif doing := re.match(r"i\s+([a-z]+)\s+(.*)", rest, re.IGNORECASE | re.DOTALL):
        yield Statement(finished(f"The user {conjugated(doing[1])} {third_person(doing[2])}"), sentence)
    else:
        yield Statement(finished(f"The user says that {third_person(rest)}"), sentence)


def worded(one: Form, match: re.Match[str]) -> str:
    """The note for a match; empty where it is about a passing state or about this talk."""
    parts = match.groupdict()
    rest = parts["rest"].strip()
    if PASSING.match(rest) and "is {rest}" in one.note:
        return ""
    if THIS_TALK.match(rest):
        return ""
    verb = parts.get("verb") or ""
    filled = one.note.format(
        rest=third_person(rest),
        adverb=(parts.get("adverb") or "").lower(),
        verb=conjugated(verb.lower()),
        plain_verb=verb.lower(),
        noun=(parts.get("noun") or "").lower(),
    )
    return " ".join(filled.split())


def third_person(text: str) -> str:
    for pattern, word in PERSONS:
        text = re.sub(pattern, word, text, flags=re.IGNORECASE)
    return text


def conjugated(verb: str) -> str:
    """The third person of an English verb in the present."""
    irregular = {"have": "has", "am": "is", "do": "does", "was": "was", "can": "can", "must": "must", "will": "will"}
    if verb in irregular:
        return irregular[verb]
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


def finished(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."
