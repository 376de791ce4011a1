"""A correction that was not understood: the claims it may be about, each with its value at hand.

In the text they are a list with links. A page shows a card of each instead: `Item.offered`.
"""

import re
from dataclasses import replace

from django.urls import reverse

from conversations.markdown import literal
from conversations.models import LearningOutcome, Message
from conversations.notebook import intents, people, unsettled
from conversations.notebook.answer_builder import Answer, used_fact
from conversations.notebook.message_parts import Part
from conversations.prompt import Prompt
from memory.context import PromptItem
from memory.language import (
    content_stem_ids,
    is_correction,
    is_explicit_correction,
    is_follow_up,
    may_correct,
    relates_to_previous,
    surely_corrects,
)
from memory.models import Memory, ProfileFact

# How far back in a conversation a correction reaches, in messages, and how many claims are shown.
_REACH, _MOST = 12, 3
# What it puts right is mostly one of the last so many things that the person said.
_LAST = 2
# Words of a message that puts right what stands before it without naming it.
_BARE = 8
# From here on it may be a task or a question, whatever its form.
_MAY_ASK = 0.6
HEARD = "I take that as a correction: when you ask about it, I tell these words first."

Claim = ProfileFact | Memory

LINK = "edit or remove"
_LISTED = re.compile(rf"\n- “.*” · \[{LINK}\]\(\S+\)(?=\n|$)")


def is_one(prompt: Prompt, parts: list[Part]) -> bool:
    """Whether the message says that it puts something right, and the ledger did not hear it."""
    if prompt.question.reading.foreign:
        return False
    heard = {LearningOutcome.Kind.CONFLICT, LearningOutcome.Kind.SETTLED}
    if any(note.kind in heard for note in prompt.notes):
        return False
    told = " ".join(part.text for part in parts if not part.asks)
    # What stands beside a task belongs to the task.
    is_task = any(part.asks and part.intent and part.intent.name == "task" for part in parts)
    if not told or told.endswith("?") or is_task:
        return False
    if is_explicit_correction(told):
        return True
    # Who chooses between open values, asks, greets or leaves is explicit where something is wrong.
    chooses = prompt.recall.challengers and unsettled.sounds_like_a_choice(told)
    if chooses or any(_asks_or_greets(part) for part in parts):
        return False
    return surely_corrects(told, _own_words(prompt))


def _asks_or_greets(part: Part) -> bool:
    """Whether a part asks, perhaps in the form of a statement, or is a greeting or a feeling."""
    if part.asks or people.is_human_line(part.intent, part.text):
        return True
    return intents.asking_probability(part.text) >= _MAY_ASK


def said_before(prompt: Prompt) -> list[str]:
    """What it may put right: what the person said last here, and the nearest notes."""
    question = prompt.question
    own = _own_words(prompt)[-_LAST:]
    noted = [
        note.original or note.content
        for note in prompt.remembered
        if note.message_id != question.pk
    ]
    return noted[:_MOST] + own


def offer(prompt: Prompt, made: Answer) -> bool:
    """Where a message that nothing came of adds to what was said before it, or may change it: show
    the notes of the same matter. False, with nothing said, where there are none.
    """
    text, last = prompt.question.content, _last_said(prompt)
    if prompt.notes or prompt.question.reading.foreign:
        return False
    adds, relates = is_follow_up(text, last), relates_to_previous(text, last)
    may_correct_it = may_correct(text, _own_words(prompt))
    claims = []
    if adds or relates or may_correct_it or is_correction(text, said_before(prompt)):
        noted = _claims(prompt)
        goes_on = adds or may_correct_it
        claims = _sharing(prompt, noted) or (_just_noted(prompt, noted) if goes_on else [])
    if claims:
        made.say("If it changes what I noted:")
    _list(claims[:_MOST], made)
    return bool(claims)


def show(prompt: Prompt, made: Answer) -> None:
    """Say that it was heard, and show the claims it may be about."""
    made.say(HEARD)
    show_claims(prompt, made)


def show_claims(prompt: Prompt, made: Answer) -> None:
    """Show the claims that it may be about, to be edited or removed: those that share a word with
    it, else those of the message before it.
    """
    noted = _claims(prompt)
    claims = _sharing(prompt, noted) or _just_noted(prompt, noted)
    if claims:
        made.say("What I noted stands until you change it:")
    _list(claims[:_MOST], made)


def without_list(content: str) -> str:
    """An answer's text without the list of the claims, where their cards stand under it."""
    return _LISTED.sub("", content)


def _list(claims: list[Claim], made: Answer) -> None:
    for claim in claims:
        line = f"“{literal(_text(claim))}” · [{LINK}]({edit_page(claim)})"
        made.offer(line, _offered(claim))


def _last_said(prompt: Prompt) -> str:
    """What the person said just before, in this conversation; '' for nothing."""
    return "".join(_own_words(prompt)[-1:])


def _own_words(prompt: Prompt) -> list[str]:
    return [turn.text for turn in prompt.history[-_REACH:] if turn.role == Message.Role.USER]


def _claims(prompt: Prompt) -> list[tuple[Claim, int]]:
    """What was noted shortly before in this conversation, newest first, with the number of the
    message that it was noted from.
    """
    question = prompt.question
    outcomes = (
        LearningOutcome.objects.filter(
            user_id=question.user_id,
            message__conversation=question.conversation_id,
            message__number__lt=question.number,
            message__number__gte=question.number - _REACH,
        )
        .select_related("fact", "memory", "message")
        .order_by("-message__number")
    )
    found: dict[object, tuple[Claim, int]] = {}
    for outcome in outcomes:
        claim = outcome.fact or outcome.memory
        if claim is not None and stands(claim):
            found.setdefault(claim.pk, (claim, outcome.message.number))
    return list(found.values())


def _sharing(prompt: Prompt, noted: list[tuple[Claim, int]]) -> list[Claim]:
    """Those that share a word with the message, those that share most first."""
    said = content_stem_ids(prompt.question.content)
    shared = [(claim, len(said & content_stem_ids(_text(claim)))) for claim, _ in noted]
    return [claim for claim, count in sorted(shared, key=lambda pair: -pair[1]) if count]


def _just_noted(prompt: Prompt, noted: list[tuple[Claim, int]]) -> list[Claim]:
    """Those that the message right before it was noted as, where it is as short as "no, at nine":
    a longer one says what it is about. None, either, where it speaks of one before that.
    """
    if len(prompt.question.content.split()) > _BARE:
        return []
    said = content_stem_ids(prompt.question.content)
    *earlier, last = [bool(said & content_stem_ids(one)) for one in _own_words(prompt)] or [False]
    if any(earlier) and not last:
        return []
    return [claim for claim, number in noted if number == prompt.question.number - 2]


def stands(claim: Claim) -> bool:
    """Whether it is in use."""
    if isinstance(claim, Memory):
        return claim.status == Memory.Status.ACTIVE
    return claim.status == ProfileFact.Status.CURRENT


def _text(claim: Claim) -> str:
    if isinstance(claim, Memory):
        return claim.original or claim.content
    return claim.kind.note.format(value=claim.value)


def edit_page(claim: Claim) -> str:
    """Where its owner changes it."""
    name = "memory:memory_edit" if isinstance(claim, Memory) else "memory:edit"
    return reverse(name, args=[claim.pk])


def _offered(claim: Claim) -> PromptItem:
    if isinstance(claim, ProfileFact):
        return replace(used_fact(claim), offered=True)
    text = claim.content
    return PromptItem(what="memory", id=claim.pk, heading="", line=text, prose=text, offered=True)
