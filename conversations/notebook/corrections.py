"""Corrections: which earlier message they correct, and which facts and memories came from it.

Facts and memories are listed as links in the text; the page shows a card for each instead
(`PromptItem.offered`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from conversations.markdown import literal
from conversations.models import NO_PLAN, LearningOutcome, Message
from conversations.notebook.answer_builder import Answer, line, quoted, used_fact
from conversations.notebook.changing import (
    SHOULD_I_CHANGE,
    Claim,
    edit_page,
    is_in_use,
    may_propose,
    proposed,
)
from conversations.notebook.message_parts import CORRECTION, COURTESY, Part
from conversations.prompt import Prompt
from conversations.search import message_recall
from conversations.search.message_recall import RecallMode
from memory.context.prompt_items import PromptItem
from memory.context.turn_context import Turn
from memory.language.classifiers.correction_classifier import (
    Change,
    changes_surely,
    find_change,
    surely_corrects,
)
from memory.language.dates.planned_days import find_planned_days
from memory.language.reading import is_correction, only_asks, stands_alone
from memory.language.substitution import put_right
from memory.models import Memory, ProfileFact

# How many messages back in the conversation a correction may refer, and how many facts and memories
# to show.
_REACH, _MOST = 12, 3
# How many of the most similar messages of other conversations are considered.
_LOOKED_AT = 6
# Least probability of a correction without an explicit sign such as "no".
_LEAST_PROBABILITY = 0.8
# Least probability to name the corrected statement; and, for one in another conversation, to name
# it without further evidence.
_ABOUT, _SURELY_ABOUT = 0.3, 0.9
# A message of so many words may not say what it is about: "part time, Monday to Wednesday".
_FEW_WORDS = range(3, 9)
# A seeming correction of recent messages more probably corrects one of these than none.
_MOST_PROBABLY = 0.5
HEARD = "Thanks for the correction."
MAY_CHANGE = "That may change something you told me:"
LINK = "edit or remove"
_LISTED = re.compile(rf"\n- “.*” · \[{LINK}\]\(\S+\)(?=\n|$)")
_HEARD = {
    LearningOutcome.Kind.CONFLICT,
    LearningOutcome.Kind.SETTLED,
    LearningOutcome.Kind.ENDED,
}
"""What came of a message that the ledger took as a change."""


@dataclass(frozen=True)
class EarlierStatement:
    """A statement in an earlier message. shown: how an answer names it. texts: variants of the text
    to compare. here: whether it was said in this conversation.
    """

    shown: str
    texts: tuple[str, ...]
    here: bool
    message_id: UUID


@dataclass(frozen=True)
class Correction:
    """A correction. about: the statement that it most probably corrects. claims: the facts and
    memories from that statement, else the latest ones. surely: whether `about` is certain.
    """

    about: EarlierStatement | None = None
    claims: list[Claim] = field(default_factory=list)
    surely: bool = True


def find_alike(prompt: Prompt, parts: Sequence[Part]) -> list[Message]:
    """Return the user's earlier messages most similar in meaning to a statement, best first; [] if
    the message only asks.
    """
    question = prompt.question
    if question.reading.foreign or all(part.asks for part in parts):
        return []
    passages = message_recall.passages(question, _LOOKED_AT, RecallMode.MEANING)
    return [passage.message for passage in passages if passage.message.is_stated_by_owner]


def find(prompt: Prompt, parts: list[Part], alike: Sequence[Message]) -> Correction | None:
    """Return the correction that a message makes; None if there is none, or if learning has already
    applied the change. `alike` are messages similar in meaning.
    """
    text = _correcting_text(prompt, parts)
    if not text:
        return None
    earlier = _earlier_statements(prompt, alike)
    by_place = [statement for statement in earlier for _ in statement.texts]
    change = find_change(text, [text for statement in earlier for text in statement.texts])
    about = by_place[change.place] if change is not None else None
    says_so = any(part.kind == CORRECTION for part in parts) or is_correction(text)
    # A possible correction beside a question or a task mostly belongs to that.
    asks = any(part.asks for part in parts)
    if not (says_so or (not asks and _sounds_like_one(prompt, text, change))):
        return None
    if says_so and earlier and earlier[0].here and put_right(earlier[0].texts[0], text):
        # "Sorry, I meant Tuesday", right after a message that names a day.
        return _of(prompt, earlier[:1], earlier[0])
    if about is None or change is None or not _is_named(about, change):
        return _of(prompt, [statement for statement in earlier if statement.here])
    correction = _of(prompt, [about], about)
    # Of several facts and memories prefer those in which the new value can replace the old one.
    fitting = [claim for claim in correction.claims if proposed(claim, text)] if correction else []
    if correction is None or (prompt.outcomes and not says_so and not fitting):
        # A new fact was noted, so the message is not a correction.
        return None
    surely = says_so or bool(change.holds_the_wrong) or change.share >= _SURELY_ABOUT
    return replace(correction, claims=fitting or correction.claims, surely=surely)


def _of(
    prompt: Prompt, statements: Sequence[EarlierStatement], about: EarlierStatement | None = None
) -> Correction | None:
    """Return the correction of the facts and memories from these statements; None if all hold."""
    noted = _claims_from(prompt, [statement.message_id for statement in statements])
    claims = [claim for claim in noted if not _still_holds(prompt, claim)]
    return None if noted and not claims else Correction(about, claims)


def _still_holds(prompt: Prompt, claim: Claim) -> bool:
    """Return whether the message repeats a fact, or only plans another value for later."""
    if not isinstance(claim, ProfileFact):
        return False
    if any(outcome.fact_id == claim.pk for outcome in prompt.outcomes):
        return True
    spans = prompt.question.reading.read.spans
    return {span.status for span in spans if span.label == claim.slot} == {"planned"}


def _sounds_like_one(prompt: Prompt, text: str, change: Change | None) -> bool:
    if change is None:
        return False
    near = change.share >= _MOST_PROBABLY
    if near and surely_corrects(text, said_before(prompt), _LEAST_PROBABILITY):
        return True
    return changes_surely(text, change)


def _is_named(about: EarlierStatement, change: Change) -> bool:
    """Return whether to name the corrected statement; unsure guesses are not shown, because the
    right statement may be private.
    """
    sure = about.here or change.probability >= _ABOUT or change.share >= _SURELY_ABOUT
    return sure and change.share >= _ABOUT and change.holds_the_wrong is not False


def _correcting_text(prompt: Prompt, parts: list[Part]) -> str:
    """Return the part of the message that may correct something; "" if there is none, or if
    learning has already applied the change.
    """
    if prompt.question.reading.foreign:
        return ""
    memories = [outcome.memory for outcome in prompt.outcomes if outcome.memory is not None]
    noted = any(
        outcome.kind in _HEARD or (outcome.fact is not None and outcome.fact.replaces_id)
        for outcome in prompt.outcomes
    )
    if noted or any(memory.ends_id is not None for memory in memories):
        return ""
    rows = Memory.objects.for_user(prompt.question.user_id)
    if memories and rows.filter(superseded_by__in=memories).exists():
        return ""
    text = " ".join(part.text for part in parts if not part.asks and part.kind != COURTESY)
    return "" if text.endswith("?") else text


# --- Candidates for the corrected statement ------------------------------------------------------


def said_before(prompt: Prompt) -> list[str]:
    """Return the user's recent messages of this conversation, latest last."""
    return [turn.text for turn in prompt.history[-_REACH:] if turn.role == Message.Role.USER]


