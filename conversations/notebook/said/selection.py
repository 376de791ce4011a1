"""Which of what was found is shown for a question, and in which order.

What answers comes first, what corrects it before it where it may tell what is asked for, and what
that corrects is known as outdated.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import F
from django.utils.timezone import localtime

from conversations.learning import related_messages
from conversations.models import Message
from conversations.notebook import answer_types, intents
from conversations.notebook.said.nearness import Evidence
from conversations.prompt import Prompt
from memory.language import content_words, is_correction
from memory.models import Memory

# How many messages are shown at most.
_SHOWN = 5
# What fits as well as this answers (`Evidence.fit`). Chosen on questions of six people
# (docs/decisions/0041).
_ANSWERS = 6.4
# What speaks of all that is asked answers, unless this is less probable than so.
_ALL, _POSSIBLY = 0.9, 0.3
# What speaks of so much of a question in another language answers it.
_MOST_OF_IT = 0.6
# What is so far behind the best is not shown beside it; where several people talk, an answer is
# spread over what they say.
_FAR_BEHIND, _FAR_BEHIND_IN_A_TALK = 2.0, 4.0
# What moves or puts right something is shown from this share of the question on.
_SHARES = 0.3
# From here on a later message may end an earlier one, and is shown before it.
_MAY_END = 0.35


def is_of_its_time(evidence: Evidence) -> bool:
    """Whether it was said in the time that is asked about, or tells of it."""
    said_on = localtime(evidence.message.said_at).date()
    return evidence.terms.covers_day(said_on) or (
        evidence.dates is not None and evidence.tells_of_its_time
    )


def answers(evidence: Evidence) -> bool:
    """Whether it is taken for an answer; nothing is to a question without a word of its own, and to
    one in another language, whose meaning is not known, what speaks of most of it.
    """
    if not evidence.terms.words:
        return False
    if intents.is_foreign(evidence.terms.question):
        return evidence.cover >= _MOST_OF_IT
    tells_all = evidence.cover >= _ALL and evidence.probability >= _POSSIBLY
    return evidence.fit >= _ANSWERS or tells_all


def of_its_kind(question: str, found: list[Evidence]) -> list[Evidence]:
    """Those that tell the kind of thing that is asked for, or change it: "the viewing is off"."""
    texts, covers = (
        [evidence.in_context for evidence in found],
        [evidence.cover for evidence in found],
    )
    fits = answer_types.of_its_kind(question, texts, covers)
    return [evidence for evidence, fit in zip(found, fits, strict=True) if fit or evidence.changes]


def worth_showing(prompt: Prompt, found: list[Evidence], least: float) -> list[Evidence]:
    """The nearest, those of whom it is asked first, without what is far behind, said twice, or
    given way to another of them.
    """

    def place(evidence: Evidence) -> tuple[bool, float]:
        return answer_types.is_of_another(
            prompt.normalized_question, evidence.in_context
        ), -evidence.fit

    near = _near(sorted(_without_what_is_over(prompt, found), key=place), least)
    once = list(
        {" ".join(content_words(evidence.quote)): evidence for evidence in reversed(near)}.values()
    )[::-1]
    shown = once[:_SHOWN]
    return _changes_first(prompt.normalized_question, shown)


def _changes_first(question: str, shown: list[Evidence]) -> list[Evidence]:
    """What moves or puts right another of them stands before that, where it may tell what is asked
    for; behind it where it tells something else of it.
    """
    ordered = list(shown)
    for evidence in sorted(shown, key=lambda one: one.message.said_at):
        position = next(at for at, other in enumerate(ordered) if other is evidence)
        others = [at for at, other in enumerate(ordered) if _corrects(evidence, other)]
        if not others:
            continue
        index, tells = min(others), evidence.may_tell(question)
        if (position > index) is tells:
            # Taken out from before it, what it corrects stands one place further ahead.
            ordered.insert(index, ordered.pop(position))
    return ordered


def _corrects(evidence: Evidence, other: Evidence) -> bool:
    """Whether one is told to correct another, or moves or puts right what it says."""
    if evidence is other:
        return False
    if evidence.message.corrects_id:
        return evidence.message.corrects_id == other.message.pk
    return _changes_it(evidence, [other])


def _near(found: list[Evidence], least: float) -> list[Evidence]:
    """The best of them, and what may hold the answer beside it or changes one of these."""
    best = max((evidence.fit for evidence in found), default=0.0)
    least = min(best, max(least, best - _far_behind(found)))
    near = [evidence for evidence in found if evidence.fit >= least]
    return [evidence for evidence in found if evidence in near or _changes_it(evidence, near)]


def _far_behind(found: Sequence[Evidence]) -> float:
    """How much less than the best something may fit to be shown beside it."""
    talk = any(evidence.message.author for evidence in found)
    return _FAR_BEHIND_IN_A_TALK if talk else _FAR_BEHIND


def _changes_it(evidence: Evidence, others: Sequence[Evidence]) -> bool:
    """Whether it moves or puts right what another says, of which the question speaks."""
    if not evidence.changes or evidence.terms.cover(evidence.in_context, literally=True) < _SHARES:
        return False
    return any(
        other.message.said_at < evidence.message.said_at and other.changed_by(evidence)
        for other in others
    )


def with_what_followed(prompt: Prompt, found: list[Evidence]) -> list[Evidence]:
    """With the messages that correct these, each before what it corrects where it may tell what is
    asked for, and with those that only add to what answers, each behind.
    """
    shown_with_followups = list(found)
    quoted = {one.message.pk for one in found}
    answering = {one.message.pk for one in found if one is found[0] or answers(one)}
    for message in related_messages.corrections_and_additions(prompt.question, quoted, answering):
        index = next(
            position
            for position, one in enumerate(shown_with_followups)
            if message.corrects_id == one.message.pk
            or (one.message.pk in answering and related_messages.belongs_to(message, one.message))
        )
        added = Evidence(message, shown_with_followups[index].terms)
        # What only asks answers nothing.
        if not added.parts:
            continue
        first = added.may_tell(prompt.normalized_question) and _goes_before(
            added, shown_with_followups[index].message
        )
        shown_with_followups.insert(index if first else index + 1, added)
    return shown_with_followups


def outdated(question: str, found: Sequence[Evidence]) -> set[UUID]:
    """The messages (their keys) of what a later one of these ends or corrects, in what is asked
    for: what somebody else wrote ends nothing.
    """
    own = [evidence for evidence in found if evidence.message.is_stated_by_owner]
    own.sort(key=lambda evidence: evidence.message.said_at)
    ends = [evidence for evidence in own if evidence.may_tell(question)]
    told = {evidence.message.corrects_id for evidence in ends if evidence.message.corrects_id}
    ended = {
        evidence.message.pk
        for evidence in own
        if evidence.ended_by(
            [later for later in ends if later.message.said_at > evidence.message.said_at]
        )
    }
    return ended | {evidence.message.pk for evidence in own if evidence.message.pk in told}


def newer_first(question: str, found: Sequence[Evidence]) -> list[Evidence]:
    """With what may tell what is asked for and may end or correct another of them before that one,
    where it stands behind it.
    """
    order = list(found)
    for evidence in found:
        if not evidence.message.is_stated_by_owner:
            continue
        position = order.index(evidence)
        later = [
            other
            for other in order[position + 1 :]
            if other.message.is_stated_by_owner
            and other.message.said_at > evidence.message.said_at
            and other.may_tell(question)
        ]
        for newer in evidence.ended_by(later, _MAY_END):
            order.remove(newer)
            order.insert(order.index(evidence), newer)
    return order


def _goes_before(added: Evidence, message: Message) -> bool:
    """Whether what belongs to a message corrects it, and does not only add to it."""
    if added.changes or added.message.corrects_id == message.pk:
        return True
    corrects = is_correction(added.message.content, [message.content])
    return corrects and not added.says_the_same_of_another(message)


def _without_what_is_over(prompt: Prompt, found: list[Evidence]) -> list[Evidence]:
    """Without a message whose note gave way to one of another that is told as well."""
    if not found:
        return []
    told = {evidence.message.pk for evidence in found}
    told |= {note.message_id for note in prompt.remembered if note.message_id}
    over = (
        Memory.objects.for_user(prompt.question.user_id)
        .filter(
            status=Memory.Status.SUPERSEDED,
            source_message__in=[evidence.message.pk for evidence in found],
            superseded_by__source_message__in=told,
        )
        .exclude(superseded_by__source_message=F("source_message"))
    )
    gone = set(over.values_list("source_message", flat=True))
    return [evidence for evidence in found if evidence.message.pk not in gone]
