"""Private matters: kept to their conversation, until their owner says to note one anyway.

That word is asked for once, about one kind of thing in one message, and is written into the log.
What is noted so is a fact or a note like any other, marked as sensitive, and on no shared page.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.db import transaction

from accounts import audit
from accounts.audit import Action
from memory.core.scope import Scope
from memory.facts import blocked_slots, profile
from memory.language.extraction import CURRENT, Candidate
from memory.language.origin import Origin, Span, origin_of
from memory.language.reading import Reading
from memory.language.safety import guard, instructions
from memory.language.text import terms
from memory.models import Memory, ProfileFact
from memory.notes import note_store
from memory.notes.drafts import Draft
from memory.notes.note_store import NotKept
from memory.slots import SLOTS, Slot

# Said in the log beside each thing that is noted so.
WHY = "It is private, and you asked me to note it anyway."
_HOLDS_A_KEY = "There is a password, key or card number in the same message. I never note those."
_CLOSED = "You asked me never to note this kind; it can be opened again under Privacy."
_PRIVATE = "This conversation is private, so I note nothing of it."
_NOTHING = "I find nothing there that I can note. Say it once more, in a sentence."


@dataclass(frozen=True)
class _Told:
    """A sentence that touches the kind, and what it states."""

    sentence: str
    stated: Sequence[Candidate]
    says_more: bool


def why_not(slot: Slot, text: str, closed: Collection[str], *, private: bool) -> str:
    """Why what a message says of a kind is not even offered to be noted; '' when it is.

    `closed` are the kinds that its owner closed, `private` says whether the conversation is.
    """
    if private:
        return _PRIVATE
    if slot.key in closed:
        return _CLOSED
    if guard.holds_a_secret(text):
        return _HOLDS_A_KEY
    return ""


def note_anyway(
    scope: Scope, text: str, slot: Slot, foreign: Sequence[Span] = ()
) -> list[ProfileFact | Memory]:
    """Note what a message says of one private kind, because its owner says so; what was made.

    What is plainly stated becomes a fact; what the sentence says beyond that, or says of others or
    of the past, a note in its own words. Raises NotKept with the reason where nothing is made.
    """
    reason = why_not(slot, text, blocked_slots.slots_of(scope.user_id), private=False)
    if reason:
        raise NotKept(reason)
    made: dict[object, ProfileFact | Memory] = {}
    with transaction.atomic():
        for told in _told(text, slot, foreign):
            for one in (_as_fact(scope, said) for said in told.stated):
                made[one.pk] = one
            note = _as_note(scope, told.sentence, slot) if told.says_more else None
            if note is not None:
                made[note.pk] = note
    if not made:
        order = guard.AN_ORDER if instructions.carries_an_order(text) else ""
        raise NotKept(guard.why_not(text) or order or _NOTHING)
    return list(made.values())


def again(scope: Scope, candidate: Candidate, closed: Collection[str]) -> ProfileFact | None:
    """The fact that says the same, where its owner let me note it; None where I know of nothing."""
    slot = SLOTS[candidate.slot]
    if not slot.sensitive or slot.key in closed:
        return None
    held = profile.said_of(scope, candidate)
    return held if held is not None and held.slot == slot.key else None


def _told(text: str, slot: Slot, foreign: Sequence[Span]) -> Iterator[_Told]:
    """The sentences that touch the kind. What they only imply, deny or report is not stated."""
    said = Reading(text)
    for start, end, kind in said.told:
        inside = [one for one in said.facts if start <= one.start < end]
        of_kind = [one for one in inside if one.slot == slot.key]
        if kind != slot.key and not of_kind:
            continue
        typed = origin_of(foreign, start, end) == Origin.TYPED
        stated = [one for one in of_kind if typed and _is_plain(one)]
        sentence = " ".join(text[start:end].split())
        yield _Told(sentence, stated, not stated or _says_more(sentence, inside))


def _is_plain(one: Candidate) -> bool:
    return one.kind in CURRENT and one.trust > float(settings.MEMORY["promotion_trust"])


def _says_more(sentence: str, facts: Sequence[Candidate]) -> bool:
    """Whether the facts leave a word out: of an allergy every one may matter."""
    told = {word for fact in facts for word in terms.words(fact.value)}
    return any(word not in told for word in terms.telling(sentence))


def _as_fact(scope: Scope, said: Candidate) -> ProfileFact:
    outcome = profile.propose(scope, replace(said, scope="profile", kind="statement"))
    if isinstance(outcome, profile.Conflict):
        raise NotKept("I have that the other way round. Settle the question about it first.")
    profile.be_told(outcome.fact)
    _log(scope, outcome.fact, outcome.fact.value)
    return outcome.fact


def _as_note(scope: Scope, sentence: str, slot: Slot) -> Memory | None:
    """None where the sentence may not be kept at all, or orders something beside what is so."""
    if instructions.carries_an_order(sentence):
        return None
    outcome = note_store.keep(
        scope,
        Draft(
            content=sentence,
            category=Memory.Category.FACT,
            kind=Memory.Kind.SEMANTIC,
            priority=Memory.Priority.HIGH,
            confidence=1.0,
            trust=settings.MEMORY["manual_trust"],
            significance=1.0,
            slot=slot.key,
            value=sentence,
        ),
    )
    if outcome is None:
        return None
    _log(scope, outcome.memory, outcome.memory.content)
    return outcome.memory


def _log(scope: Scope, noted: ProfileFact | Memory, value: str) -> None:
    audit.record(
        scope.user_id,
        Action.ACCEPTED,
        subject=noted.pk,
        slot=noted.slot,
        conversation=scope.conversation_id,
        message=scope.message_id,
        after=value,
        why=WHY,
    )
