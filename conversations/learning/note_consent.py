"""Consent to saving what was not saved automatically because it is or may be private. Given by the
button of a chip, over the API, or by a message right after.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from conversations.learning import open_questions
from conversations.models import Conversation, LearningOutcome, Message
from ledger.promotion import private_facts
from memory.core.allowances import allowances_of
from memory.core.persistence_gate import (
    Allowances,
    Authority,
    PersistenceDecision,
    PersistenceReason,
    PersistenceRequest,
    RecordKind,
    decide_persistence,
)
from memory.language.queries.query_intent import read_yes_or_no
from memory.models import ProfileFact
from memory.notes.note_extraction import WHOLE_NOTE, as_note_draft, needs_privacy_consent
from memory.notes.note_gate import NotKept, check_note
from memory.notes.note_store import keep_note

Kind = LearningOutcome.Kind
OFFER = "Should I note it anyway?"
LEFT = "It stays only in this conversation."
MAY_BE_PRIVATE = f"That may be private, so I haven’t noted it. {OFFER}"
# Used where the chips show that a part of the message was noted.
MAY_BE_PRIVATE_BESIDE = f"The rest may be private, so I haven’t noted that. {OFFER}"
NOTED_ANYWAY = "That’s private. You asked me to note it, so I can use it in every conversation."
_TAKEN_OUT = "You deleted this message, so I can’t note anything from it."
_NOT_ABLE = "I couldn’t find anything to note in that message. Say it again in one sentence."
_STAYS = "That stays in this conversation."
_LONGEST = 60
_IN_FULL = re.compile(
    r"\s*(?:(?:yes|yep|yeah|sure|ok(?:ay)?|please(?: do)?)[\s,.!]+)*"
    r"(?:(?:note|remember) (?:it|that|this)(?: down)?(?: anyway)?"
    r"|(?:keep|save) (?:it|that|this) anyway)(?:[\s,]+please)?[\s.!]*",
    re.IGNORECASE,
)


# --- The offer -----------------------------------------------------------------------------------


def decide_consent(outcome: LearningOutcome, allowed: Allowances) -> PersistenceDecision:
    """Return the persistence gate's decision on saving a withheld outcome if the user consents. If
    it may not be saved even then, no consent is asked for.
    """
    message = outcome.message
    private = message.conversation.privacy == Conversation.Privacy.PRIVATE
    return private_facts.judge(outcome.about, message.content, replace(allowed, private=private))


def in_words(outcomes: Iterable[LearningOutcome], *, beside_others: bool = False) -> str:
    """Return the text that says why withheld outcomes stay in the conversation, with the offer to
    note them if that is allowed. `beside_others`: other parts of the message were noted.
    """
    outcomes = list(outcomes)
    allowed = allowances_of(outcomes[0].user_id)
    decisions = [decide_consent(outcome, allowed) for outcome in outcomes]
    if any(decision.kept for decision in decisions):
        rest = " I noted the rest." if beside_others else ""
        return f"{PersistenceReason.SENSITIVE.sentence}{rest} {OFFER}"
    reasons = " ".join(sorted({decision.reason.in_full for decision in decisions}))
    where = f"[Privacy]({reverse('privacy:page')})"
    return f"{_STAYS} {reasons.replace('under Privacy', f'under {where}')}"


def tells_only_that_it_stays(answer: Message) -> bool:
    """Return whether an answer says only that something stays in its conversation."""
    content = answer.content
    offers = content == f"{PersistenceReason.SENSITIVE.sentence} {OFFER}"
    return offers or (content.startswith(_STAYS) and "\n" not in content)


def after_a_yes(content: str) -> str:
    """Return an answer's text with its offer replaced by the confirmation that it was noted."""
    for offer in (
        f"{PersistenceReason.SENSITIVE.sentence} I noted the rest. {OFFER}",
        f"{PersistenceReason.SENSITIVE.sentence} {OFFER}",
        MAY_BE_PRIVATE,
        MAY_BE_PRIVATE_BESIDE,
    ):
        content = content.replace(offer, NOTED_ANYWAY)
    return content