def _earlier_statements(prompt: Prompt, alike: Sequence[Message]) -> list[EarlierStatement]:
    """Return the statements that may be corrected: recent ones, latest first, then similar ones of
    other conversations.
    """
    here = list(_earlier_here(prompt))
    known = {statement.message_id for statement in here}
    nearest = [
        m for m in alike if not only_asks(m.content) or (m.planned_until or NO_PLAN) > NO_PLAN
    ]
    elsewhere = [
        EarlierStatement(line(message), (message.content,), False, message.pk)
        for message in nearest
        if message.pk not in known
    ]
    return [*here, *elsewhere]


def _earlier_here(prompt: Prompt) -> Iterator[EarlierStatement]:
    """Yield the recent statements of this conversation; an unclear one also with the one
    before it.
    """
    turns = [turn for turn in prompt.history[-_REACH:] if turn.role == Message.Role.USER]
    stated = [(turn, turn.own_text) for turn in turns]
    stated = [(turn, text) for turn, text in stated if text and _states(turn, text)]
    for position in reversed(range(len(stated))):
        turn, text = stated[position]
        words = len(text.split())
        unclear = words in _FEW_WORDS or (words >= _FEW_WORDS.stop and not stands_alone(text))
        texts = (text, f"{stated[position - 1][1]} {text}") if position and unclear else (text,)
        yield EarlierStatement(quoted(text.rstrip(" .")), texts, True, turn.message_id)


