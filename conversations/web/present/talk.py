"""Messages, their chips and steps as pages show them."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import compress
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.timezone import now

from conversations import llm, markdown, notebook
from conversations.learning import note_consent, open_questions
from conversations.learning.provisional import PROVISIONAL
from conversations.models import LearningOutcome, Message
from conversations.notebook import changing, corrections
from conversations.tools import consent, registry
from conversations.tools.steps import Step, deed, outcome, takes_away
from conversations.web.present import chips, kept_because
from conversations.web.present.claim_cards import ClaimCard, claim_cards
from memory.core.persistence_gate import PersistenceReason
from memory.language.queries.query_intent import read_yes_or_no
from memory.language.safety.guard import explain_refusal
from memory.web.present.remedies import ShownReason, shown_reason

# For how long after an answer the page polls for its chips.
_LISTENED_WITHIN = timedelta(minutes=5)
# Longest value of an argument in a step, in characters.
_LONGEST_VALUE = 200
# Text of an answer about its own buttons; removed when these are gone.
_HOW_TO_DECIDE = "Press Yes or No, or say so."
_AN_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True)
class StepView:
    """A line about a look-up for an answer, or a question before something is deleted."""

    place: str
    deed: str
    outcome: str
    state: str
    found: str
    arguments: list[tuple[str, str]]
    mark: str
    decide_url: str
    # Whether approval deletes something.
    takes_away: bool


@dataclass
class Entry:
    """A message as the page shows it; an answer with the chips of its question."""

    message: Message
    notes: list[chips.NoteView] = field(default_factory=list)
    # For a deleted turn: the number of the answer, shown in the question's line.
    with_answer: int = 0
    # The cards of facts and memories to correct.
    claims: list[ClaimCard] = field(default_factory=list)
    # The URL to save the question as a memory by hand; '' if not offered.
    note_url: str = ""
    # Why nothing in the question was stored.
    not_kept: ShownReason | None = None
    # How much of the question was read, if not all of it.
    reading_notice: str = ""
    # The URL to poll for chips until the connected model has read the question.
    listening_url: str = ""

    @property
    def settled_notes(self) -> list[chips.NoteView]:
        """The final chips: without those that the connected model may still withdraw."""
        waits = bool(self.listening_url)
        return [chip for chip in self.notes if not (waits and chip.note.kind in PROVISIONAL)]

    def __getattr__(self, name: str) -> object:
        # Templates use an entry like the message that it wraps.
        return getattr(self.message, name)

    @property
    def failure(self) -> str:
        """The failure sentence without "Try again.", which is a button on the page."""
        return self.message.failure.removesuffix(" Try again.")

    @property
    def steps(self) -> list[StepView]:
        """The steps, in order."""
        return steps(self.message, self.message.steps)

    @property
    def failures(self) -> list[StepView]:
        """The failed steps that needed no approval; failed look-ups are in the trace."""
        asked_first = _asked_first(self.message)
        return [
            step
            for step, asks in zip(self.steps, asked_first, strict=True)
            if step.state == "failed" and not asks
        ]

    @property
    def is_quiet(self) -> bool:
        """Whether the answer only says that the message is stored: shown as an icon."""
        message = self.message
        says_so = message.content.startswith(tuple(notebook.QUIET))
        tells_more = any(item["what"] == "lesson" for item in message.recalled)
        return message.state == Message.State.DONE and says_so and not tells_more

    @property
    def is_told_by_chips(self) -> bool:
        """Whether the chips say the same as the answer, so that only screen readers get its
        text.
        """
        if not self.notes or self.message.state != Message.State.DONE:
            return False
        quiet = self.is_quiet and self.message.content == notebook.NOTED
        return quiet or note_consent.tells_only_that_it_stays(self.message)

    @property
    def is_noted_anyway(self) -> bool:
        """Whether what the answer offered to note was noted with the user's consent."""
        if any(shown.kind == LearningOutcome.Kind.WITHHELD for shown in self.notes):
            return False
        if self.notes and note_consent.asks(self.message):
            rows = [shown.note for shown in self.notes]
            return note_consent.is_noted_whole(rows[0].message, rows)
        return any(
            shown.because is not None and shown.because.reason is PersistenceReason.SAID_YES
            for shown in self.notes
        )

    @property
    def says_why_not(self) -> bool:
        """Whether the answer, or the notice of a private conversation, says why nothing is
        stored.
        """
        if self.not_kept is None:
            return False
        private = self.not_kept.reason is PersistenceReason.PRIVATE
        return private or self.not_kept.reason.sentence in self.message.content

    @property
    def decisions(self) -> list[StepView]:
        """The steps that needed approval, with their outcomes."""
        return list(compress(self.steps, _asked_first(self.message)))

    @property
    def html(self) -> SafeString:
        """The rendered answer, without text that cards and used buttons already show."""
        content = self.message.content
        if self.message.steps and not consent.asks(self.message):
            content = content.replace(f" {_HOW_TO_DECIDE}", "")
        if self.is_noted_anyway:
            content = note_consent.after_a_yes(content)
        return markdown.render(corrections.without_list(content) if self.claims else content)


