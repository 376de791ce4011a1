"""What was confided stays in its conversation; here its owner says to note it anyway.

By the button of its chip, over the API, or in so many words right after it was said.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from conversations.models import Conversation, LearningOutcome, Message
from ledger.promotion import private_facts
from memory.core import Allowances, PersistenceDecision, PersistenceReason, allowances_of
from memory.language import read_yes_or_no
from memory.models import ProfileFact
from memory.notes import NotKept

OFFER = "Shall I note it anyway?"
LEFT = "It stays here, not noted."
_NOT_ABLE = "I find nothing there that I can note. Say it once more, in a sentence."
_LONGEST = 60
_IN_FULL = re.compile(
    r"\s*(?:(?:yes|yep|yeah|sure|ok(?:ay)?|please(?: do)?)[\s,.!]+)*"
    r"(?:(?:note|remember) (?:it|that|this)(?: down)?(?: anyway)?"
    r"|(?:keep|save) (?:it|that|this) anyway)(?:[\s,]+please)?[\s.!]*",
    re.IGNORECASE,
)


def decide_consent(outcome: LearningOutcome, allowed: Allowances) -> PersistenceDecision:
    """What the gate says to a yes to noting what was kept to its conversation: where nothing may be
    kept, none is asked for. `allowed` is what its owner allows anywhere.
    """
    message = outcome.message
    private = message.conversation.privacy == Conversation.Privacy.PRIVATE
    return private_facts.judge(outcome.about, message.content, replace(allowed, private=private))


def in_words(outcomes: Iterable[LearningOutcome], *, beside_others: bool = False) -> str:
    """That it stays here, and the offer to note it anyway; or why there is none. `beside_others`:
    the message told other things too, and they are noted.
    """
    outcomes = list(outcomes)
    allowed = allowances_of(outcomes[0].user_id)
    decisions = [decide_consent(outcome, allowed) for outcome in outcomes]
    if any(decision.kept for decision in decisions):
        rest = " Something else of it is noted." if beside_others else ""
        return f"{PersistenceReason.SENSITIVE.sentence}{rest} {OFFER}"
    told = " ".join(sorted({decision.reason.in_full for decision in decisions}))
    where = f"[Privacy]({reverse('privacy:page')})"
    return f"That stays in this conversation. {told.replace('under Privacy', f'under {where}')}"


def note_anyway(outcome: LearningOutcome) -> list[LearningOutcome]:
    """Its owner's consent, in their open block: what was kept here is noted, marked as sensitive.

    Returns what is noted, the first in the note's own row; what was noted before stays as it is.
    Raises NotKept with the reason where nothing may be.
    """
    with transaction.atomic():
        rows = LearningOutcome.objects.filter(user_id=outcome.user_id, pk=outcome.pk)
        outcomes = rows.select_for_update(of=("self",)).select_related(
            "message__conversation", "fact", "memory", "override"
        )
        kept = outcomes.get()
        if kept.kind != LearningOutcome.Kind.WITHHELD:
            return [kept]
        message, said = kept.message, kept.message.content
        foreign = message.reading.foreign
        return _put_down(kept, private_facts.note_anyway(message.scope, said, kept.about, foreign))


def note_on_consent(message: Message) -> list[LearningOutcome]:
    """When the message says yes to the offer before it: the notes that it made, not saved yet.

    A bare yes counts only where the answer in between ends with the offer, and asks nothing else.
    """
    if message.pasted or not says_to_note(message):
        return []
    outcomes: list[LearningOutcome] = []
    for outcome in _kept_before(message):
        try:
            outcomes += [_again_for(message, one) for one in note_anyway(outcome)]
        except NotKept:
            continue
    return outcomes


def says_to_note(message: Message) -> bool:
    """Whether a message is nothing but a wish that what was said before it is noted, or a yes to
    that question.
    """
    said = message.content
    if len(said) > _LONGEST:
        return False
    if _IN_FULL.fullmatch(said):
        return True
    return read_yes_or_no(said) is True and _was_asked_last(message)


def leaves_it(message: Message) -> bool:
    """Whether a message is nothing but a no to the offer."""
    no = not message.pasted and read_yes_or_no(message.content) is False
    return no and _was_asked_last(message)


def told_not_to(outcomes: Collection[LearningOutcome]) -> set[UUID]:
    """Those of the notes kept here whose owner said no to the offer: one read for all of them."""
    places = {
        (outcome.message.conversation_id, outcome.message.number + 2): outcome.pk
        for outcome in outcomes
    }
    if not places:
        return set()
    rows = Message.objects.for_user(next(iter(outcomes)).user_id).filter(
        role=Message.Role.USER,
        conversation__in={talk for talk, _ in places},
        number__in={number for _, number in places},
    )
    said = rows.values_list("conversation", "number", "content")
    left = {(talk, number) for talk, number, words in said if read_yes_or_no(words) is False}
    return {pk for place, pk in places.items() if place in left}


def reply(message: Message) -> str:
    """What there is to say to a no to the offer, or to a yes that cannot be followed; '' where the
    message is neither.
    """
    said = _plain(message.content)
    if message.pasted or len(said) > _LONGEST:
        return ""
    if leaves_it(message):
        return LEFT
    outcomes = list(_kept_before(message)) if _IN_FULL.fullmatch(said) else []
    if not outcomes:
        return ""
    allowed = allowances_of(message.user_id)
    able = any(decide_consent(outcome, allowed).kept for outcome in outcomes)
    return _NOT_ABLE if able else in_words(outcomes)


def answers_the_offer(message: Message) -> bool:
    """Whether it is a yes or a no, as far as its own words tell."""
    said = _plain(message.content)
    in_full = len(said) <= _LONGEST and _IN_FULL.fullmatch(said) is not None
    return in_full or read_yes_or_no(said) is not None


def _plain(text: str) -> str:
    return text.replace("’", "'")


def _kept_before(message: Message) -> QuerySet[LearningOutcome]:
    """What the message before the last answer said, and is kept to its conversation still."""
    return LearningOutcome.objects.filter(
        user_id=message.user_id,
        kind=LearningOutcome.Kind.WITHHELD,
        message__conversation=message.conversation_id,
        message__number=message.number - 2,
    ).select_related("message__conversation")


def _was_asked_last(message: Message) -> bool:
    before = Message.objects.beside(message).filter(number=message.number - 1)
    return any(answer.content.rstrip().endswith(OFFER) for answer in before)


def _put_down(outcome: LearningOutcome, noted: Iterable[object]) -> list[LearningOutcome]:
    notes: list[LearningOutcome] = []
    for one in noted:
        is_fact = isinstance(one, ProfileFact)
        kind = LearningOutcome.Kind.STORED if is_fact else LearningOutcome.Kind.MEMORY
        # The first takes the place of what was kept, so that its chip says what became of it.
        row = (
            LearningOutcome(user_id=outcome.user_id, message=outcome.message, slot=outcome.slot)
            if notes
            else outcome
        )
        row.kind = kind
        setattr(row, "fact" if is_fact else "memory", one)
        row.save()
        notes.append(row)
    return notes


def _again_for(message: Message, outcome: LearningOutcome) -> LearningOutcome:
    return LearningOutcome(
        user_id=message.user_id,
        message=message,
        kind=outcome.kind,
        slot=outcome.slot,
        fact=outcome.fact,
        memory=outcome.memory,
    )