def may_be_offered(message: Message) -> bool:
    """Return whether to offer saving a message: it may be private, and consent would suffice."""
    reading = message.reading
    if reading.only_asks or reading.holds_a_secret or not needs_privacy_consent(reading):
        return False
    private = message.conversation.privacy == Conversation.Privacy.PRIVATE
    allowed = replace(allowances_of(message.user_id), private=private)
    request = PersistenceRequest(RecordKind.NOTE, authority=Authority.YES)
    return decide_persistence(request, allowed).kept


def asks(answer: Message) -> bool:
    """Return whether an answer ends with the offer to note a message that may be private."""
    return answer.content.endswith((MAY_BE_PRIVATE, MAY_BE_PRIVATE_BESIDE))


# --- The user's reply to the offer ---------------------------------------------------------------


def says_to_note(message: Message) -> bool:
    """Return whether a message only asks to note the previous one ("note that"), or says yes to an
    offer right before.
    """
    text = message.content
    if len(text) > _LONGEST:
        return False
    if _IN_FULL.fullmatch(text):
        return True
    return read_yes_or_no(text) is True and _offer_meant(message) is not None


def leaves_it(message: Message) -> bool:
    """Return whether a message only declines an offer right before."""
    no = not message.pasted and read_yes_or_no(message.content) is False
    return no and _offer_meant(message) is not None


def answers_the_offer(message: Message) -> bool:
    """Return whether a message reads as yes, no or "note that"; no offer needs to precede."""
    text = message.content
    in_full = len(text) <= _LONGEST and _IN_FULL.fullmatch(text) is not None
    return in_full or read_yes_or_no(text) is not None


def declined_outcomes(outcomes: Collection[LearningOutcome]) -> set[UUID]:
    """Return the ids of the withheld outcomes that the user declined to save; one query for all."""
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
    messages = rows.values_list("conversation", "number", "content")
    left = {(talk, number) for talk, number, words in messages if read_yes_or_no(words) is False}
    return {pk for place, pk in places.items() if place in left}


def reply(message: Message) -> str:
    """Return the reply to a declined offer, or to a request to note that cannot be followed; '' for
    any other message.
    """
    if leaves_it(message):
        return LEFT
    if message.pasted or not _IN_FULL.fullmatch(message.content):
        return ""
    outcomes = list(_withheld_before(message))
    if not outcomes:
        return ""
    allowed = allowances_of(message.user_id)
    able = any(decide_consent(outcome, allowed).kept for outcome in outcomes)
    return _NOT_ABLE if able else in_words(outcomes)


def _offer_meant(message: Message) -> Message | None:
    """Return the answer with the offer that a yes or no refers to; None unless right before it."""
    answer = open_questions.answer_meant(message)
    if answer is None or answer.number != message.number - 1:
        return None
    return answer if answer.content.rstrip().endswith(OFFER) else None


def number_meant(message: Message) -> int:
    """Return the number of the user's message that a yes, a no or "note that" refers to."""
    offer = _offer_meant(message)
    return message.number - 2 if offer is None else offer.number - 1


def _withheld_before(message: Message) -> QuerySet[LearningOutcome]:
    """Return the withheld outcomes of the message that this one refers to."""
    return LearningOutcome.objects.filter(
        user_id=message.user_id,
        kind=Kind.WITHHELD,
        message__conversation=message.conversation_id,
        message__number=number_meant(message),
    ).select_related("message__conversation")


# --- Saving with consent -------------------------------------------------------------------------


def note_by_a_word(message: Message) -> list[LearningOutcome]:
    """Save what an earlier message says, if this message only consents to that or asks for it.
    Returns unsaved outcomes that belong to this message; [] for any other message.
    """
    if message.pasted or not says_to_note(message):
        return []
    noted: list[LearningOutcome] = []
    for outcome in _withheld_before(message):
        try:
            noted += note_anyway(outcome)
        except NotKept:
            continue
    if not noted:
        noted = _note_previous_message(message)
    return [
        LearningOutcome(
            user_id=message.user_id,
            message=message,
            kind=outcome.kind,
            slot=outcome.slot,
            fact=outcome.fact,
            memory=outcome.memory,
        )
        for outcome in noted
    ]


def _note_previous_message(message: Message) -> list[LearningOutcome]:
    before = Message.objects.beside(message).filter(number=number_meant(message))
    previous = (
        before.filter(role=Message.Role.USER, author="").select_related("conversation").first()
    )
    if previous is None:
        return []
    outcomes = LearningOutcome.objects.filter(user_id=previous.user_id, message=previous)
    known = set(outcomes.values_list("pk", flat=True))
    try:
        return [outcome for outcome in note_message(previous) if outcome.pk not in known]
    except NotKept:
        return []


