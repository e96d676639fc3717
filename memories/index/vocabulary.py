"""Closed lists of English words that decide whether two sentences say the same."""

import Stemmer

_stemmer = Stemmer.Stemmer("english")


def stem(word: str) -> str:
    """Snowball stem of a folded word."""
    return str(_stemmer.stemWord(word))


FUNCTION_WORDS = frozenset(
    stem(word)
    for word in [
        "a",
        "an",
        "the",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "do",
        "does",
        "did",
        "done",
        "has",
        "have",
        "had",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "by",
        "with",
        "that",
        "this",
        "these",
        "those",
        "it",
        "its",
        "it's",
        "and",
        "or",
        "so",
        "as",
        "from",
        "also",
        "note",
        "noted",
        "that's",
        "there",
        "here",
        "now",
        "then",
        "just",
        "please",
        "will",
        "would",
        "very",
        "really",
        "you",
        "your",
        "we",
        "our",
        "i",
        "they",
        "their",
        "he",
        "she",
        "his",
        "her",
        "them",
        "us",
        "me",
        "my",
    ]
)
NEGATIONS = frozenset(["not", "no", "never", "without", "none", "neither", "nor", "cannot", "unable"])
NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}
UNITS = {
    alias: names.split()[0]
    for names in (
        "second seconds sec secs", "millisecond milliseconds ms msec", "minute minutes min mins",
        "hour hours hr hrs", "day days", "week weeks", "month months", "year years", "byte bytes",
        "kb kilobyte kilobytes", "mb megabyte megabytes", "gb gigabyte gigabytes", "percent %",
    )
    for alias in names.split()
}  # fmt: skip
_OPPOSITES = (
    "enable disable", "enabled disabled", "before after", "true false", "on off", "add remove", "allow deny",
    "allow forbid", "accept reject", "start stop", "open close", "first last", "up down", "above below",
    "increase decrease", "minimum maximum", "min max", "always never", "include exclude", "required optional",
    "synchronous asynchronous", "public private", "internal external", "left right", "success failure",
    "more less", "more fewer", "old new", "upper lower", "with without", "all some", "all none", "show hide",
    "lock unlock", "read write", "encode decode", "push pull", "ascending descending", "local remote",
)  # fmt: skip
ANTONYMS = frozenset(frozenset(stem(word) for word in pair.split()) for pair in _OPPOSITES)
