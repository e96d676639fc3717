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


FUNCTION_WORDS = frozenset(
    _words(
        """
        a an the is are am be been being do does have has having it its this that these those there here of to
        in on at for by with and or so as which who now then just also very really quite please it's that's
        there's who's what's here's you're we're they're i'm you've we've they've i've you we they i
        """
    )
)
# Left out of the above: was, were, will, he, she and the like tell when and who, which may be the whole difference.
# Words that turn a statement round or limit it, though some of them look like mere grammar.
NEGATIONS = {
    word: word for word in _words("never without none neither nor nothing nobody nowhere hardly unable")
} | {
    word: "not"
    for word in _words(
        """
        not no cannot dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt hasnt havent
        hadnt
        """
    )
}
_NUMBERS = _words(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty
    """
)
NUMBER_WORDS = {word: str(number) for number, word in enumerate(_NUMBERS)} | {
    "once": "1", "twice": "2", "third": "3rd", "fourth": "4th", "fifth": "5th", "tenth": "10th", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90",
    "hundred": "100", "thousand": "1000", "million": "1000000", "dozen": "12", "half": "0.5",
}  # fmt: skip
_UNITS = (
    "nanosecond nanoseconds ns", "microsecond microseconds us µs", "millisecond milliseconds ms msec",
    "second seconds secs sec s", "minute minutes min mins", "hour hours hr hrs h", "day days d", "week weeks",
    "month months", "quarter quarters", "year years yr", "bit bits", "byte bytes", "kb kilobyte kilobytes",
    "mb megabyte megabytes", "gb gigabyte gigabytes", "tb terabyte terabytes", "kib", "mib", "gib",
    "percent % pct", "usd $ dollar dollars", "eur € euro euros", "gbp £", "metre metres meter meters m",
    "kilometre kilometres kilometer kilometers km", "mile miles", "gram grams g", "kilogram kilograms kg",
    "celsius", "fahrenheit", "pixel pixels px", "hertz hz", "khz", "mhz", "ghz", "mbps", "gbps",
)  # fmt: skip
UNITS = {alias: group.split()[0] for group in _UNITS for alias in group.split()}
_OPPOSITES = (
    "enable disable", "enabled disabled", "before after", "true false", "on off", "add remove", "allow deny",
    "allow forbid", "allow block", "accept reject", "accept refuse", "start stop", "open close", "first last",
    "up down", "above below", "over under", "increase decrease", "raise lower", "minimum maximum", "min max",
    "always never", "include exclude", "required optional", "mandatory optional", "synchronous asynchronous",
    "sync async", "public private", "internal external", "left right", "success failure", "succeed fail",
    "more less", "more fewer", "most least", "old new", "older newer", "upper lower", "with without", "all some",
    "all none", "show hide", "lock unlock", "read write", "encode decode", "push pull", "ascending descending",
    "local remote", "early late", "earlier later", "fast slow", "large small", "high low", "higher lower",
    "same different", "safe unsafe", "valid invalid", "possible impossible", "likely unlikely", "like dislike",
    "love hate", "prefer avoid", "buy sell", "win lose", "accept decline", "import export", "upload download",
    "connect disconnect", "install uninstall", "create delete", "insert delete", "grant revoke", "pass fail",
    "begin end", "inside outside", "incoming outgoing", "client server", "active inactive", "visible hidden",
    "strict lenient", "eager lazy", "single multiple", "absolute relative", "manual automatic",
    "morning evening", "day night", "north south", "east west", "hot cold", "front back", "until since",
)  # fmt: skip
OPPOSITES = frozenset(frozenset(stem(word) for word in pair.split()) for pair in _OPPOSITES)