def _states(turn: Turn, text: str) -> bool:
    """Return whether a message states something, including a plan: "Remind me to …"."""
    return not only_asks(text) or bool(find_planned_days(text, turn.said_at))


def _claims_from(prompt: Prompt, message_ids: Sequence[UUID]) -> list[Claim]:
    rows = LearningOutcome.objects.filter(
        user_id=prompt.question.user_id, message__in=message_ids
    ).order_by("-message__number", "pk")
    noted = (outcome.fact or outcome.memory for outcome in rows.select_related("fact", "memory"))
    claims = {claim.pk: claim for claim in noted if claim is not None and is_in_use(claim)}
    return list(claims.values())[:_MOST]


# --- Wording -------------------------------------------------------------------------------------


def store_correction(prompt: Prompt, correction: Correction | None) -> None:
    """Store which message this one corrects, if the answer says so."""
    question = prompt.question
    about = None
    if correction is not None and correction.about is not None and correction.surely:
        about = correction.about.message_id
    if about != question.corrects_id:
        question.corrects_id = about
        question.save(update_fields=["corrects"])


def show(prompt: Prompt, correction: Correction, answer: Answer) -> None:
    """Confirm a correction, name the corrected statement, and show what was learned from it."""
    if correction.about is None:
        answer.say(HEARD)
    elif correction.surely:
        answer.say(f"Thanks. I’ll treat this as a correction of {correction.about.shown}.")
    else:
        answer.say(MAY_CHANGE)
        answer.point(correction.about.shown)
    show_claims(prompt, correction, answer)


def show_claims(prompt: Prompt, correction: Correction, answer: Answer) -> None:
    """List the facts and memories to edit or remove, and propose the new value."""
    if correction.claims:
        answer.say("I haven’t changed anything yet. This is what I have:")
    for claim in correction.claims:
        _offer_claim(claim, answer)
    new = [proposed(claim, prompt.question.content) for claim in correction.claims]
    if correction.about and len(new) == 1 and new[0] and may_propose(prompt, prompt.question):
        answer.say(f"{SHOULD_I_CHANGE} “{literal(new[0])}”?")


def _offer_claim(claim: Claim, answer: Answer) -> None:
    if isinstance(claim, ProfileFact):
        text, item = claim.sentence, replace(used_fact(claim), offered=True)
    else:
        text = claim.original or claim.content
        item = PromptItem("memory", claim.pk, "", claim.content, claim.content, offered=True)
    answer.point(_to_edit(text, edit_page(claim)), item)


def _to_edit(text: str, page: str) -> str:
    return f"“{literal(text)}” · [{LINK}]({page})"


def without_list(content: str) -> str:
    """Return an answer's text without its list of items, which the page shows as cards."""
    return _LISTED.sub("", content)
