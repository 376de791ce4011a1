"""Whether words were really said: finding a quote in a text, word for word."""

import re
import unicodedata
from dataclasses import dataclass

# Fewer words, or fewer signs where words are not set apart, are found in any text: no proof.
FEWEST_WORDS, FEWEST_SIGNS = 2, 4

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc\u201a\u2032`\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        "\u2039": "<",
        "\u203a": ">",
    }
)
_SENTENCE_END = re.compile(r"[.!?]+(?=\s)")


@dataclass(frozen=True)
class QuoteSpan:
    """Where a quote stands: `text[start:end]`, with the text as `plain` gives it."""

    text: str
    start: int
    end: int

    @property
    def sentence(self) -> str:
        """Return the sentence, or the sentences, in which it stands."""
        starts = [match.end() for match in _SENTENCE_END.finditer(self.text, 0, self.start)]
        stop = _SENTENCE_END.search(self.text, max(self.start, self.end - 1))
        return self.text[starts[-1] if starts else 0 : stop.end() if stop else len(self.text)]


def plain(text: str) -> str:
    """Return the text in small letters, with plain marks and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_PLAIN).casefold().split())


def find(quote: str, text: str) -> QuoteSpan | None:
    """Return where a text says these words one after the other, whatever its case and marks.

    None for a quote of a single word, and for one that says more than the text.
    """
    words = re.findall(r"\w+", plain(quote))
    pattern = r"\W+".join(words)
    if len(words) >= FEWEST_WORDS:
        pattern = rf"(?<!\w){pattern}(?!\w)"
    elif pattern.isascii() or len(pattern) < FEWEST_SIGNS:
        return None
    plain_text = plain(text)
    match = re.search(pattern, plain_text)
    return QuoteSpan(plain_text, match.start(), match.end()) if match else None


def occurs(quote: str, text: str) -> bool:
    """Return whether a text says these words."""
    return find(quote, text) is not None
