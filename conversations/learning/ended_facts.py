"""What a message says is over: the profile's facts are asked about, the notes are replaced."""

from collections.abc import Generator, Iterator, Sequence

from ledger.promotion import fact_ends
from ledger.promotion.gates import Gates
from ledger.promotion.outcomes import NotedOutsideProfile, Outcome
from memory.core import (
    KeepingPlace,
    PersistenceRequest,
    RecordKind,
    Scope,
    decide_persistence,
)
from memory.facts import FactEnd, read_departures
from memory.language import Origin, Reading
from memory.notes import (
    NoteEnd,
    as_note_draft,
    keep_note,
    notes_ended_by,
    read_endings,
    take_over_notes,
)


def apply_endings(
    scope: Scope, reading: Reading, closed: Sequence[tuple[int, int]], gates: Gates
) -> Generator[Outcome, None, list[tuple[int, int]]]:
    """What comes of the sentences that say that something ended; returns where those stand."""
    over = []

    def may_be_read(one: NoteEnd | FactEnd) -> bool:
        typed = reading.origin_of(one.start, one.end) == Origin.TYPED
        return typed and not lies_in(one.start, closed)

    for fact_end in filter(may_be_read, read_departures(reading)):
        yield from fact_ends.consider_departure(scope, fact_end)
    for ending in filter(may_be_read, read_endings(reading)):
        if (
            decide_persistence(PersistenceRequest(RecordKind.NOTE), gates.allowed).place
            == KeepingPlace.WAITS
        ):
            continue
        ended = list(_apply_ending(scope, reading.text, ending))
        over += [(ending.start, ending.end)] * bool(ended)
        yield from ended
    return over


def _apply_ending(scope: Scope, text: str, ending: NoteEnd) -> Iterator[Outcome]:
    """What this sentence says is over: it becomes a note and takes the place of those that said it
    was so; of what the profile says it is asked about.
    """
    yield from fact_ends.consider_end(scope, ending)
    notes = notes_ended_by(scope, ending)
    if not notes:
        return
    draft = as_note_draft(text[ending.start : ending.end], scope.said_at)
    kept = keep_note(scope, draft)
    if kept is not None:
        take_over_notes(kept.memory, notes)
        scope.reread()
        yield NotedOutsideProfile(kept)


def death_spans(reading: Reading) -> list[tuple[int, int]]:
    """Return the sentences that tell that a pet died: they are asked about in gentle words."""
    return [(one.start, one.end) for one in read_departures(reading) if one.is_death]


def lies_in(position: int, stretches: Sequence[tuple[int, int]]) -> bool:
    """Whether the character at `position` lies in one of the (start, end) `stretches`."""
    return any(start <= position < end for start, end in stretches)