def entries(messages: Iterable[Message], *, memory_on: bool = True) -> list[Entry]:
    """Return the entries of consecutive messages of one conversation; a fixed number of queries for
    the chips.

    Why nothing was stored is shown for the last question only, as it says what to do now.
    """
    made = [Entry(message) for message in messages]
    notes = chips.by_message([entry.message for entry in made])
    cards = claim_cards([entry.message for entry in made])
    for before, entry, after in zip([None, *made], made, [*made[1:], None], strict=False):
        entry.claims = cards.get(entry.message.pk, [])
        if entry.message.role == Message.Role.USER:
            continue
        if before is not None and before.message.role == Message.Role.USER:
            entry.notes = notes.get(before.message.pk, [])
            entry.reading_notice = kept_because.reading_notice(before.message)
            entry.listening_url = _listening_url(before.message, entry.message)
            if entry is made[-1]:
                entry.not_kept = _not_kept(before.message, entry.notes, memory_on=memory_on)
            if memory_on and not _is_declined(entry, after):
                entry.note_url = _note_url(before.message, entry)
    return _taken_out_once(made)


def _taken_out_once(made: list[Entry]) -> list[Entry]:
    """Return the entries, with the two of a deleted turn merged into one."""
    shown: list[Entry] = []
    for entry in made:
        before = shown[-1].message if shown else None
        if (
            before is not None
            and {before.state, entry.message.state} == {Message.State.REMOVED}
            and (before.role, entry.message.role) == (Message.Role.USER, Message.Role.ASSISTANT)
        ):
            shown[-1].with_answer = entry.message.number
        else:
            shown.append(entry)
    return shown


def answer(
    message: Message, question: Message | None = None, notes: list[LearningOutcome] | None = None
) -> Entry:
    """Return the entry of one answer, with its question's chips; missing arguments are read."""
    question = question or _question_of(message)
    if question is None or question.role != Message.Role.USER:
        return Entry(message)
    cards, shown = claim_cards([message]).get(message.pk, []), chips.notes_of(question, notes)
    not_kept = _not_kept(question, shown, memory_on=message.user.memory_on)
    notice = kept_because.reading_notice(question)
    entry = Entry(message, shown, claims=cards, not_kept=not_kept, reading_notice=notice)
    entry.note_url = _note_url(question, entry) if message.user.memory_on else ""
    entry.listening_url = _listening_url(question, message)
    return entry


def _listening_url(question: Message, answer: Message) -> str:
    """Return the URL to poll for a question's chips until the connected model has read it; "" if no
    model reads it, or the wait was too long.
    """
    recent = now() - answer.said_at < _LISTENED_WITHIN
    if not recent or not llm.configured() or not answer.user.memory_on:
        return ""
    if question.number <= answer.conversation.reflected_up_to:
        return ""
    return reverse("conversations:listened", args=[answer.pk])


def _is_declined(entry: Entry, after: Entry | None) -> bool:
    """Return whether an answer offers to note something and the next message declines."""
    asks = note_consent.asks(entry.message)
    return asks and after is not None and read_yes_or_no(after.message.content) is False


