"""A correction: what it is about is said, and what was noted of that, to be edited or removed.

What is noted is a list with links in the text. A page shows a card of each instead: `Item.offered`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.urls import reverse

from conversations.markdown import literal
from conversations.models import LearningOutcome, Message
from conversations.notebook import intents, people, unsettled
from conversations.notebook.answer_builder import Answer, line, on, quoted, used_fact
from conversations.notebook.message_parts import Part, is_request
from conversations.prompt import Prompt
from memory.context import PromptItem
from memory.language import (
    change_probabilities,
    correction_probabilities,
    encode_sentences,
    is_explicit_correction,
    is_rescheduling,
    surely_corrects,
)
from memory.models import Memory, ProfileFact

# How far back in a conversation a correction reaches, in messages, and how many claims are shown.
_REACH, _MOST = 12, 3
# So many of the nearest notes and messages are looked at.
_NOTES, _COMPARED = 3, 6
# From here on it may be a task or a question, whatever its form; then a correction has to be surer.
_MAY_ASK, _SURE_ENOUGH, _NO_CHOICE = 0.6, 0.7, 0.85
# What was said elsewhere is changed by a plain statement from the first on, by what moves something
# from the second; what a message may be about is shown from the third on, where it is none in so
# many words from the fourth, and where it was said elsewhere from the last.
_SURELY, _MOVED, _PERHAPS, _PROBABLY, _ELSEWHERE = 0.93, 0.6, 0.35, 0.5, 0.6
# Of several that it may be about, those that are nearly as likely as the likeliest.
_NEARLY = 0.75
HEARD = "I take that as a correction."

Claim = ProfileFact | Memory

LINK = "edit or remove"
_LISTED = re.compile(rf"\n- “.*” · \[{LINK}\]\(\S+\)(?=\n|$)")


@dataclass(frozen=True)
class Earlier:
    """What was said or noted before: its words, how an answer names it, the claim that stands for
    it if it was noted.
    """

    text: str
    shown: str
    claim: Claim | None = None
    here: bool = True


@dataclass(frozen=True)
class Correction:
    """What a message puts right: what it is most probably about, and the claims noted of that."""

    about: Earlier | None
    claims: list[Claim]


def find(prompt: Prompt, parts: list[Part], alike: Sequence[Message]) -> Correction | None:
    """What the message puts right, where it does so and the ledger did not hear it; `alike` are
    messages that are like it in meaning.
    """
    told = _stated(prompt, parts)
    if not told:
        return None
    before = said_before(prompt)
    # Who chooses between open values, or asks, greets or leaves, is sure where something is wrong.
    chooses = prompt.recall.challengers and unsettled.sounds_like_a_choice(told)
    if chooses or any(_asks_or_greets(part) for part in parts):
        least = _NO_CHOICE if chooses else _SURE_ENOUGH
        here, elsewhere = surely_corrects(told, before, least), False
    else:
        here = is_explicit_correction(told) or surely_corrects(told, before)
        elsewhere = not here and _changes_elsewhere(prompt, told, alike)
    if not (here or elsewhere):
        return None
    earlier = [one for one in _earlier(prompt, alike) if here or not one.here]
    return _about(told, earlier, _PERHAPS)


def _changes_elsewhere(prompt: Prompt, told: str, alike: Sequence[Message]) -> bool:
    """Whether it surely changes something that was said in another conversation."""
    texts = [one.content for one in _nearest(prompt, alike)]
    # "The gig got pushed to the 27th" says itself that it changes something.
    least = _MOVED if is_rescheduling(told) else _SURELY
    return max(change_probabilities(told, texts), default=0.0) >= least


def _stated(prompt: Prompt, parts: list[Part]) -> str:
    """What of the message may put something right; "" where nothing may."""
    if prompt.question.reading.foreign:
        return ""
    heard = {LearningOutcome.Kind.CONFLICT, LearningOutcome.Kind.SETTLED}
    if any(note.kind in heard for note in prompt.notes):
        return ""
    told = " ".join(part.text for part in parts if not part.asks_plainly)
    return "" if told.endswith("?") else told


def _asks_or_greets(part: Part) -> bool:
    """Whether a part asks, perhaps in the form of a statement, or is a greeting or a feeling."""
    if part.asks or people.is_human_line(part.intent, part.text):
        return True
    return intents.asking_probability(part.text) >= _MAY_ASK


def _earlier(prompt: Prompt, alike: Sequence[Message]) -> list[Earlier]:
    """What it may be about: what was said and noted shortly before, the nearest notes, and what is
    like it in meaning; each once.
    """
    found = [
        *_just_noted(prompt),
        *(Earlier(text, quoted(text.rstrip(" ."))) for text in reversed(said_before(prompt))),
        *_remembered(prompt),
        *(Earlier(one.content, line(one), here=False) for one in _nearest(prompt, alike)),
    ]
    # What was noted of a message stands for it, each claim by itself.
    by_claim = {one.claim.pk: one for one in reversed(found) if one.claim is not None}
    claims = list(by_claim.values())[::-1]
    noted = {_key(one) for one in claims}
    said = {_key(one): one for one in reversed(found) if _key(one) not in noted}
    return [*claims, *reversed(said.values())]


def _key(one: Earlier) -> str:
    return one.text.rstrip(" .!").lower()


def _nearest(prompt: Prompt, alike: Sequence[Message]) -> list[Message]:
    """Those of its owner's that are nearest in meaning."""
    stated = [
        one
        for one in alike
        if one.pk != prompt.question.pk and one.is_stated_by_owner and not is_request(one.content)
    ]
    vectors = encode_sentences([prompt.question.content, *(one.content for one in stated)])
    likeness = vectors[1:] @ vectors[0]
    places = sorted(range(len(stated)), key=lambda place: -likeness[place])[:_COMPARED]
    return [stated[place] for place in places]


