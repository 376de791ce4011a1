"""A correction: what it is about is said, and what was noted of that, to be edited or removed.

What is noted is a list with links in the text. A page shows a card of each instead:
`PromptItem.offered`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from conversations.markdown import literal
from conversations.models import LearningOutcome, Message
from conversations.notebook import people, unsettled
from conversations.notebook.answer_builder import Answer, day_in_full, line, quoted, used_fact
from conversations.notebook.message_parts import CORRECTION, Part
from conversations.notebook.orders.changing import (
    SHALL_I_CHANGE,
    Claim,
    edit_page,
    is_in_use,
    may_propose,
    proposed,
)
from conversations.prompt import Prompt
from memory.context import PromptItem
from memory.language import (
    Change,
    changes_surely,
    encode_sentences,
    find_change,
    only_asks,
    puts_right,
    surely_corrects,
)
from memory.models import Memory, ProfileFact
from memory.notes import leans_on_context
from memory.retrieval import ScoredNote

# How far back in a conversation a correction reaches, in messages, and how many claims are shown.
_REACH, _MOST = 12, 3
# So many of the nearest messages elsewhere, and of the notes without one, are looked at.
_COMPARED, _NOTES = 6, 3
# What asks or greets as well has to be so sure a correction, a choice between open values surer.
_SURE_ENOUGH, _NO_CHOICE = 0.8, 0.85
# From the first on it is said what a correction is about, where that was said elsewhere only if it
# is as probably changed at all, or surely meant (the third); from the second on what was noted of
# something is shown to whom nothing could be answered.
_ABOUT, _PROBABLY, _SURELY_ABOUT = 0.3, 0.8, 0.9
# A message of so many words may say nothing of what it speaks: "part time, Monday to Wednesday".
_FEW_WORDS = range(3, 9)
# What sounds like a correction of the last few messages is more probably about one than about none.
_MOST_PROBABLY = 0.5
HEARD = "I take that as a correction."
MAY_CHANGE = "That may change what you said before:"


LINK = "edit or remove"
_HEARD = {
    LearningOutcome.Kind.CONFLICT,
    LearningOutcome.Kind.SETTLED,
    LearningOutcome.Kind.ENDED,
}
"""What came of a message that the ledger took as a change."""
_LISTED = re.compile(rf"\n- “.*” · \[{LINK}\]\(\S+\)(?=\n|$)")


@dataclass(frozen=True)
class EarlierStatement:
    """What was said before, or noted without having been: how an answer names it, the texts that
    may tell what it is about, when it was said, and the message.
    """

    shown: str
    texts: tuple[str, ...]
    said_at: datetime
    here: bool = True
    message_id: UUID | None = None
    note_id: UUID | None = None


@dataclass(frozen=True)
class Correction:
    """What a message puts right: what it is most probably about, and the claims noted of that; and
    whether it `surely` does.
    """

    about: EarlierStatement | None = None
    claims: list[Claim] = field(default_factory=list)
    surely: bool = True


def find(
    prompt: Prompt, parts: list[Part], similar_messages: Sequence[Message]
) -> Correction | None:
    """What the message corrects, where it does and the ledger did not hear it; `similar_messages`
    are like it in meaning.
    """
    told = _correcting_text(prompt, parts)
    if not told:
        return None
    earlier = _earlier_statements(prompt, similar_messages)
    change = find_change(told, [text for one in earlier for text in one.texts])
    about = _changed(earlier, change)
    # Who chooses between open values, or asks, greets or leaves, is sure where something is wrong.
    chooses = prompt.recall.challengers and unsettled.sounds_like_a_choice(told)
    says_so = any(part.kind == CORRECTION for part in parts) or puts_right(told)
    if any(part.asks for part in parts):
        # What stands beside a question or a task mostly belongs to that.
        corrects = says_so
    elif chooses or any(_asks_or_greets(part) for part in parts):
        least = _NO_CHOICE if chooses else _SURE_ENOUGH
        corrects = surely_corrects(told, said_before(prompt), least)
    else:
        near = change is not None and change.share >= _MOST_PROBABLY
        corrects = (
            says_so
            or (near and surely_corrects(told, said_before(prompt), _SURE_ENOUGH))
            or (change is not None and about is not None and changes_surely(told, change))
        )
    if not corrects or _took_over_a_note(prompt):
        return None
    if about is None or change is None or not _is_named(about, change):
        return Correction()
    claims = _noted_of(prompt, about)
    # Of several that one message told, those in which what is told now takes a value's place.
    claims = [one for one in claims if proposed(one, told)] or claims
    surely = says_so or bool(change.holds_the_wrong) or change.share >= _SURELY_ABOUT
    return Correction(about, claims, surely)


def _took_over_a_note(prompt: Prompt) -> bool:
    """Return whether what was noted of the message took the place of an older note already."""
    notes = [outcome.memory_id for outcome in prompt.outcomes if outcome.memory_id]
    rows = Memory.objects.for_user(prompt.question.user_id).filter(superseded_by__in=notes)
    return bool(notes) and rows.exists()


def _changed(earlier: Sequence[EarlierStatement], change: Change | None) -> EarlierStatement | None:
    """What it is that changes."""
    by_place = [one for one in earlier for _ in one.texts]
    return by_place[change.place] if change is not None else None


def _is_named(about: EarlierStatement, change: Change) -> bool:
    """Whether it is sure enough to be told what it is about: the right one may be private."""
    sure = about.here or change.probability >= _ABOUT or change.share >= _SURELY_ABOUT
    return sure and change.share >= _ABOUT and change.holds_the_wrong is not False


def _correcting_text(prompt: Prompt, parts: list[Part]) -> str:
    """What of the message may put something right; "" where nothing may."""
    if prompt.question.reading.foreign:
        return ""
    if any(outcome.kind in _HEARD or _ends_a_fact(outcome) for outcome in prompt.outcomes):
        return ""
    told = " ".join(part.text for part in parts if not part.asks)
    return "" if told.endswith("?") else told


def _ends_a_fact(outcome: LearningOutcome) -> bool:
    """Return whether it asks whether a fact is over."""
    return outcome.memory is not None and outcome.memory.ends_id is not None


def _asks_or_greets(part: Part) -> bool:
    """Whether a part asks, perhaps in the form of a statement, or is a greeting or a feeling."""
    return part.asks or people.is_human_line(part.intent, part.text)


def _earlier_statements(
    prompt: Prompt, similar_messages: Sequence[Message]
) -> list[EarlierStatement]:
    """What it may be about, the last first: what was said shortly before, what is like it in
    meaning, and the nearest notes that were written by hand.
    """
    here = list(_earlier_here(prompt))
    there = {earlier.message_id for earlier in here}
    elsewhere = [
        _said_once(prompt, message)
        for message in _nearest(prompt, similar_messages)
        if message.pk not in there
    ]
    notes = [_noted_by_hand(note) for note in prompt.remembered[:_NOTES] if not note.message_id]
    return [*here, *elsewhere, *notes]


def _said_once(prompt: Prompt, message: Message) -> EarlierStatement:
    here = message.conversation_id == prompt.question.conversation_id
    shown = quoted(message.content.rstrip(" .")) if here else line(message)
    return EarlierStatement(shown, (message.content,), message.said_at, here, message.pk)


def _noted_by_hand(note: ScoredNote) -> EarlierStatement:
    text = note.original or note.content
    shown = f"{quoted(text)}, noted on {day_in_full(note.said_at)}"
    return EarlierStatement(shown, (text,), note.said_at, here=False, note_id=note.id)


def _earlier_here(prompt: Prompt) -> Iterable[EarlierStatement]:
    """What was said shortly before; what does not say of whom it speaks also with what was before
    it.
    """
    said = [
        (turn, turn.own_text) for turn in prompt.history[-_REACH:] if turn.role == Message.Role.USER
    ]
    told = [(turn, text) for turn, text in said if text and not only_asks(text)]
    for position in reversed(range(len(told))):
        turn, text = told[position]
        leans = leans_on_context(text) or len(text.split()) in _FEW_WORDS
        texts = (text, f"{told[position - 1][1]} {text}") if position and leans else (text,)
        yield EarlierStatement(
            quoted(text.rstrip(" .")), texts, turn.said_at, message_id=turn.message_id
        )


def _nearest(prompt: Prompt, alike: Sequence[Message]) -> list[Message]:
    """Those of its owner's that are nearest in meaning."""
    messages = [
        message
        for message in alike
        if message.pk != prompt.question.pk
        and message.is_stated_by_owner
        and not only_asks(message.content)
    ]
    vectors = encode_sentences(
        [prompt.question.content, *(message.content for message in messages)]
    )
    likeness = vectors[1:] @ vectors[0]
    places = sorted(range(len(messages)), key=lambda position: -likeness[position])[:_COMPARED]
    return [messages[position] for position in places]


