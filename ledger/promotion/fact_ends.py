"""What the profile holds and somebody says is over: its owner is asked."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.conf import settings

from ledger.models import Contradiction
from ledger.promotion.gates import SourcedCandidate
from ledger.promotion.note_drafts import draft_of
from ledger.promotion.outcomes import ConflictOpened, NotedOutsideProfile, Outcome
from memory.core import Authority, Scope
from memory.facts import FactEnd, matching_fact
from memory.language import FactCandidate, content_stem_ids
from memory.models import FactQuerySet, ProfileFact
from memory.notes import NoteDraft, NoteEnd, keep_note
from memory.slots import alike_to

# What somebody pursues, and may be said to be over in words of any kind.
_PURSUED = ("interests", "current_project")
# How it is asked whether something is over; of a pet that died in other words.
_OVER, _NO_LONGER_WITH_YOU = "No longer: ", "No longer with you: "
_DEATH = "death"
# Of more than these it is not plain which are meant.
_MOST_ENDS = 4


def consider_end(scope: Scope, ending: NoteEnd) -> Iterator[Outcome]:
    """Ask whether what the profile has of somebody's pastimes and work is over, as they say."""
    for fact in _held_of(scope, _PURSUED):
        if ending.stems <= content_stem_ids(fact.value):
            yield from _ask_for_the_end(scope, fact, ending.start, ending.end)


def consider_departure(scope: Scope, fact_end: FactEnd) -> Iterator[Outcome]:
    """Ask whether what the profile has of a pet, a belonging, a study, a diet or kin is over."""
    found = [
        fact
        for fact in _held_of(scope, fact_end.slots)
        # What the same words have just told is not what they tell the end of.
        if fact.source_message_id != scope.message_id and fact_end.ends(fact.slot, fact.value)
    ]
    cue = _DEATH if fact_end.is_death else "departures"
    for fact in found if len(found) <= _MOST_ENDS else ():
        yield from _ask_for_the_end(scope, fact, fact_end.start, fact_end.end, cue)


def _held_of(scope: Scope, slots: Sequence[str]) -> FactQuerySet:
    rows = ProfileFact.objects.for_user(scope.user_id).current().filter(slot__in=slots)
    return rows.defer("embedding").order_by("created_at")


def _ask_for_the_end(
    scope: Scope, fact: ProfileFact, start: int, end: int, cue: str = "endings"
) -> Iterator[Outcome]:
    sure = float(settings.MEMORY["promotion_trust"])
    candidate = FactCandidate(
        slot=fact.slot,
        value=fact.value,
        confidence=sure,
        trust=sure,
        start=start,
        end=end,
        scope="profile",
        kind="denial",
        cue=cue,
    )
    if (outcome := ask_whether_over(scope, SourcedCandidate(candidate))) is not None:
        yield outcome


def ask_whether_over(
    scope: Scope, sourced: SourcedCandidate, *, authority: Authority = Authority.READ
) -> NotedOutsideProfile | ConflictOpened | None:
    """What is past or denied, and stands in the profile: ask whether it is over.

    What is asked about already is not asked about in another way too.
    """
    candidate = sourced.candidate
    fact = matching_fact(scope, candidate)
    if fact is None or fact.slot not in alike_to(candidate.slot):
        return None
    asked = Contradiction.objects.for_user(scope.user_id).open().filter(old_fact=fact)
    if (entry := asked.order_by("opened_at").first()) is not None:
        return ConflictOpened(entry)
    outcome = keep_note(scope, _ending(sourced, fact), authority=authority)
    return None if outcome is None else NotedOutsideProfile(outcome)


def _ending(sourced: SourcedCandidate, fact: ProfileFact) -> NoteDraft:
    said = f"{_OVER}{fact.sentence}"
    if sourced.candidate.cue == _DEATH:
        said = f"{_NO_LONGER_WITH_YOU}{fact.value}"
    return replace(draft_of(sourced), ask=True, content=said, value=fact.value, ends=fact.pk)
