"""The outcomes of a message: facts and memories that are stored, asked about, or withheld."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from conversations.models import LearningOutcome, Message
from ledger.promotion import candidate_promotion
from ledger.promotion.gates import Gates, SourcedCandidate
from ledger.promotion.outcomes import (
    ConflictOpened,
    ConflictSettled,
    FactEnded,
    FactTakenBack,
    NotedOutsideProfile,
    NoteEnded,
    Outcome,
    OverrideKept,
    WithheldPrivate,
)
from memory.core.known_facts import KnownRecords
from memory.core.persistence_gate import PersistenceRequest, RecordKind, decide_persistence
from memory.core.scope import Scope
from memory.facts.past_facts import read_past_time
from memory.facts.profile import FactReinforced, FactStored, matching_fact
from memory.facts.start_dates import read_start_date
from memory.language.origin import Origin
from memory.language.reader.facts import ASKED_TRUST, CURRENT_KINDS, TYPED_TRUST, FactCandidate
from memory.language.reader.network import ReadSentence
from memory.language.reading import Reading
from memory.language.safety.claims import CLAIM_CARRYING_SLOTS
from memory.language.safety.sensitivity import has_food_allergy
from memory.language.substitution import put_right
from memory.models import Memory, ProfileFact
from memory.notes.drafts import NoteDraft
from memory.notes.note_ends import notes_ended_by
from memory.notes.note_extraction import Remark, as_note_draft, read_remarks
from memory.notes.note_store import (
    NoteAgreed,
    NoteKept,
    keep_note,
    notes_from_same_words,
    take_over_notes,
)
from memory.slots import SLOTS

# A message of at most so many characters may answer the previous one, of whose end so many
# characters are read.
_SHORT, _READ_BEFORE = 60, 200
WHAT_NAME = SLOTS["preferred_name"].question
"""What somebody is asked who is here for the first time."""
_NAMES = frozenset(("name", "preferred_name"))
# Labels of the trained reader for the names of others.
_NAMES_OF_OTHERS = frozenset(("person", "pet_name"))
_MAY_CHANGE = 0.05
"""From this probability of telling a change on a sentence is read with the nearest notes."""


def record_outcomes(message: Message, gates: Gates) -> Iterator[Outcome]:
    """Yield the outcomes of a message, after storing its facts and memories. From a private
    sentence nothing is stored; its outcome says only that it was private.
    """
    reading = _read_after_the_last(message)
    if reading.only_asks:
        return
    candidates = [_as_answered(reading, candidate) for candidate in reading.facts]
    scope = replace(message.scope, allowed=gates.allowed)
    sourced = [
        source
        for source in _usable(reading, candidates)
        if not _corrects_something_else(scope, source.candidate, candidates)
    ]
    # Look for memories only if memories of this conversation may be stored.
    open_to_notes = decide_persistence(PersistenceRequest(RecordKind.NOTE), gates.allowed).kept
    dated = [
        candidate
        for candidate in candidates
        if _is_kept_with_its_time(reading, candidate, message.said_at)
    ]
    recorded = _recorded_candidates(reading, candidates)
    remarks = read_remarks(reading, message.said_at, recorded, dated) if open_to_notes else []
    if sourced or remarks:
        slots = {source.candidate.slot for source in sourced}
        scope = replace(scope, known=KnownRecords(scope.user_id, slots, notes=True))
    replaced: list[ProfileFact] = []
    for outcome in candidate_promotion.consider_all(scope, reading.text, sourced, gates):
        if isinstance(outcome, ConflictOpened) and not outcome.contradiction.is_open:
            replaced.append(outcome.contradiction.old_fact)
        yield outcome
    if not open_to_notes:
        return
    yield from _withheld_private_sentences(reading, [source.candidate for source in sourced])
    noted: dict[int, Memory] = {}
    for remark in remarks:
        if _lies_in(remark.start, reading.question_spans):
            continue
        kept = keep_note(scope, _draft_of(remark, reading, candidates))
        if kept is not None:
            noted[remark.start] = kept.memory
            yield NotedOutsideProfile(kept)
    yield from _replaced_notes(scope, reading, candidates, noted)
    yield from _notes_with_new_value(scope, reading.text, replaced)


def _notes_with_new_value(
    scope: Scope, sentence: str, replaced: Sequence[ProfileFact]
) -> Iterator[NotedOutsideProfile]:
    """Yield new versions of memories that state the former value of a replaced fact; memories whose
    wording is unclear are skipped.
    """
    for fact in replaced:
        notes = notes_from_same_words(fact).active().exclude(source=Memory.Source.MANUAL)
        # Memories that the user pinned as core are changed by the user only.
        for note in notes.exclude(priority=Memory.Priority.CORE):
            draft = _as_later_version(as_note_draft(sentence, scope.said_at), sentence, [note])
            kept = keep_note(scope, draft) if draft.replaces else None
            if kept is not None:
                yield NotedOutsideProfile(kept)
                scope.reread()


def _replaced_notes(
    scope: Scope, reading: Reading, candidates: Sequence[FactCandidate], noted: dict[int, Memory]
) -> Iterator[NotedOutsideProfile]:
    """Yield the memories that replace earlier ones, for sentences that end or change these. `noted`
    are this message's memories by the start of their sentence.
    """
    for sentence in reading.read.sentences:
        if not _may_change_a_note(reading, sentence):
            continue
        text = reading.text[sentence.start : sentence.end]
        ended = notes_ended_by(scope, text)
        note = noted.get(sentence.start)
        if ended and note is None:
            slots = _stated_slots(reading, (sentence.start, sentence.end), candidates)
            draft = _as_later_version(as_note_draft(text, scope.said_at), text, ended)
            kept = keep_note(scope, replace(draft, tells=slots))
            if kept is not None:
                note = kept.memory
                yield NotedOutsideProfile(kept)
        if note is not None:
            take_over_notes(note, ended)
            scope.reread()


def _as_later_version(draft: NoteDraft, sentence: str, ended: Sequence[Memory]) -> NoteDraft:
    """Return the draft as a new version of the only ended memory, with the new value ("Lina is 8,
    not 7") and its other words kept; else the unchanged draft.
    """
    text = put_right(ended[0].content, sentence) if len(ended) == 1 else ""
    if not text:
        return draft
    day = draft.happened_on or ended[0].happened_on
    return replace(draft, content=text, original="", mode=Memory.Mode.LOSSLESS, key_spans=(),
                   happened_on=day, replaces=ended[0].pk)  # fmt: skip


def _may_change_a_note(reading: Reading, sentence: ReadSentence) -> bool:
    """Return whether a typed sentence may say that something changed, ended or was wrong."""
    typed = reading.origin_of(sentence.start, sentence.end) == Origin.TYPED
    apart = [*reading.private, *reading.question_spans]
    if not typed or _lies_in(sentence.start, apart):
        return False
    over = any(
        value.status in ("past", "denied")
        for value in reading.read.spans_in(sentence.start, sentence.end)
    )
    return over or sentence.kind == "c" or sentence.change >= _MAY_CHANGE


def _lies_in(position: int, stretches: Sequence[tuple[int, int]]) -> bool:
    """Return whether the character at `position` lies in one of the (start, end) `stretches`."""
    return any(start <= position < end for start, end in stretches)


def _read_after_the_last(message: Message) -> Reading:
    """Return the reading of a message; a short one is read as a reply.

    The context is the assistant's last question or, for a correction, the user's previous message.
    Longer messages are read without context, which would only make the reader less sure.
    """
    reading = message.reading
    if may_answer(message.content):
        before = Message.objects.beside(message).filter(number__lt=message.number)
        put_after_last(reading, list(before.order_by("-number").values_list("role", "content")[:2]))
        if _is_asked_on_arrival(message):
            # A bare name answers the question for a name, even if it could be somebody else's.
            whole = reading.text.strip(" .!,")
            others = {
                span.start
                for span in reading.read.spans
                if span.label in _NAMES_OF_OTHERS and reading.text[span.start : span.end] != whole
            }
            reading.set_context(WHAT_NAME)
            names = [candidate for candidate in reading.facts if candidate.slot in _NAMES]
            if all(name.start in others for name in names):
                # A greeting, or the name of somebody else, is no answer.
                reading.set_context("")
    return reading


def may_answer(text: str) -> bool:
    """Return whether a message is short enough to be read as a reply to the previous one."""
    return len(text) <= _SHORT and not text.rstrip().endswith("?")


def put_after_last(reading: Reading, last: Sequence[tuple[str, str]]) -> None:
    """Set the context of a short message: the text it replies to. `last` are the role and text of
    the two messages before, newest first.
    """
    kinds = {sentence.kind for sentence in reading.read.sentences}
    answered = (
        text
        for role, text in last
        if ("c" in kinds if role == Message.Role.USER else text.rstrip().endswith("?"))
    )
    reading.set_context(next(answered, "")[-_READ_BEFORE:])


def stated_candidates(reading: Reading) -> list[SourcedCandidate]:
    """Return the facts that a message states and that may be recorded, with their source."""
    return _usable(reading, [_as_answered(reading, candidate) for candidate in reading.facts])


def _as_answered(reading: Reading, candidate: FactCandidate) -> FactCandidate:
    """Return the candidate with full trust if it answers a question about its own slot."""
    slots = _NAMES if candidate.slot in _NAMES else (candidate.slot,)
    was_asked = reading.context.rstrip().endswith(tuple(SLOTS[slot].question for slot in slots))
    return replace(candidate, trust=TYPED_TRUST) if was_asked else candidate


def _is_asked_on_arrival(message: Message) -> bool:
    """Return whether it is the first message of a new user, whom the page asks for a name."""
    if message.number > 1 or message.user.name or message.is_imported:
        return False
    others = Message.objects.for_user(message.user_id).exclude(conversation=message.conversation_id)
    return not others.exists()


def _usable(reading: Reading, candidates: Sequence[FactCandidate]) -> list[SourcedCandidate]:
    """Return the stated facts that may be recorded, each with its source."""
    return [
        SourcedCandidate(candidate, reading.origin_of(candidate.start, candidate.end))
        for candidate in candidates
        if _is_sure_enough(candidate)
        and (
            _may_leave_private_sentence(candidate) or not _lies_in(candidate.start, reading.private)
        )
        and not _lies_in(candidate.start, [*reading.question_spans, *reading.orders])
        and not (
            candidate.slot in CLAIM_CARRYING_SLOTS and _lies_in(candidate.start, reading.claimed)
        )
    ]


def _is_sure_enough(candidate: FactCandidate) -> bool:
    """Return whether a value is sure enough to be noted or asked about. A further value of a slot
    with many values (tastes, interests) must be more certain.
    """
    new = candidate.kind in CURRENT_KINDS and not candidate.changes
    beside_others = new and SLOTS[candidate.slot].many
    return candidate.trust >= (TYPED_TRUST if beside_others else ASKED_TRUST)


def _recorded_candidates(
    reading: Reading, candidates: Sequence[FactCandidate]
) -> list[FactCandidate]:
    """Return the candidates whose sentence needs no memory besides. An unsure value next to a sure
    one ("…, and I'm allergic to walnuts") is left out: it becomes a memory instead.
    """
    sure = [candidate.start for candidate in candidates if _is_sure_enough(candidate)]
    mixed = [
        (sentence.start, sentence.end)
        for sentence in reading.read.sentences
        if any(sentence.start <= start < sentence.end for start in sure)
    ]
    return [
        candidate
        for candidate in candidates
        if _is_sure_enough(candidate)
        or SLOTS[candidate.slot].sensitive
        or not _lies_in(candidate.start, mixed)
    ]


def _is_kept_with_its_time(reading: Reading, candidate: FactCandidate, said_at: datetime) -> bool:
    """Return whether the fact's history stores the time given with its value."""
    where = reading.text, candidate.start, candidate.end
    if candidate.kind == "past":
        period = read_past_time(*where, said_at)
        return period is not None and period.ended is not None
    return read_start_date(*where, said_at) is not None


def _corrects_something_else(
    scope: Scope, candidate: FactCandidate, candidates: Sequence[FactCandidate]
) -> bool:
    """Return whether a correction denies a value that is not in the profile. "Madrid, not Lisbon"
    corrects something else if Lisbon is no known value.
    """
    denied = [
        other for other in candidates if other.kind == "denial" and other.slot == candidate.slot
    ]
    return candidate.kind == "correction" and any(
        matching_fact(scope, other) is None for other in denied
    )


def _draft_of(remark: Remark, reading: Reading, candidates: Sequence[FactCandidate]) -> NoteDraft:
    """Return the draft of the memory, with its source and the slots that it also states."""
    return replace(
        remark.draft,
        origin=reading.origin_of(remark.start, remark.end),
        tells=_stated_slots(reading, (remark.start, remark.end), candidates),
        private=any(a < remark.end and remark.start < b for a, b in reading.private),
    )


def _withheld_private_sentences(
    reading: Reading, read: Sequence[FactCandidate]
) -> Iterator[WithheldPrivate]:
    """Yield an outcome for each private sentence from which no fact was read."""
    known = [candidate.start for candidate in read if SLOTS[candidate.slot].sensitive]
    for start, end, kind in reading.sentence_slots:
        typed = reading.origin_of(start, end) == Origin.TYPED
        known_here = any(start <= position < end for position in known)
        if kind and typed and not known_here and not _lies_in(start, reading.question_spans):
            yield WithheldPrivate(SLOTS[kind])


def _stated_slots(
    reading: Reading, span: tuple[int, int], candidates: Sequence[FactCandidate]
) -> tuple[tuple[str, str], ...]:
    """Return the (slot, value) pairs that the sentences in a span state, including values too
    unsure for a fact, so that kinds that are never saved are recognised.
    """
    slots: list[tuple[str, str]] = []
    # In reply to an earlier message a text may be read differently than alone.
    alone = Reading(reading.text).read if reading.context else reading.read
    for start, end, _ in reading.sentence_slots:
        if start < span[1] and span[0] < end:
            slots += [
                (candidate.slot, candidate.value)
                for candidate in candidates
                if start <= candidate.start < end
            ]
            slots += [
                (value.label, reading.text[value.start : value.end])
                for value in (*reading.read.spans_in(start, end), *alone.spans_in(start, end))
                if value.label in SLOTS
            ]
            slots.append(("", reading.text[start:end]))
    return tuple(slots)


def _may_leave_private_sentence(candidate: FactCandidate) -> bool:
    """Return whether a fact from a private sentence is recorded: sensitive slots, which are
    withheld anyway, and food allergies, which matter everywhere.
    """
    if candidate.slot == "diet":
        return has_food_allergy(candidate.value)
    return SLOTS[candidate.slot].sensitive


def as_row(message: Message, outcome: Outcome) -> LearningOutcome:
    """Return an unsaved row for an outcome."""
    kind = LearningOutcome.Kind
    row = LearningOutcome(user_id=message.user_id, message=message)
    match outcome:
        case FactStored(fact):
            row.kind, row.slot, row.fact = kind.STORED, fact.slot, fact
        case FactEnded(fact) | FactTakenBack(fact):
            row.kind, row.slot, row.fact = kind.ENDED, fact.slot, fact
        case ConflictSettled(contradiction):
            row.kind, row.slot = kind.SETTLED, contradiction.slot
            row.contradiction = contradiction
        case FactReinforced(fact):
            row.kind, row.slot, row.fact = kind.REINFORCED, fact.slot, fact
        case OverrideKept(override):
            row.kind, row.slot, row.override = kind.OVERRIDE, override.slot, override
        case ConflictOpened(contradiction):
            row.kind, row.slot = kind.CONFLICT, contradiction.slot
            row.contradiction, row.fact = contradiction, contradiction.new_fact
        case WithheldPrivate(slot):
            row.kind, row.slot = kind.WITHHELD, slot.key
        case NotedOutsideProfile(NoteKept(memory) | NoteAgreed(memory)) | NoteEnded(memory):
            row.kind, row.memory = _kind_of_note(outcome, memory), memory
    return row


def _kind_of_note(outcome: Outcome, memory: Memory) -> LearningOutcome.Kind:
    """Return the kind of outcome for a memory that was stored, repeated or ended."""
    if isinstance(outcome, NoteEnded):
        return LearningOutcome.Kind.ENDED
    if memory.status == Memory.Status.WAITING:
        return LearningOutcome.Kind.WAITING
    again = isinstance(outcome, NotedOutsideProfile) and isinstance(outcome.outcome, NoteAgreed)
    return LearningOutcome.Kind.REINFORCED if again else LearningOutcome.Kind.MEMORY
