"""Quality: a note is one settled, self-contained statement. Everything here only flags, except empty and too long."""

import itertools
import re
from collections.abc import Iterator

from memories.screening.rule import Reading, Rule, Span, matches, starting

SENTENCE_END = re.compile(r"[.!?。！？]+[\"')\]]*\s+(?=[A-Z0-9À-ÖØ-ÞА-Я\"'(])")
ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|no|nr|dr|mr|mrs|ms|st|inc|ltd|al|approx|resp|ca|u\.s|p\.m|a\.m|fig|sec)|\b[a-z])\.\s*\Z",
    re.I,
)
MOST_SENTENCES = 3


def statement_spans(reading: Reading) -> Iterator[Span]:
    """The text after its third sentence, if it has more than three."""
    if sum(map(reading.text.count, ".!?。！？")) < MOST_SENTENCES:
        return
    ends = [
        end
        for end in SENTENCE_END.finditer(reading.text)
        if not ABBREVIATION.search(reading.text, max(0, end.start() - 8), end.end())
    ]
    if len(ends) >= MOST_SENTENCES:
        yield ends[MOST_SENTENCES - 1].end(), len(reading.text)


UNSPACED_SCRIPT = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{3}")


def subject_spans(reading: Reading) -> Iterator[Span]:
    """The whole text when it holds no two words to say something about something."""
    words = itertools.islice((word for word in reading.words if word[0].isalpha()), 2)
    if len(list(words)) < 2 and not UNSPACED_SCRIPT.search(reading.text):
        yield 0, len(reading.text)


OPENING_QUESTION = re.compile(
    r"^(?:how (?:do|can|should|would) (?:i|you|we|one)|what(?:'s| is the| are the)|who (?:is|are)|where (?:is|are|do|can)|why (?:is|are|do|does)|can (?:i|you|we)|could (?:i|you)|would you|will you|do you|are you|should (?:i|we))\b"
)
QUESTION_MARK = re.compile(r"[^\s?/=&][\"')\]»”]*\s?[?？؟;]+(?<!;)(?=[\s\"')\]»”]|$)|[？؟]|\b(?:ka|か)。$")
QUESTION_SIGNS = frozenset("?;？؟。")


def question_spans(reading: Reading) -> Iterator[Span]:
    """How a question opens, or its mark."""
    if opening := OPENING_QUESTION.match(reading.lower):
        yield opening.span()
    if not QUESTION_SIGNS.isdisjoint(reading.lower):
        yield from (match.span() for match in QUESTION_MARK.finditer(reading.lower))


TALK_WORDS = frozenset(
    "i we let my hi hello hey thanks thank sorry okay ok sure great good dear cheers wow lol haha please know hope looking happy feel love well gut".split()
)
TALK = matches(
    r"(?:^|[.!?]\s)(?:i|i'm|i've|i'll|i'd|we'll|let me|let's|we will now|my name)\b",
    r"^(?:hi|hello|hey|thanks|thank you|sorry|okay|ok|sure|great|good (?:morning|evening|afternoon)|dear|cheers|wow|lol|haha|please)\b[ ,!.]",
    r"\b(?:let me know|hope this helps|thank you in advance|looking forward to|happy to help|feel free to|love you|well done|gut gemacht)\b",
    r"\bi (?:am|have|was|want|need|love|hate|feel|like|will|would|can|could|just|also|really|don't|can't) ",
)
EXCLAMATIONS = re.compile("!{2,}")


def chatter_spans(reading: Reading) -> Iterator[Span]:
    """Talk in the first person, greetings, thanks and heaps of exclamation marks."""
    if not TALK_WORDS.isdisjoint(reading.words):
        yield from TALK(reading)
    if "!!" in reading.text:
        yield from (match.span() for match in EXCLAMATIONS.finditer(reading.text))


MARKUP = matches(
    r"\bat [\w.$<>]{3,80}\([\w.]{1,60}:\d+\)",
    r"^\s*\$ \w",
    r"```",
    r"<(?:html|body|table|tr|td|div|script|style|head|p|a|code|title|span|iframe|img|svg)\b[^<>]{0,200}>",
    r"</\w{1,12}>",
    r"<!--",
    r"\|[^|\n]{1,40}\|[^|\n]{1,40}\|[^|\n]{0,40}\|",
    r"^\s*\{\s*[\"']\w+[\"']\s*:",
    r"^\s*\[\s*\{",
)
MARKUP_SIGNS = frozenset("<|`{[$(")
LOGGED = matches(
    r"traceback \(most recent call",
    r"\bfile [\"'][^\"']{1,80}[\"'], line \d+",
    r"\bexception in thread\b",
    r"\b\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d[.,]?\d*z?\s*\[?(?:info|debug|warn(?:ing)?|error|critical|fatal|trace)\b",
    r"^\[?(?:info|debug|warning|error|critical)\]?[ :]",
    r"\b(?:import \w+(?:\.\w+)*(?: import| as|;| (?:import|from)\b)|from [\w.]+ import \w+|def \w+\(|function \w*\(|class \w+[(:{]|public static void|#include <|select \* from|subprocess\.\w+\(|requests\.(?:get|post)\()",
)
LOG_WORDS = frozenset(
    "traceback file exception info debug warn warning error critical fatal trace import def function class public include select subprocess requests".split()
)


