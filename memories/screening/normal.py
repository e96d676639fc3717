"""The normal form of a text: what is stored, compared and shown."""

import re
import unicodedata

# Categories Cc, Cf, Cs, and the letters and marks that render as nothing; written as ranges because asking
# `unicodedata` about every code point would cost a fifth of a second at import.
ZERO_WIDTH = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f"
ZERO_WIDTH += "\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
VARIATION = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
BIDIRECTIONAL = "\u200e\u200f\u202a-\u202e\u2066-\u2069"
TAGS = "\U000e0000-\U000e007f"
CONTROLS = "\x00-\x08\x0e-\x1b\x7f\x80-\x84\x86-\x9f"
SURROGATES = "\ud800-\udfff"

UNSEEN = re.compile(f"[{ZERO_WIDTH}{VARIATION}{BIDIRECTIONAL}{TAGS}{CONTROLS}{SURROGATES}]")
SPACES = re.compile(r"\s+")


def normalise(text: str) -> str:
    """`text` in NFC without invisible, bidirectional, tag, control and surrogate characters, white space
    collapsed and trimmed. Normalising twice changes nothing."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", UNSEEN.sub("", text))
    return SPACES.sub(" ", UNSEEN.sub("", text)).strip()
