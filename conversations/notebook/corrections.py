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
    corrected_places,
    is_explicit_correction,
    surely_corrects,
)
from memory.models import Memory, ProfileFact

# How far back in a conversation a correction reaches, in messages, and how many claims are shown.
_REACH, _MOST = 12, 3
# From here on it may be a task or a question, whatever its form; then a correction has to be surer.
_MAY_ASK, _SURE_ENOUGH = 0.6, 0.7
HEARD = "I take that as a correction."

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
    told = " ".join(part.text for part in parts if not part.asks_plainly)
    if not told or told.endswith("?"):
        return False
    # Who chooses between open values, or asks, greets or leaves, is sure where something is wrong.
    chooses = prompt.recall.challengers and unsettled.sounds_like_a_choice(told)
    if chooses or any(_asks_or_greets(part) for part in parts):
        return surely_corrects(told, said_before(prompt), _SURE_ENOUGH)
    return is_explicit_correction(told) or surely_corrects(told, said_before(prompt))


def _asks_or_greets(part: Part) -> bool:
    """Whether a part asks, perhaps in the form of a statement, or is a greeting or a feeling."""
    if part.asks or people.is_human_line(part.intent, part.text):
        return True
    return intents.asking_probability(part.text) >= _MAY_ASK


def offer(prompt: Prompt, made: Answer) -> bool:
    """Where a message that nothing came of may change what was said before it: show the notes of
    it. False, with nothing said, where there are none.
    """
    if prompt.notes or prompt.question.reading.foreign:
        return False
    claims = _corrected(prompt)
    if claims:
        made.say("If it changes what I noted:")
    _list(claims, made)
    return bool(claims)


def show(prompt: Prompt, made: Answer) -> None:
    """Say that it was heard, and show the claims it may be about."""
    made.say(HEARD)
    show_claims(prompt, made)


def show_claims(prompt: Prompt, made: Answer) -> None:
    """Show the claims that it may be about, to be edited or removed."""
    claims = _corrected(prompt)
    if claims:
        made.say("What I noted stands until you change it:")
    _list(claims, made)


def _corrected(prompt: Prompt) -> list[Claim]:
    """What it may put right, the likeliest first: of what was noted shortly before here, and of the
    nearest notes.
    """
    told = [*_just_noted(prompt), *((one, _text(one)) for one in _remembered(prompt))]
    places = corrected_places(prompt.question.content, [said for _, said in told])
    found = {told[place][0].pk: told[place][0] for place in places}
    return list(found.values())[:_MOST]


def without_list(content: str) -> str:
    """An answer's text without the list of the claims, where their cards stand under it."""
    return _LISTED.sub("", content)


def _list(claims: list[Claim], made: Answer) -> None:
    for claim in claims:
        line = f"“{literal(_text(claim))}” · [{LINK}]({edit_page(claim)})"
        made.offer(line, _offered(claim))


def said_before(prompt: Prompt) -> list[str]:
    """What the person said shortly before in this conversation, the last one last."""
    return [turn.text for turn in prompt.history[-_REACH:] if turn.role == Message.Role.USER]


def _just_noted(prompt: Prompt) -> list[tuple[Claim, str]]:
    """What was noted shortly before in this conversation, newest first, with the words of it."""
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
    found: dict[object, tuple[Claim, str]] = {}
    for outcome in outcomes:
        claim = outcome.fact or outcome.memory
        if claim is not None and stands(claim):
            said = _text(claim) if isinstance(claim, Memory) else outcome.message.content
            found.setdefault(claim.pk, (claim, said))
    return list(found.values())


def _remembered(prompt: Prompt) -> list[Memory]:
    """The nearest notes of other messages, that stand."""
    question = prompt.question
    near = [note.id for note in prompt.remembered if note.message_id != question.pk][:_MOST]
    known = Memory.objects.for_user(question.user_id).in_bulk(near) if near else {}
    return [known[key] for key in near if key in known and stands(known[key])]


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
