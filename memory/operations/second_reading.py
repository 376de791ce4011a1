"""A second opinion on operations by the trained reader, on the sentences that they quote.

With a trusted model, an operation waits for approval if the reader clearly disagrees; with others,
if the reader does not read the same.
"""

from collections.abc import Iterator

from rapidfuzz import fuzz

from memory.language.classifiers.statement_pairs import pair_probabilities
from memory.language.engine.masking import MASK_CHARACTER
from memory.language.reader.decoding import Span
from memory.language.reader.facts import CURRENT_KINDS, LIKELY
from memory.language.reader.network import ReadSentence
from memory.language.text import evidence as quoting
from memory.operations.evidence import Case, KnownItem, SaidLine, stems
from memory.slots import SLOTS, alike_to, same_value

SURELY = 0.8
"""From this probability on the reader is sure of the status of a value."""
_CHANGED = 0.3
"""From this probability of saying a change on a sentence may end something."""
_ENDS = 0.5
"""From this probability on two texts read together tell that the later ends the earlier."""
_NEARLY_QUOTED = 90.0
_OF_OTHERS = frozenset({"family", "relationships", "pets"})
_ELSEWHERE = frozenset({"other", "asked", "denied", "past", "planned"})
"""Statuses of values that are not so now for whoever says them."""


def is_read_otherwise(case: Case) -> bool:
    """Return whether the trained reader clearly disagrees with an operation."""
    match case.operation.op:
        case "add" | "update" if _is_of_a_fact(case):
            return any(span.status in _ELSEWHERE for span in _spans_of_value(case))
        case "add" | "update":
            return _is_only_supposed(case)
        case "end" | "forget":
            return not _tells_an_end(case)
        case _:
            return False


def is_here_only(case: Case) -> bool:
    """Return whether the trained reader is sure that a value applies to this conversation only."""
    return _is_of_a_fact(case) and any(span.status == "here" for span in _spans_of_value(case))


def is_quoted_from_others(case: Case) -> bool:
    """Return whether a quote is within quotation marks, an e-mail or a text to work on."""
    for line, words in _quotes(case):
        start = line.reading.text.find(words)
        shown = line.reading.masked[start : start + len(words)] if start >= 0 else ""
        if shown.count(MASK_CHARACTER) > len(words) / 2:
            return True
    return False


def is_read_the_same(case: Case) -> bool:
    """Return whether the reader reads the same fact, or a memory says no more than its quote."""
    operation = case.operation
    if operation.op in ("end", "forget"):
        return _tells_an_end(case)
    if not _is_of_a_fact(case):
        quoted = " ".join(quote.words for quote in operation.quotes)
        text = operation.text or operation.value
        alike = fuzz.token_set_ratio(quoting.plain(text), quoting.plain(quoted)) >= _NEARLY_QUOTED
        return alike and not is_read_otherwise(case)
    slot = case.slot
    return any(
        candidate.slot == slot
        and candidate.kind in CURRENT_KINDS
        and same_value(slot, candidate.value, operation.value)
        for line in case.lines
        for candidate in line.reading.facts
    )


def sentences_of(case: Case) -> Iterator[ReadSentence]:
    """Yield the sentences that contain the quotes, as the trained reader judged them."""
    for line, words in _quotes(case):
        start = line.reading.text.find(words)
        for sentence in line.reading.read.sentences:
            if start < 0 or (sentence.start < start + len(words) and start < sentence.end):
                yield sentence


def _quotes(case: Case) -> Iterator[tuple[SaidLine, str]]:
    by_alias = case.evidence.by_alias
    for quote in case.operation.quotes:
        yield by_alias[quote.line], quote.words


def _is_of_a_fact(case: Case) -> bool:
    return bool(case.operation.slot) or bool(case.target and case.target.is_fact)


def _marks(case: Case) -> Iterator[tuple[str, Span]]:
    """Yield the values that the reader marks in the quoted sentences with a sure status.

    Each is a pair of the words and the span.
    """
    inside = [(sentence.start, sentence.end) for sentence in sentences_of(case)]
    for line in case.lines:
        text = line.reading.text
        for span in line.reading.read.spans:
            sure = span.probability >= LIKELY and span.status_probability >= SURELY
            if sure and any(start <= span.start < end for start, end in inside):
                yield text[span.start : span.end], span


def _spans_of_value(case: Case) -> list[Span]:
    """Return the marked spans that share words with an operation's value and may be of its slot.

    Spans of sensitive slots count for any slot. Empty for relatives and pets, whose values are
    always about somebody else.
    """
    words, slot = stems(case.operation.value or case.operation.text), case.slot
    if slot in _OF_OTHERS:
        return []
    slots = alike_to(slot) | {slot}
    return [
        span
        for text, span in _marks(case)
        if stems(text) & words
        and (span.label in slots or (span.label in SLOTS and SLOTS[span.label].sensitive))
    ]


def _is_only_supposed(case: Case) -> bool:
    """Return whether all values in the texts of a memory are only supposed or joked."""
    words = stems(" ".join(case.texts))
    marks = [span for text, span in _marks(case) if span.label in SLOTS and stems(text) & words]
    return bool(marks) and all(span.status == "asked" for span in marks)


def _tells_an_end(case: Case) -> bool:
    """Return whether the quoted words may say that the target is over.

    They say so about the target's slot or with its words, or the classifier of updates says so.
    """
    target, sentences = case.target, list(sentences_of(case))
    if target is None:
        return False
    if case.operation.op == "forget" and any(sentence.kind == "f" for sentence in sentences):
        return True
    marks = list(_marks_of(case, target))
    if any(span.status in ("past", "denied") for span in marks):
        return True
    words = " ".join(line.text for line in case.lines)
    changes = any(each.change >= _CHANGED or each.kind in ("f", "c") for each in sentences)
    if changes and (marks or stems(words) & stems(f"{target.text} {target.value}")):
        return True
    pair = [(target.original or target.text, words)]
    return any(share >= _ENDS for share in pair_probabilities("consistency/updates", pair))


def _marks_of(case: Case, target: KnownItem) -> Iterator[Span]:
    """Yield the marked spans that share words with the target, or have its single-valued slot."""
    single = target.slot and not SLOTS[target.slot].many
    slots = alike_to(target.slot) if single else frozenset()
    words = stems(f"{target.text} {target.value}")
    for text, span in _marks(case):
        if span.label in slots or stems(text) & words:
            yield span
