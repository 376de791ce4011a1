"""An answer while it is made: its sentences, what they rest on, and what was looked up for them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime

from django.utils.timezone import localtime

from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook.sentences import sentences
from conversations.prompt import Prompt
from conversations.tools.steps import Step
from memory.context import PromptItem
from memory.language import (
    Reading,
    TextStanding,
    only_asks,
    puts_right,
)
from memory.models import ProfileFact
from memory.notes import context_label, retracted_messages
from memory.retrieval import ScoredNote

NOTHING = "I don't know that yet."
# A quote longer than this is cut around what matters.
LONGEST_QUOTE = 340
_LONGEST_BEFORE = 160
# So much of a message of this conversation is looked through sentence by sentence; of a longer one
# recall finds the rest.
_READ_OF_A_TURN = 2_000


@dataclass
class Answer:
    """The sentences of an answer, the things they rest on, and the steps that led there."""

    pieces: list[str] = field(default_factory=list)
    used: list[PromptItem] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def say(self, sentence: str, *facts: ProfileFact) -> None:
        """Add a sentence and what it rests on; behind a list in a paragraph of its own."""
        behind_a_list = bool(self.pieces) and self.pieces[-1].startswith("\n- ")
        lead = "" if not self.pieces else "\n\n" if behind_a_list else " "
        self.pieces.append(lead + sentence)
        self.rest_on(*(used_fact(fact) for fact in facts))

    def point(self, line: str, *items: PromptItem) -> None:
        """Add a line of a list."""
        self.pieces.append("\n- " + line)
        self.rest_on(*items)

    def offer(self, line: str, item: PromptItem) -> None:
        """Add a line of a list about what its owner may correct, also where it was used before."""
        self.used = [one for one in self.used if one.id != item.id]
        self.point(line, item)

    def paragraph(self, sentence: str) -> None:
        """Add a sentence after a blank line."""
        self.pieces.append(sentence if not self.pieces else "\n\n" + sentence)

    def join(self, other: "Answer") -> None:
        """Add what another answer says, in a paragraph of its own."""
        if other.pieces:
            self.pieces += ["\n\n" if self.pieces else "", *other.pieces]
        self.rest_on(*other.used)
        self.steps += [step for step in other.steps if step not in self.steps]

    @property
    def has_cards(self) -> bool:
        """Whether something is offered to be corrected, on a card beneath the text."""
        return any(item.offered for item in self.used)

    def rest_on(self, *items: PromptItem) -> None:
        """Note what the answer rests on, each once."""
        there = {item.id for item in self.used}
        self.used += [item for item in items if item.id not in there]


def used_fact(fact: ProfileFact) -> PromptItem:
    """A fact that an answer rests on."""
    return PromptItem(
        what="fact", id=fact.pk, heading=fact.kind.noun, line=fact.value, prose=fact.value
    )


def used_note(note: ScoredNote) -> PromptItem:
    """A note that an answer rests on."""
    return PromptItem(
        what="summary" if note.category == "summary" else "memory",
        id=note.id,
        heading="",
        line=note.content,
        prose=note.content,
        score=note.score,
        conversation_id=note.conversation_id,
    )


def used_message(message: Message) -> PromptItem:
    """A message that an answer rests on."""
    return PromptItem(
        what="quote",
        id=message.pk,
        heading="",
        line=message.content,
        prose=message.content,
        conversation_id=message.conversation_id,
    )


# --- How things are said -------------------------------------------------------------------------


def day_in_full(at: datetime | date) -> str:
    """A day in full: '7 May 2023'."""
    told = localtime(at).date() if isinstance(at, datetime) else at
    return f"{told.day} {told:%B %Y}"


def source(message: Message) -> str:
    """Where it was said, as a link: its day."""
    return f"[{day_in_full(message.said_at)}]({message.get_absolute_url()})"


def said_by(message: Message) -> str:
    """Who spoke: 'you', or the name in a dialogue that was played back; of what was pasted that it
    was.
    """
    who = literal(message.author) if message.author else "you"
    return {
        TextStanding.PASTED: f"in a text {who} pasted",
        TextStanding.CLAIM: f"{who}, unchecked",
        TextStanding.EDITED: f"{who}, as {who} put it right",
    }.get(message.quoted_as, who)


def unless_said(note: ScoredNote) -> str:
    """', unchecked' and the like behind when a note was taken; '' for one's own plain words."""
    how = {TextStanding.PASTED: ", from a text you pasted", TextStanding.CLAIM: ", unchecked"}
    return how.get(note.standing, "")


def noted_line(note: ScoredNote) -> str:
    """'Noted 7 May 2023, unchecked: …'"""
    text = literal(note.original or note.content)
    return f"Noted {day_in_full(note.said_at)}{unless_said(note)}: {text}"


def quoted(text: str, around: str = "") -> str:
    """A text in quotation marks, cut to what matters when it is long."""
    plain = " ".join(text.split())
    if len(plain) > LONGEST_QUOTE:
        index = max(0, plain.find(around)) if around else 0
        first = max(0, min(index - LONGEST_QUOTE // 4, len(plain) - LONGEST_QUOTE))
        last = first + LONGEST_QUOTE
        plain = f"{'…' if first else ''}{plain[first:last]}{'…' if last < len(plain) else ''}"
    return f"“{literal(plain)}”"


def quote_from_here(
    prompt: Prompt, answer: Answer, lead: str, fits: Callable[[str], bool], most: int
) -> bool:
    """Quote the last of what the person said in this conversation that fits; False for nothing."""
    fitting = [
        (turn.message_id, part)
        for turn in prompt.history
        if turn.role == Message.Role.USER
        for part in sentences(turn.own_text[:_READ_OF_A_TURN])
        if fits(part) and not (only_asks(part) or Reading(part).only_forgets)
    ]
    gone = (
        retracted_messages(prompt.question.user_id, [pk for pk, _ in fitting]) if fitting else set()
    )
    said = [part for pk, part in fitting if pk not in gone]
    if said:
        answer.say(lead)
    for part in dict.fromkeys(said[-most:]):
        answer.point(quoted(part))
    return bool(said)


def line(message: Message, sentence: str = "") -> str:
    """'[8 May 2023](…), Ada: “…”', with what the next sentence puts right of it."""
    said = f"{sentence}{_put_right(message.content, sentence)}" if sentence else message.content
    return f"{source(message)}, {said_by(message)}: {quoted(said)}"


def after(before: str, text: str) -> str:
    """' (after “She has the two small ones…”)', for what was said before it; '' for nothing."""
    shown = context_label(before, _LONGEST_BEFORE, text)
    return f" (after “{literal(shown)}”)" if shown else ""


def _put_right(text: str, sentence: str) -> str:
    """' No, sorry, Beatrice.', where that follows a sentence in a text and corrects it."""
    parts = sentences(text)
    following = parts[parts.index(sentence) + 1 :][:1] if sentence in parts else []
    return f" {following[0]}" if following and puts_right(following[0]) else ""
