"""Finding a quote in a text, to prove that the words were said."""

import re
import unicodedata
from dataclasses import dataclass

# Shorter quotes occur in any text and prove nothing; characters for scripts without spaces.
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
    """The place of a quote: `text[start:end]`, with the text normalised by `plain`."""

    text: str
    start: int
    end: int

    @property
    def sentence(self) -> str:
        """The sentence or sentences that contain the quote."""
        starts = [match.end() for match in _SENTENCE_END.finditer(self.text, 0, self.start)]
        stop = _SENTENCE_END.search(self.text, max(self.start, self.end - 1))
        return self.text[starts[-1] if starts else 0 : stop.end() if stop else len(self.text)]


def plain(text: str) -> str:
    """Return a text in lower case, with plain punctuation and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_PLAIN).casefold().split())


def find(quote: str, text: str) -> QuoteSpan | None:
    """Return where a text contains the words of a quote in order, ignoring case and punctuation.

    None if it does not, or for a quote of a single word.
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
    """Return whether a text contains the words of a quote in order."""
    return find(quote, text) is not None