def _note_url(question: Message, entry: Entry) -> str:
    """Return the URL to save a message as a memory by hand; "" if that is not allowed."""
    text = entry.message.content
    only_kept = entry.is_quiet and text.startswith(notebook.KEPT) and not entry.notes
    noted = note_consent.is_noted_whole(question, [shown.note for shown in entry.notes])
    waits = note_consent.asks(entry.message) and not noted
    if entry.not_kept or not (only_kept or waits) or explain_refusal(question.content):
        return ""
    return reverse("conversations:note_message", args=[question.pk])


def _not_kept(
    question: Message, notes: list[chips.NoteView], *, memory_on: bool
) -> ShownReason | None:
    """Return why nothing of a question was stored, if no chip shows that."""
    reason = None if notes else kept_because.of_message(question, memory_on=memory_on)
    return None if reason is None else shown_reason(reason)


def decided_by(answer: Message, question: Message | None = None) -> list[chips.NoteView]:
    """Return the chips of the message whose offer this answer's question accepts or declines."""
    question = question or _question_of(answer)
    if question is None or not note_consent.answers_the_offer(question):
        return []
    before = _message_at(answer, note_consent.number_meant(question))
    if before is None:
        return []
    return [chip for chip in chips.notes_of(before) if chip.conflict is None]


def offer_before(answer: Message, question: Message | None = None) -> Message | None:
    """Return the earlier answer whose offer was accepted or declined by this answer's question; its
    button must be removed.
    """
    question = question or _question_of(answer)
    if question is None or not note_consent.answers_the_offer(question):
        return None
    before = open_questions.answer_meant(question)
    return before if before is not None and note_consent.asks(before) else None


def claims_decided_by(answer: Message, question: Message | None = None) -> list[ClaimCard]:
    """Return the cards of the earlier answer whose proposal was accepted or declined by this
    answer's question.
    """
    question = question or _question_of(answer)
    if question is None or read_yes_or_no(question.content) is None:
        return []
    before = open_questions.answer_meant(question)
    proposes = before is not None and changing.SHOULD_I_CHANGE in before.content
    return claim_cards([before]).get(before.pk, []) if before is not None and proposes else []


def _question_of(answer: Message) -> Message | None:
    return _message_at(answer, answer.number - 1)


def _message_at(answer: Message, number: int) -> Message | None:
    return Message.objects.beside(answer).filter(number=number).first()


def steps(answer: Message, kept: list[dict[str, Any]]) -> list[StepView]:
    """Return the view models of an answer's stored steps."""
    return [step(answer, position, Step.from_kept(raw)) for position, raw in enumerate(kept)]


def _asked_first(answer: Message) -> list[bool]:
    """Return for each step of an answer whether it needed approval."""
    kept = map(Step.from_kept, answer.steps)
    return [step.state == "asked" or registry.asks_first(step.tool) for step in kept]


def no_longer_asked(answer: Message, question: Message | None = None) -> list[Entry]:
    """Return the entries of earlier answers whose question was cancelled by this answer, or
    answered by its question.
    """
    before = {earlier.pk: Entry(earlier) for earlier, _, _ in consent.overtaken_by(answer)}
    question = question or _question_of(answer)
    if question is not None and read_yes_or_no(question.content) is not None:
        earlier_answer = open_questions.answer_meant(question)
        if (
            earlier_answer is not None
            and not consent.asks(earlier_answer)
            and any(_asked_first(earlier_answer))
        ):
            before[earlier_answer.pk] = Entry(earlier_answer)
    return list(before.values())


def step(answer: Message, position: int, taken: Step) -> StepView:
    """Return the view model of one step."""
    return StepView(
        place=f"{answer.pk}-{position}",
        deed=deed(taken),
        outcome=outcome(taken),
        state=taken.state,
        found=taken.found,
        arguments=[
            (name.replace("_", " "), line)
            for name, value in taken.arguments.items()
            if (line := _in_a_line(value))
        ],
        mark=taken.mark,
        decide_url=reverse("conversations:decide", args=[answer.pk, position]),
        takes_away=takes_away(taken),
    )


def _in_a_line(value: object) -> str:
    """Return an argument as one line of text; '' for an id."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_in_a_line, value)))[:_LONGEST_VALUE]
    if isinstance(value, str) and _AN_ID.fullmatch(value):
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"