def offer(prompt: Prompt, similar_messages: Sequence[Message], answer: Answer) -> bool:
    """Where a message that nothing came of may change what was said before it: show the notes of
    it. False, with nothing said, where there are none.
    """
    if prompt.outcomes or prompt.question.reading.foreign:
        return False
    earlier = _earlier_statements(prompt, similar_messages)
    told = prompt.question.content
    change = find_change(told, [text for one in earlier for text in one.texts])
    about = _changed(earlier, change)
    if change is None or about is None or min(change.share, change.probability) < _PROBABLY:
        return False
    claims = _noted_of(prompt, about)
    if claims:
        answer.say("If it changes what I noted:")
    _list(claims, answer)
    return bool(claims)


def store_correction(prompt: Prompt, correction: Correction | None) -> None:
    """Store which message this one corrects, as its author is told, and show its notes behind the
    words of that one.
    """
    question = prompt.question
    about = (
        correction.about.message_id
        if correction and correction.about and correction.surely
        else None
    )
    if about != question.corrects_id:
        question.corrects_id = about
        question.save(update_fields=["corrects"])
    mine = Message.objects.for_user(question.user_id)
    if correction and about and mine.filter(pk=about, confidential=False).exists():
        own = LearningOutcome.objects.filter(user_id=question.user_id, message=question)
        own.filter(goes_on_from__isnull=False).update(goes_on_from=about)