def note_anyway(outcome: LearningOutcome) -> list[LearningOutcome]:
    """Save a withheld outcome with the user's consent, marked as sensitive, in the user's
    transaction (`acting_as`).

    Returns the outcomes: the first is `outcome` itself, changed; one that was saved before is
    returned unchanged. Raises NotKept with the reason if saving is not allowed.
    """
    with transaction.atomic():
        rows = LearningOutcome.objects.filter(user_id=outcome.user_id, pk=outcome.pk)
        locked = rows.select_for_update(of=("self",)).select_related(
            "message__conversation", "fact", "memory", "override"
        )
        kept = locked.get()
        if kept.kind != Kind.WITHHELD:
            return [kept]
        message = kept.message
        noted = private_facts.note_with_consent(
            message.scope, message.content, kept.about, message.reading.foreign
        )
        outcomes: list[LearningOutcome] = []
        for row in noted:
            # The first row replaces the withheld outcome, so that its chip shows the new state.
            made = kept
            if outcomes:
                made = LearningOutcome(user_id=kept.user_id, message=message, slot=kept.slot)
            is_fact = isinstance(row, ProfileFact)
            made.kind = Kind.STORED if is_fact else Kind.MEMORY
            setattr(made, "fact" if is_fact else "memory", row)
            made.save()
            outcomes.append(made)
        return outcomes


def note_message(message: Message) -> list[LearningOutcome]:
    """Save a message as a memory at the user's request, in the user's transaction (`acting_as`); it
    may then be quoted in other conversations.

    Returns the new outcome, or the existing ones if nothing was to be added. Raises NotKept with
    the reason if saving is not allowed.
    """
    if message.state == Message.State.REMOVED:
        raise NotKept(_TAKEN_OUT)
    with transaction.atomic():
        rows = Message.objects.for_user(message.user_id).select_for_update(of=("self",))
        stored = rows.select_related("conversation").get(pk=message.pk)
        outcomes = LearningOutcome.objects.filter(user_id=stored.user_id, message=stored)
        made = list(outcomes.select_related("memory"))
        waits = needs_privacy_consent(stored.reading) and not is_noted_whole(stored, made)
        if made and not waits:
            return made
        noted = _keep_whole(stored)
        kept_here = any(outcome.kind == Kind.WITHHELD for outcome in made)
        if stored.confidential and not kept_here and _waited_only(stored):
            # It was confidential only until this consent.
            stored.confidential = False
            stored.save(update_fields=["confidential"])
        return [noted]


def is_noted_whole(message: Message, outcomes: Iterable[LearningOutcome]) -> bool:
    """Return whether one of the outcomes is a memory of the whole message, not only of a part such
    as "Family: brother Stefan".
    """
    notes = [outcome.memory for outcome in outcomes if outcome.memory is not None]
    least = WHOLE_NOTE * len(" ".join(message.content.split()))
    return any(len(note.original or note.content) >= least for note in notes)


def _waited_only(message: Message) -> bool:
    """Return whether a message is confidential only because it may be private, not because the user
    asked for it in this message or in the next one.
    """
    reading = message.reading
    apart = reading.asks_to_forget or reading.holds_a_secret or reading.orders_gravely
    if apart or reading.is_unreadable or not reading.private:
        return False
    after = Message.objects.beside(message).filter(number=message.number + 2).first()
    declined = after is not None and read_yes_or_no(after.content) is False
    return not declined and (after is None or not after.reading.asks_to_forget)


def _keep_whole(message: Message) -> LearningOutcome:
    # Pasted text stays marked as pasted.
    origin = message.reading.origin_of(0, len(message.content))
    draft = replace(as_note_draft(message.content, message.said_at), origin=origin)
    check_note(message.scope, draft, Authority.YES)
    kept = keep_note(message.scope, draft, authority=Authority.YES)
    if kept is None:
        raise NotKept(_NOT_ABLE)
    return LearningOutcome.objects.create(
        user_id=message.user_id, message=message, kind=Kind.MEMORY, memory=kept.memory
    )
