"""Closed lists of English words that decide whether two sentences say the same."""

from threading import local

import Stemmer


class _Stemmers(local):
    """One stemmer a thread: a Snowball stemmer must not be shared. It remembers no words (cache size 0)."""

    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english", 0)


_stemmers = _Stemmers()


def stem(word: str) -> str:
    """Snowball stem of a folded English word; other words mostly stay as they are."""
    return str(_stemmers.english.stemWord(word))


def _words(text: str) -> list[str]:
    return text.split()


def _groups(text: str) -> list[list[str]]:
    return [group.split() for group in text.split(",")]


# Not among these: was, were, will, he, she and the like tell when and who, which may be all that differs.
FUNCTION_WORDS = frozenset(
    _words("""
        a an the is are am be been being do does have has having it its this that these those there here of to
        in on at for by with and or so as which who now then just also very really quite please it's that's
        there's who's what's here's you're we're they're i'm you've we've they've i've you we they i
    """)
)
NEGATIONS = {
    "never": "never", "without": "without", "none": "none", "neither": "neither", "nor": "nor",
    "nothing": "nothing", "nobody": "nobody", "nowhere": "nowhere", "hardly": "hardly", "unable": "unable",
} | dict.fromkeys(
    _words("""
        not no cannot dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt hasnt
        havent hadnt
    """),
    "not",
)  # fmt: skip
NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        _words("""
            zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
            sixteen seventeen eighteen nineteen twenty
        """)
    )
} | {
    "once": "1", "twice": "2", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th",
    "seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th", "thirty": "30", "forty": "40",
    "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100",
    "thousand": "1000", "million": "1000000", "dozen": "12", "half": "0.5",
}  # fmt: skip
_UNITS = """
    nanosecond nanoseconds ns, microsecond microseconds us µs, millisecond milliseconds ms msec,
    second seconds secs sec s, minute minutes min mins, hour hours hr hrs h, day days d, week weeks,
    month months, quarter quarters, year years yr, bit bits, byte bytes, kilobyte kilobytes kb,
    megabyte megabytes mb, gigabyte gigabytes gb, terabyte terabytes tb, kib, mib, gib, percent % pct,
    dollar dollars usd $, euro euros eur €, pound pounds gbp £, metre metres meter meters m,
    kilometre kilometres kilometer kilometers km, mile miles, gram grams g, kilogram kilograms kg, celsius,
    fahrenheit, pixel pixels px, hertz hz, khz, mhz, ghz, mbps, gbps
"""
UNITS = {alias: group[0] for group in _groups(_UNITS) for alias in group}
_OPPOSITES = """
    enable disable, enabled disabled, before after, true false, on off, add remove, allow deny, allow forbid,
    allow block, accept reject, accept refuse, accept decline, start stop, begin end, open close, first last,
    up down, above below, over under, increase decrease, raise lower, minimum maximum, min max, always never,
    include exclude, required optional, mandatory optional, synchronous asynchronous, sync async,
    public private, internal external, left right, success failure, succeed fail, pass fail, more less,
    more fewer, most least, old new, older newer, upper lower, higher lower, high low, with without, all some,
    all none, show hide, visible hidden, lock unlock, read write, encode decode, push pull, import export,
    ascending descending, local remote, early late, earlier later, fast slow, large small, same different,
    safe unsafe, valid invalid, possible impossible, likely unlikely, like dislike, love hate, prefer avoid,
    buy sell, win lose, upload download, connect disconnect, install uninstall, create delete, insert delete,
    grant revoke, inside outside, incoming outgoing, client server, active inactive, strict lenient,
    eager lazy, single multiple, absolute relative, manual automatic, morning evening, day night, north south,
    east west, hot cold, front back, since until
"""
OPPOSITES = frozenset(frozenset(stem(word) for word in pair) for pair in _groups(_OPPOSITES))
