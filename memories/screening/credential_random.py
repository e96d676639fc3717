"""Long random strings: keys without a format of their own, told apart from digests, names and images."""

import re
from collections.abc import Iterator

from memories.screening.decoding import decode_base64, readable
from memories.screening.entropy import HEXADECIMAL, entropy, is_random, wordlike
from memories.screening.rule import Reading, Span

BLOB = re.compile(r"(?<![\w/+.@-])[A-Za-z0-9_+/-]{20,200}(?![\w/@+-])")
DIGEST_BEFORE = re.compile(
    r"(?i)(?:sha-?\d*|md5|h1|digest|checksum|integrity|hash|commit|revision|rev|etag|fingerprint|nonce|cksum|blake\w*|ref|tree|blob"
    r"|base64|(?:public key|certificate|request)-{3,}|ssh-\w+|ecdsa-\S+|public ?key|payload|body|data|image|layer|build ?id|trace ?id|request ?id|id)[\"']?\s{0,2}[:=@, -]\s{0,2}[\"']?\Z"
)
RANDOM_LETTERS, MOST_JOINTS = 0.55, 3
DIGEST = re.compile(r"(?i)(?:sha|md|blake)\d{1,3}[-_]")


def random_spans(reading: Reading) -> Iterator[Span]:
    """Long strings that mix cases and digits as keys do and that no digest's or identifier's name introduces."""
    for run in reading.runs:
        for match in BLOB.finditer(reading.text, run.start(), run.end()) if len(run[0]) >= 20 else ():
            before = reading.text[max(0, match.start() - 24) : match.start()]
            if looks_generated(match[0]) and not DIGEST_BEFORE.search(before):
                yield match.span()


# How images, archives and documents begin in base 64.
FILE_HEADERS = ("iVBORw0KGgo", "/9j/", "R0lGOD", "UEsDB", "JVBERi0", "H4sI", "PD94bWwg", "PHN2Zy", "Qk0", "AAABAA")


def looks_generated(value: str) -> bool:
    if value.startswith(FILE_HEADERS):
        return False
    if HEXADECIMAL.fullmatch(value.replace("-", "")) or DIGEST.match(value) or not is_random(value, 20):
        return False
    cases = any(map(str.isupper, value)) and any(map(str.islower, value))
    if wordlike(value) > RANDOM_LETTERS or sum(map(value.count, "-_/")) > MOST_JOINTS:
        return False
    return cases and entropy(value) >= 3.6 and not readable(value, decode_base64)
