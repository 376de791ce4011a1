"""Whether words were really said: finding a quote in a text, forgiving in form, strict in sense."""

import re
import unicodedata
from dataclasses import dataclass

from rapidfuzz import fuzz

# How alike a quote and the words it stands for must be, of 100.
VERBATIM = 95.0
# Fewer words, or fewer signs where words are not set apart, are found in any text: no proof.
FEWEST_WORDS, FEWEST_SIGNS = 2, 4
# How many letters longer the words may be than the quote: 'is a vet' is no 'is a veteran'.
SPELLING = 2

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc\u201a\u2032`\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        "\u2039": "<",
        "\u203a": ">",
    }
)
# What a fuzzy likeness must not pass over: it is short, and it turns the sense round.
_DECISIVE = re.compile(r"\d+|\b(?:no|not|never|nor|without|nobody|nothing|none)\b|n't\b")
_DENIES = re.compile(r"\b(?:no|not|never|nor|without|hardly|nobody|nothing|none)\b|n't\b")
_OWN_SUBJECT = re.compile(r"(?:i|i'\w+|we|we'\w+|my|our)\b")
_SENTENCE_END = re.compile(r"[.!?]+(?=\s)")


@dataclass(frozen=True)
class QuoteSpan:
    """Where a quote stands: `text[start:end]`, with the text as `plain` gives it."""

    text: str
    start: int
    end: int

    @property
    def sentence(self) -> str:
        """The sentence, or the sentences, in which it stands."""
        starts = [match.end() for match in _SENTENCE_END.finditer(self.text, 0, self.start)]
        stop = _SENTENCE_END.search(self.text, max(self.start, self.end - 1))
        return self.text[starts[-1] if starts else 0 : stop.end() if stop else len(self.text)]

    @property
    def is_asked(self) -> bool:
        """Whether it stands in questions only."""
        marks = [match[0] for match in _SENTENCE_END.finditer(f"{self.sentence} ")]
        return bool(marks) and all("?" in mark for mark in marks)

    @property
    def is_cut_from_a_denial(self) -> bool:
        """Whether the words before it deny it: 'work at Google' out of 'I don't work at Google'."""
        if _OWN_SUBJECT.match(self.text, self.start):
            return False
        clause = re.split(r"[.,;:!?]", self.text[: self.start])[-1]
        return bool(_DENIES.search(" ".join(clause.split()[-3:])))


def plain(text: str) -> str:
    """The text in small letters, with plain marks and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_PLAIN).casefold().split())


def find(quote: str, text: str) -> QuoteSpan | None:
    """Where a text says these words, whatever its case, spaces and kind of quotation marks.

    A letter may differ here and there, a number or a 'not' may not. None for a quote of a single
    word, and for one that says more than the text.
    """
    wanted, said = plain(quote).strip("\"'. "), plain(text)
    if _proves_nothing(wanted):
        return None
    return _exactly(wanted, said) or _nearly(wanted, said)


def occurs(quote: str, text: str) -> bool:
    """Whether a text says these words."""
    return find(quote, text) is not None


def _proves_nothing(wanted: str) -> bool:
    if len(wanted.split()) >= FEWEST_WORDS:
        return False
    return wanted.isascii() or len(wanted) < FEWEST_SIGNS


def _exactly(wanted: str, said: str) -> QuoteSpan | None:
    match = re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", said)
    return QuoteSpan(said, match.start(), match.end()) if match else None


def _nearly(wanted: str, said: str) -> QuoteSpan | None:
    # The likeness is that of the shorter with a part of the longer: a quote that is longer than
    # the text would be found in it whatever else it says.
    if len(wanted) > len(said):
        return None
    near = fuzz.partial_ratio_alignment(wanted, said, score_cutoff=VERBATIM)
    if near is None:
        return None
    start, end = _word_bounds(said, near.dest_start, near.dest_end)
    if " " in wanted and end - start > len(wanted) + SPELLING:
        return None
    same_sense = _DECISIVE.findall(wanted) == _DECISIVE.findall(said[start:end])
    return QuoteSpan(said, start, end) if same_sense else None


def _word_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end