def _shares(told: str, earlier: Sequence[Earlier]) -> list[float]:
    """How probably it is about each; what was said elsewhere it may also bring up to date."""
    here = iter(correction_probabilities(told, [one.text for one in earlier if one.here]))
    elsewhere = iter(change_probabilities(told, [one.text for one in earlier if not one.here]))
    return [next(here) if one.here else next(elsewhere) for one in earlier]


def _about(text: str, earlier: Sequence[Earlier], least: float) -> Correction:
    """What a text is most probably about, and what was noted of what is nearly as likely; what was
    said here goes before what was said elsewhere.
    """
    told = list(zip(_shares(text, earlier), earlier, strict=True))
    likely = [one for one in told if one[1].here and one[0] >= least]
    likely = likely or [one for one in told if one[0] >= max(least, _ELSEWHERE)]
    if not likely:
        return Correction(None, [])
    best, about = max(likely, key=lambda one: one[0])
    near = [one for share, one in likely if share >= _NEARLY * best]
    claims = {one.claim.pk: one.claim for one in near if one.claim is not None}
    # Of what was noted, nearly as likely, the last is meant.
    last = next((one for one in near if one.claim is not None), about)
    return Correction(last if about.claim is not None else about, list(claims.values())[:_MOST])


def offer(prompt: Prompt, alike: Sequence[Message], made: Answer) -> bool:
    """Where a message that nothing came of may change what was said before it: show the notes of
    it. False, with nothing said, where there are none.
    """
    if prompt.notes or prompt.question.reading.foreign:
        return False
    found = _about(prompt.question.content, _earlier(prompt, alike), _PROBABLY)
    if found.claims:
        made.say("If it changes what I noted:")
    _list(found.claims, made)
    return bool(found.claims)


def show(found: Correction, made: Answer) -> None:
    """Say that it was heard and what it is about, and show what was noted of that."""
    if found.about is None:
        made.say(HEARD)
    elif found.about.here:
        made.say(f"I take that as a correction of {found.about.shown}.")
    else:
        made.say("I take that as a change of what you said before:")
        made.point(found.about.shown)
    show_claims(found, made)


def show_claims(found: Correction, made: Answer) -> None:
    """Show the claims that it may be about, to be edited or removed."""
    if found.claims:
        made.say("What I noted stands until you change it:")
    _list(found.claims, made)


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


def _just_noted(prompt: Prompt) -> list[Earlier]:
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
    found: dict[object, Earlier] = {}
    for outcome in outcomes:
        claim = outcome.fact or outcome.memory
        if claim is not None and stands(claim):
            said = _text(claim) if isinstance(claim, Memory) else outcome.message.content
            found.setdefault(claim.pk, Earlier(said, quoted(said.rstrip(" .")), claim))
    return list(found.values())


def _remembered(prompt: Prompt) -> list[Earlier]:
    """The nearest notes of other messages, that stand."""
    question = prompt.question
    near = [note.id for note in prompt.remembered if note.message_id != question.pk][:_NOTES]
    known = Memory.objects.for_user(question.user_id).in_bulk(near) if near else {}
    return [
        Earlier(
            _text(note), f"{quoted(_text(note))}, noted on {on(note.said_at)}", note, here=False
        )
        for key in near
        if (note := known.get(key)) is not None and stands(note)
    ]


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
