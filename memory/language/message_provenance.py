"""What stands in a message: its writer's own words, what they pasted, what they only claim, and
what of it goes no further.

Decided once, when the message is read (`find_standing_spans`), and kept with it as stretches;
whatever puts a message before a model or into another answer asks `collect_quotable_parts` for the
words and how
they stand.
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
    """How a stretch of a message stands."""

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
    """Words of a message that stand alike."""

    text: str
    standing: TextStanding


# [start, end, standing] in characters of the message.
StandingSpan = tuple[int, int, str]
PASTED_TAG = "pasted"
_CLOSES = re.compile(rf"<(?=\s*/?\s*{PASTED_TAG}\b)", re.IGNORECASE)
# A request that is done once is no order to be kept out, unless it is to hold from now on.
_ONCE = frozenset({Kind.TASK, Kind.LEARNED, Kind.MATERIAL})
_SOMETHING = re.compile(r"\w")
_ONLY_HERE = instructions.WISHES.compiled("only_here")
_ALONE = instructions.WISHES.compiled("alone_here")
_GAME_HERE, _LASTING = (
    instructions.WISHES.compiled("game_here"),
    instructions.WISHES.compiled("lasting"),
)


def find_standing_spans(reading: Reading) -> list[StandingSpan]:
    """Return the stretches of a message that are not simply said by its writer. Never raises.

    What was not read goes no further than its conversation: nobody knows what it is.
    """
    return [
        *((start, end, TextStanding.HERE.value) for start, end in reading.unread),
        *((start, end, TextStanding.PASTED.value) for start, end in find_pasted_passages(reading)),
        *((start, end, TextStanding.CLAIM.value) for start, end in reading.claimed),
        *((start, end, TextStanding.HERE.value) for start, end in _only_here(reading.text)),
        *((start, end, TextStanding.ORDER.value) for start, end in _orders(reading.text)),
    ]


def load_standing_spans(text: str, stored: str) -> list[StandingSpan]:
    """Return the stretches of a message out of one column: '[stretches, noticed]' as JSON, the
    stretches null where the message has not been read yet.
    """
    stretches, noticed = json.loads(stored)
    if stretches is not None:
        return [(start, end, standing) for start, end, standing in stretches]
    return list(read_text(text, [text[start:end] for start, end in noticed]).standing_spans)


def find_pasted_passages(reading: Reading) -> list[tuple[int, int]]:
    """Return where the words of others stand; a URL or a bare name counts only if it was seen being
    pasted.
    """
    seen = [(span.start, span.end) for span in reading.seen_pasted]
    return [
        (span.start, span.end)
        for span in reading.foreign
        if len(reading.text[span.start : span.end].split()) > 1
        or any(start < span.end and span.start < end for start, end in seen)
    ]


def is_confidential(reading: Reading) -> bool:
    """Return whether a message holds a secret, an order, a private matter or a wish to forget.

    The reading that learning does, without what it knows besides: for what was not learned from.
    What could not be read is taken for one, and a secret is looked for beyond what was read.
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
    """Return the words that may be quoted, grouped by standing; `elsewhere`: in another
    conversation.
    """
    gathered: dict[TextStanding, list[str]] = {}
    for piece, standings in _pieces(text, list(stretches)):
        standing = _shown_as(standings, elsewhere=elsewhere)
        if standing is not None and _SOMETHING.search(piece):
            gathered.setdefault(standing, []).append(piece.strip())
    return [QuotablePart("\n".join(pieces), standing) for standing, pieces in gathered.items()]


def tag_pasted(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """Return the whole text with what was pasted between <pasted> and </pasted>, which it cannot
    close.
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
    """Return a text for a prompt or an attribute in it: it can neither close our tags nor open
    others.
    """
    return text.replace("<", "‹").replace(">", "›").replace('"', "”")


def _shown_as(standings: set[str], *, elsewhere: bool) -> TextStanding | None:
    if TextStanding.ORDER in standings or (elsewhere and TextStanding.HERE in standings):
        return None
    for standing in (TextStanding.PASTED, TextStanding.CLAIM):
        if standing in standings:
            return standing
    return TextStanding.OWN


def _pieces(text: str, stretches: Sequence[StandingSpan]) -> Iterator[tuple[str, set[str]]]:
    """Yield the text cut wherever a stretch begins or ends, each piece with all that
    holds of it.
    """
    places = {position for start, end, _ in stretches for position in (start, end)}
    cuts = sorted({0, len(text), *(min(position, len(text)) for position in places)})
    for start, end in pairwise(cuts):
        yield (
            text[start:end],
            {standing for first, last, standing in stretches if first <= start < last},
        )


# --- Orders --------------------------------------------------------------------------------------


def _orders(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences that would be refused as a memory, but for what is to be done now and
    once.
    """
    ruled = instructions.judge_instruction_by_rule(text).refused
    for start, end in sentences(text):
        if _is_order(text[start:end], ruled=ruled):
            yield start, end


def _is_order(sentence: str, *, ruled: bool) -> bool:
    """Return whether a sentence is an order; `ruled`: a rule matches somewhere in the text. A
    lasting order is also judged by the classifier.
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


# --- What holds here only ------------------------------------------------------------------------


def _only_here(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences that say so themselves, and those beside a sentence that says nothing
    else.
    """
    stretches = list(sentences(text))
    for position, (start, end) in enumerate(stretches):
        sentence = text[start:end]
        bare = sentence.strip()
        if not (_ONLY_HERE.search(bare) or _GAME_HERE.match(bare)):
            continue
        yield start, end
        if _ALONE.match(bare):
            # "Just in this chat:" looks ahead, "Only in this chat." back.
            beside = position + 1 if sentence.rstrip().endswith(":") else position - 1
            if 0 <= beside < len(stretches):
                yield stretches[beside]