def raw_spans(reading: Reading) -> Iterator[Span]:
    """Stack traces, logs, tables, markup and code."""
    if not MARKUP_SIGNS.isdisjoint(reading.text):
        yield from MARKUP(reading)
    if not LOG_WORDS.isdisjoint(reading.words):
        yield from LOGGED(reading)


RULES: tuple[Rule, ...] = (
    Rule(
        id="quality.raw-output",
        severity="flag",
        sentence="This is raw output (a stack trace, a log, a table, markup or code). Say in one sentence what it shows.",
        why="Raw output is long, goes stale, carries secrets and gives planted text a place to hide.",
        good="The worker logs 'connection refused' when the broker is down, see module/task.py.",
        bad="Traceback (most recent call last): File 'a.py', line 3, in run",
        check=raw_spans,
    ),
    Rule(
        id="quality.guess",
        severity="flag",
        sentence="This is a guess. Find out and state what is so, or leave it out.",
        why="A guess stored as a fact is repeated as one.",
        good="The probability sampler keeps one trace in ten, and values may be null.",
        bad="The outage was probably caused by the cache.",
        check=matches(
            r"\b(?:probably|presumably|i (?:think|guess|believe|suppose|assume|suspect)|maybe|perhaps|apparently|not (?:quite |entirely |really |100% )?sure|no idea|it seems (?:like|that|to)|seems like|looks like it|might be (?:because|due|that|the)|could be (?:because|due to)|as far as i (?:know|remember|can tell)|afaik|iirc|imo|imho|my guess|i'm guessing|supposedly|likely (?:because|due|caused)|unclear (?:if|whether|why)|wahrscheinlich|vermutlich|peut-être|probablement|probablemente|tal vez|quizás?|provavelmente|forse|probabilmente|misschien|waarschijnlijk)\b",
        ),
        stems=starting(
            "probably presumably i maybe perhaps apparently not no it seems looks might could as afaik iirc imo imho my guessing supposedly likely unclear "
            "wahrscheinlich vermutlich peut probablement probablemente tal quizá quizás provavelmente forse probabilmente misschien waarschijnlijk"
        ),
    ),
    Rule(
        id="quality.question",
        severity="flag",
        sentence="This asks a question. Store the answer, as a statement, once it is known.",
        why="A question teaches a later run nothing.",
        good="The path /search?q=term returns JSON, and ?debug turns on logging.",
        bad="Does the worker need Redis 7?",
        check=question_spans,
    ),
    Rule(
        id="quality.chatter",
        severity="flag",
        sentence="This is talk in the first person. Say what is so about the product or the customer instead.",
        why="'I will now look into it' is a moment in a conversation, not something to remember.",
        good="The customer wrote 'I cannot log in' on 3 March, and the thanks page was redesigned.",
        bad="I will now check the logs for you.",
        check=chatter_spans,
    ),
    Rule(
        id="quality.no-subject",
        severity="flag",
        sentence="This does not say what it is about. Write one sentence with a subject.",
        why="A word or a number alone means nothing a month later.",
        good="Redis 7 is required.",
        bad="42",
        check=subject_spans,
    ),
    Rule(
        id="quality.dangling-reference",
        severity="flag",
        sentence="This leans on something outside itself ('the above', 'see below'). Name the thing.",
        why="The note is recalled alone; what stood above it is gone.",
        good="The example in the tutorial uses Redis.",
        bad="As mentioned above, it fails.",
        check=matches(
            r"\b(?:as (?:mentioned|described|said|noted|shown|stated) (?:above|before|earlier|below)|see (?:above|below)|the (?:above|aforementioned) (?:error|example|problem|issue|message|examples)|examples above|in the (?:screenshot|attachment|picture) (?:above|below))\b",
        ),
        stems=starting("above below before earlier aforementioned"),
    ),
    Rule(
        id="quality.many-statements",
        severity="flag",
        sentence="This makes more than three statements. Split it into notes of one statement each.",
        why="One note, one statement: otherwise it cannot be corrected, expired or forgotten on its own.",
        good="Redis 7 is required. Older versions fail at start.",
        bad="Redis 7 is required. Older ones fail. The worker needs 2 GB. The queue is called default.",
        check=statement_spans,
    ),
)