def show(prompt: Prompt, correction: Correction, answer: Answer) -> None:
    """Say that it was heard and what it is about, and show what was noted of that."""
    if correction.about is None:
        answer.say(HEARD)
    elif not correction.surely:
        answer.say(MAY_CHANGE)
        answer.point(correction.about.shown)
    elif correction.about.here:
        answer.say(f"I take that as a correction of {correction.about.shown}.")
    else:
        answer.say("I take that as a change of what you said before:")
        answer.point(correction.about.shown)
    show_claims(prompt, correction, answer)


def show_claims(prompt: Prompt, correction: Correction, answer: Answer) -> None:
    """Show the claims that it may be about, to be edited or removed."""
    if correction.claims:
        answer.say("What I noted stands until you change it:")
    _list(correction.claims, answer)
    new = [proposed(one, prompt.question.content) for one in correction.claims]
    if len(new) == 1 and new[0] and may_propose(prompt, prompt.question):
        answer.say(f"{SHALL_I_CHANGE} “{literal(new[0])}”?")


def without_list(content: str) -> str:
    """An answer's text without the list of the claims, where their cards stand under it."""
    return _LISTED.sub("", content)


def _list(claims: list[Claim], answer: Answer) -> None:
    for claim in claims:
        line = f"“{literal(_text(claim))}” · [{LINK}]({edit_page(claim)})"
        answer.offer(line, _offered(claim))


def said_before(prompt: Prompt) -> list[str]:
    """What the person said shortly before in this conversation, the last one last."""
    return [turn.text for turn in prompt.history[-_REACH:] if turn.role == Message.Role.USER]


def _noted_of(prompt: Prompt, about: EarlierStatement) -> list[Claim]:
    """What was noted of a message, or is a note itself, and stands."""
    user_id = prompt.question.user_id
    if about.note_id is not None:
        return [
            note
            for note in Memory.objects.for_user(user_id).filter(pk=about.note_id)
            if is_in_use(note)
        ]
    outcomes = LearningOutcome.objects.filter(user_id=user_id, message=about.message_id)
    noted = (
        outcome.fact or outcome.memory for outcome in outcomes.select_related("fact", "memory")
    )
    claims = {claim.pk: claim for claim in noted if claim is not None and is_in_use(claim)}
    return list(claims.values())[:_MOST]


def _text(claim: Claim) -> str:
    if isinstance(claim, Memory):
        return claim.original or claim.content
    return claim.sentence


def _offered(claim: Claim) -> PromptItem:
    if isinstance(claim, ProfileFact):
        return replace(used_fact(claim), offered=True)
    text = claim.content
    return PromptItem(what="memory", id=claim.pk, heading="", line=text, prose=text, offered=True)
