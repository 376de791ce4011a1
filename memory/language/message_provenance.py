"""The standing of the parts of a message: own words, pasted, unchecked claims, confidential.

Computed once when a message is read (`find_standing_spans`) and stored with it; code that quotes a
message uses `collect_quotable_parts` for its words and their standing.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from memory.language.reading import Reading, read_text
from memory.language.safety import instructions
from memory.language.safety.claims import sentences
from memory.language.safety.instructions import Kind
from memory.slots import SLOTS


class TextStanding(StrEnum):
    """The standing of a part of a message."""

    OWN = "own"
    """Said by its writer."""
    PASTED = "pasted"
    """Somebody else's words, which the writer only shows."""
    CLAIM = "claim"
    """Said by its writer, and a claim that nobody has checked (`memory.language.safety.claims`)."""
    EDITED = "edited"
    """Its writer's own note of it, as they changed it since."""
    HERE = "here"
    """Said to hold in its conversation only: it is told of nowhere else."""
    ORDER = "order"
    """An order that may not be remembered: it is quoted nowhere."""


@dataclass(frozen=True)
class QuotablePart:
    """The words of a message that have the same standing."""

    text: str
    standing: TextStanding


# (start, end, standing), in characters of the message.
StandingSpan = tuple[int, int, str]
PASTED_TAG = "pasted"
_CLOSES = re.compile(rf"<(?=\s*/?\s*{PASTED_TAG}\b)", re.IGNORECASE)
# A one-time request may be quoted, unless it is to apply from now on.
_ONCE = frozenset({Kind.TASK, Kind.LEARNED, Kind.MATERIAL})
_SOMETHING = re.compile(r"\w")
_ONLY_HERE = instructions.WISHES.compiled("only_here")
_ALONE = instructions.WISHES.compiled("alone_here")
_GAME_HERE, _LASTING = (
    instructions.WISHES.compiled("game_here"),
    instructions.WISHES.compiled("lasting"),
)


def find_standing_spans(reading: Reading) -> list[StandingSpan]:
    """Return the parts of a message that are not simply said by its author. Never raises.

    Unread parts are quoted in their own conversation only.
    """
    return [
        *((start, end, TextStanding.HERE.value) for start, end in reading.unread),
        *((start, end, TextStanding.PASTED.value) for start, end in find_pasted_passages(reading)),
        *((start, end, TextStanding.CLAIM.value) for start, end in reading.claimed),
        *((start, end, TextStanding.HERE.value) for start, end in _only_here(reading.text)),
        *((start, end, TextStanding.ORDER.value) for start, end in _orders(reading.text)),
    ]


def load_standing_spans(text: str, stored: str) -> list[StandingSpan]:
    """Return the standing spans stored in a column: '[spans, pasted spans]' as JSON.

    Spans are null if the message has not been read; then it is read now.
    """
    stretches, noticed = json.loads(stored)
    if stretches is not None:
        return [(start, end, standing) for start, end, standing in stretches]
    return list(read_text(text, [text[start:end] for start, end in noticed]).standing_spans)


def find_pasted_passages(reading: Reading) -> list[tuple[int, int]]:
    """Return the spans of other people's words; a URL or name only if it was seen being pasted."""
    seen = [(span.start, span.end) for span in reading.seen_pasted]
    return [
        (span.start, span.end)
        for span in reading.foreign
        if len(reading.text[span.start : span.end].split()) > 1
        or any(start < span.end and span.start < end for start, end in seen)
    ]


def is_confidential(reading: Reading) -> bool:
    """Return whether a message has a secret, an order, a private matter or a wish to forget.

    For messages that were not learned from. A text that could not be read counts as confidential;
    secrets are searched for beyond the part that was read.
    """
    return bool(
        reading.is_unreadable
        or reading.asks_to_forget
        or reading.holds_a_secret
        or reading.orders_gravely
        or reading.private
        or any(SLOTS[candidate.slot].sensitive for candidate in reading.facts)
    )


def collect_quotable_parts(
    text: str, stretches: Iterable[StandingSpan], *, elsewhere: bool
) -> list[QuotablePart]:
    """Return the words that may be quoted, grouped by standing.

    `elsewhere`: in another conversation.
    """
    gathered: dict[TextStanding, list[str]] = {}
    for piece, standings in _pieces(text, list(stretches)):
        standing = _shown_as(standings, elsewhere=elsewhere)
        if standing is not None and _SOMETHING.search(piece):
            gathered.setdefault(standing, []).append(piece.strip())
    return [QuotablePart("\n".join(pieces), standing) for standing, pieces in gathered.items()]


def tag_pasted(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """Return the whole text with pasted parts between <pasted> and </pasted>.

    The text itself cannot close the tag.
    """
    made, index = [], 0
    for first, end in sorted(stretches):
        start = max(first, index)
        if start < end:
            made += [_bare(text[index:start]), f"<{PASTED_TAG}>", _bare(text[start:end])]
            made.append(f"</{PASTED_TAG}>")
            index = end
    return "".join([*made, _bare(text[index:])]) if made else text


def _bare(text: str) -> str:
    return _CLOSES.sub("‹", text)


def without_tags(text: str) -> str:
    """Return a text for a prompt that can neither close nor open tags or attributes."""
    return text.replace("<", "‹").replace(">", "›").replace('"', "”")


def _shown_as(standings: set[str], *, elsewhere: bool) -> TextStanding | None:
    if TextStanding.ORDER in standings or (elsewhere and TextStanding.HERE in standings):
        return None
    for standing in (TextStanding.PASTED, TextStanding.CLAIM):
        if standing in standings:
            return standing
    return TextStanding.OWN


def _pieces(text: str, stretches: Sequence[StandingSpan]) -> Iterator[tuple[str, set[str]]]:
    """Yield the text cut at the bounds of all spans, each piece with its standings."""
    places = {position for start, end, _ in stretches for position in (start, end)}
    cuts = sorted({0, len(text), *(min(position, len(text)) for position in places)})
    for start, end in pairwise(cuts):
        yield (
            text[start:end],
            {standing for first, last, standing in stretches if first <= start < last},
        )


# --- Orders --------------------------------------------------------------------------------------


def _orders(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of orders, which may not be stored, except requests to do something once."""
    ruled = instructions.judge_instruction_by_rule(text).refused
    for start, end in sentences(text):
        if _is_order(text[start:end], ruled=ruled):
            yield start, end


def _is_order(sentence: str, *, ruled: bool) -> bool:
    """Return whether a sentence is an order; a lasting one is also judged by the classifier.

    `ruled`: a rule matches somewhere in the text.
    """
    if _is_to_last(sentence):
        return instructions.instructs(sentence).refused
    verdict = (
        instructions.judge_instruction_by_rule(sentence)
        if ruled
        else instructions.Verdict(refused=False)
    )
    return verdict.refused and verdict.reason not in _ONCE


def _is_to_last(sentence: str) -> bool:
    return _LASTING.search(sentence) is not None


# --- Only in this conversation -------------------------------------------------------------------


def _only_here(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences said to apply here only, and the neighbour of one that says only that."""
    stretches = list(sentences(text))
    for position, (start, end) in enumerate(stretches):
        sentence = text[start:end]
        bare = sentence.strip()
        if not (_ONLY_HERE.search(bare) or _GAME_HERE.match(bare)):
            continue
        yield start, end
        if _ALONE.match(bare):
            # "Just in this chat:" refers to the next sentence, "Only in this chat." to the one
            # before.
            beside = position + 1 if sentence.rstrip().endswith(":") else position - 1
            if 0 <= beside < len(stretches):
                yield stretches[beside]
