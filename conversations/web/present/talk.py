"""Messages and notes as a page shows them."""

import json
import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.safestring import SafeString

from conversations import markdown, notebook
from conversations.learning import sensitive_consent
from conversations.models import LearningOutcome, Message
from conversations.notebook import corrections
from conversations.tools import consent, registry, words
from conversations.tools.steps import Step
from conversations.web.present import kept_because
from conversations.web.present.claim_cards import ClaimCard, claim_cards
from ledger.models import Contradiction
from ledger.web import present as ledger_present
from ledger.web.present import ConflictView
from memory.core.persistence_gate import Allowed, Reason
from memory.facts import validity
from memory.models import Memory, Override, ProfileFact
from memory.notes import labels
from memory.web.present import remedies
from personas.models import UserPersona

_REMOVED = ProfileFact.Status.REMOVED
_Standing = UserPersona.Standing
_STANDING_IN_WORDS: dict[str, str] = {
    _Standing.GUESSED: "I have not asked you",
    _Standing.CONFIRMED: "You work in this role",
    _Standing.DECLINED: "You said no to this role",
    _Standing.LEFT: "You left this role",
}
# How much of one argument a step shows, in characters.
_LONGEST_VALUE = 200
_AN_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# A conversation, a slot and a value that holds there only.
_Place = tuple[UUID | None, str, str]


@dataclass(frozen=True)
class NoteView:
    """A chip."""

    note: LearningOutcome
    kind: str
    text: str
    undo_url: str = ""
    restore_url: str = ""
    widen_url: str = ""
    anyway_url: str = ""
    # Why it is where it is, and the way to change that.
    because: remedies.Told | None = None
    role_url: str = ""
    conflict: ConflictView | None = None

    @property
    def pk(self) -> object:
        """The note's key."""
        return self.note.pk


@dataclass(frozen=True)
class StepView:
    """A line about what was looked up for an answer, or a question before something goes."""

    place: str
    deed: str
    outcome: str
    state: str
    found: str
    arguments: list[tuple[str, str]]
    mark: str
    decide_url: str
    # Whether a yes takes something away.
    takes_away: bool


@dataclass
class Entry:
    """A question, or an answer with what was noted from its question."""

    message: Message
    notes: list[NoteView] = field(default_factory=list)
    # Of a turn that was taken out: the number of the answer, which shares the question's line.
    with_answer: int = 0
    # What its owner may correct under it.
    claims: list[ClaimCard] = field(default_factory=list)
    # Why nothing that the question states was kept.
    not_kept: remedies.Told | None = None

    def __getattr__(self, name: str) -> object:
        # A template reads an entry as the message it wraps.
        return getattr(self.message, name)

    @property
    def failure(self) -> str:
        """What went wrong, without the last words: on a page they are a button."""
        return self.message.failure.removesuffix(" Try again.")

    @property
    def steps(self) -> list[StepView]:
        """What was looked up, in order."""
        return steps(self.message, self.message.steps)

    @property
    def actions(self) -> list[StepView]:
        """What was done or left after a question, and what failed: what was only looked up stands
        where the answer is opened.
        """
        kept = map(Step.from_kept, self.message.steps)
        told = [registry.asks_first(one.tool) or one.state == "failed" for one in kept]
        return [one for one in compress(self.steps, told) if one.state != "asked"]

    @property
    def is_quiet(self) -> bool:
        """Whether it only says that the message is kept: a mark, and no answer."""
        message = self.message
        says_so = message.content in notebook.QUIET or message.content.startswith(notebook.KEPT)
        tells_more = any(item["what"] == "lesson" for item in message.recalled)
        return message.state == Message.State.DONE and says_so and not tells_more

    @property
    def is_told_by_chips(self) -> bool:
        """Whether the chips under it say the same, so that its words are for a screen reader."""
        return bool(self.notes) and self.is_quiet and self.message.content == notebook.NOTED

    @property
    def says_why_not(self) -> bool:
        """Whether its words tell already why nothing was kept."""
        return self.not_kept is not None and self.not_kept.reason.sentence in self.message.content

    @property
    def asked(self) -> list[StepView]:
        """What waits for its owner's yes."""
        return [one for one in self.steps if one.state == "asked"]

    @property
    def html(self) -> SafeString:
        """The answer, rendered; what its cards show is not listed twice."""
        content = self.message.content
        return markdown.render(corrections.without_list(content) if self.claims else content)


def entries(messages: Iterable[Message], *, memory_on: bool = True) -> list[Entry]:
    """Wrap a run of messages of one conversation, in order; notes in a fixed number of reads.

    Why nothing was kept is told of the last question alone: it is about what to do now.
    """
    made = [Entry(message) for message in messages]
    notes = _notes_by_message([entry.message for entry in made])
    cards = claim_cards([entry.message for entry in made])
    for before, entry in zip([None, *made], made, strict=False):
        entry.claims = cards.get(entry.message.pk, [])
        if entry.message.role == Message.Role.USER:
            continue
        if before is not None and before.message.role == Message.Role.USER:
            entry.notes = notes.get(before.message.pk, [])
            if entry is made[-1]:
                entry.not_kept = _not_kept(before.message, entry.notes, memory_on=memory_on)
    return _taken_out_once(made)


def _taken_out_once(made: list[Entry]) -> list[Entry]:
    """A turn that was taken out is one line, whose question stands for its answer."""
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
    """Wrap one answer, with the notes of the question before it; what is not given is read."""
    question = question or _question_of(message)
    if question is None or question.role != Message.Role.USER:
        return Entry(message)
    cards, chips = claim_cards([message]).get(message.pk, []), notes_of(question, notes)
    not_kept = _not_kept(question, chips, memory_on=message.user.memory_on)
    return Entry(message, chips, claims=cards, not_kept=not_kept)


def _not_kept(question: Message, notes: list[NoteView], *, memory_on: bool) -> remedies.Told | None:
    """Why nothing that a question states was kept, where no chip tells it."""
    reason = None if notes else kept_because.of_message(question, memory_on=memory_on)
    return None if reason is None else remedies.told(reason)


def notes_of(question: Message, notes: list[LearningOutcome] | None = None) -> list[NoteView]:
    """The chips of one message; its notes are read where they are not given."""
    if notes is not None:
        return _notes(notes) if notes else []
    return _notes_by_message([question]).get(question.pk, [])


def decided_by(answer: Message, question: Message | None = None) -> list[NoteView]:
    """The chips of the message to whose offer the question of this answer says yes or no."""
    question = question or _question_of(answer)
    if question is None or not sensitive_consent.answers_the_offer(question):
        return []
    before = _said_at(answer, answer.number - 3)
    if before is None:
        return []
    return [one for one in notes_of(before) if one.conflict is None]


def _question_of(answer: Message) -> Message | None:
    return _said_at(answer, answer.number - 1)


def _said_at(answer: Message, number: int) -> Message | None:
    rows = Message.objects.for_user(answer.user_id)
    return rows.filter(conversation=answer.conversation_id, number=number).first()


def note(made: LearningOutcome) -> NoteView:
    """One chip, by itself."""
    return _notes([made])[0]


def _notes(made: list[LearningOutcome]) -> list[NoteView]:
    """Many chips in two reads more than their rows: the contradictions, and their evidence."""
    wanted = [one.contradiction_id for one in made if one.contradiction_id is not None]
    entries: dict[UUID, Contradiction] = {}
    if wanted:
        rows = Contradiction.objects.for_user(made[0].user_id)
        entries = ledger_present.with_evidence(rows).in_bulk(wanted)
    narrowed = _narrowed(made)
    kept = [one for one in made if one.kind == LearningOutcome.Kind.KEPT]
    allowed = kept_because.allowed_for(kept)
    left = sensitive_consent.told_not_to(kept)
    shown = [
        _left_view(one) if one.pk in left else _view(one, entries, narrowed, allowed)
        for one in made
    ]
    return [_with_reason(view, allowed) for view in shown]


def _with_reason(view: NoteView, allowed: Allowed) -> NoteView:
    """With why it is where it is; what was taken back is nowhere."""
    if view.kind == "undone":
        return view
    here_only = view.kind == LearningOutcome.Kind.OVERRIDE
    reason = kept_because.of_note(view.note, allowed, here_only=here_only)
    return replace(view, because=remedies.told(reason)) if reason else view


def _narrowed(made: list[LearningOutcome]) -> set[_Place]:
    """What was taken out of the profile and holds in its own conversation still."""
    removed = [one.fact for one in made if one.fact and one.fact.status == _REMOVED]
    where = {fact.source_conversation_id for fact in removed if fact.source_conversation_id}
    if not where:
        return set()
    held = Override.objects.filter(user_id=removed[0].user_id, conversation_id__in=where)
    return set(held.values_list("conversation_id", "slot", "value"))


def _view(
    made: LearningOutcome,
    entries: dict[UUID, Contradiction],
    narrowed: Container[_Place],
    allowed: Allowed,
) -> NoteView:
    """Put one note into words, with what can be done about it."""
    if made.kind in (LearningOutcome.Kind.ROLE, LearningOutcome.Kind.LEFT_ROLE):
        return _role_view(made)
    if made.contradiction_id is not None:
        conflict = ledger_present.view(entries[made.contradiction_id])
        return NoteView(made, made.kind, "", conflict=conflict)
    if made.kind == LearningOutcome.Kind.KEPT:
        return _kept_view(made, allowed)
    if made.memory is not None:
        return _memory_view(made, made.memory)
    if made.fact is not None:
        return _fact_view(made, made.fact, narrowed)
    text = made.about.note.format(value=made.override.value if made.override else "")
    undo = reverse("conversations:undo_note", args=[made.pk])
    # What is said in private is offered to no other conversation.
    private = kept_because.of_note(made, allowed, here_only=True) is Reason.PRIVATE_HERE
    return NoteView(made, made.kind, text, undo_url=undo, widen_url="" if private else _widen(made))


def _role_view(made: LearningOutcome) -> NoteView:
    """Whether they work as something, or do no longer: a question until it is answered."""
    rows = UserPersona.objects.filter(user_id=made.user_id, persona__handle=made.slot)
    mine = rows.filter(persona__retired=False).select_related("persona").first()
    if mine is None:
        return NoteView(made, "role", "A role that is gone since")
    persona = str(mine.persona)
    if _waits(made, mine):
        answer = reverse("conversations:answer_role", args=[made.pk])
        return NoteView(made, made.kind, persona, role_url=answer)
    return NoteView(made, "role", f"{_STANDING_IN_WORDS[mine.standing]}: {persona}")


def _waits(made: LearningOutcome, mine: UserPersona) -> bool:
    """Whether nobody has answered what was asked."""
    if made.kind == LearningOutcome.Kind.ROLE:
        return mine.standing == _Standing.GUESSED
    since = mine.last_confirmed
    said_at = made.message.said_at
    return mine.standing == _Standing.CONFIRMED and (since is None or since < said_at)


def _left_view(made: LearningOutcome) -> NoteView:
    """What its owner said no to: there is nothing to press any more."""
    return NoteView(made, made.kind, f"{made.about.label}: {sensitive_consent.LEFT}")


def _kept_view(made: LearningOutcome, allowed: Allowed) -> NoteView:
    """What stays in its conversation, with the offer to note it anyway, or why there is none."""
    reason = kept_because.of_note(made, allowed) or Reason.SENSITIVE
    text = f"{made.about.label}: {reason.sentence} {remedies.told(reason).advice}".rstrip()
    if reason is not Reason.SENSITIVE:
        return NoteView(made, made.kind, text)
    anyway = reverse("conversations:note_anyway", args=[made.pk])
    return NoteView(made, made.kind, text, anyway_url=anyway)


def _fact_view(made: LearningOutcome, fact: ProfileFact, narrowed: Container[_Place]) -> NoteView:
    text = made.about.note.format(value=fact.value) + validity.since_in_words(fact)
    if fact.status == _REMOVED and fact.was_over:
        text = made.about.past_note.format(value=fact.value)
    if made.kind == LearningOutcome.Kind.STORED and fact.narrowed_from is not None:
        text += f" (before: {fact.narrowed_from.value})"
    if over := ledger_present.bygone(fact, made.message.said_at):
        text = f"Earlier {made.about.noun}: {over}"
    if fact.status == _REMOVED:
        if (fact.source_conversation_id, fact.slot, fact.value) in narrowed:
            return NoteView(made, LearningOutcome.Kind.OVERRIDE, text, widen_url=_widen(made))
        restore = reverse("conversations:restore_note", args=[made.pk])
        return NoteView(made, "undone", text, restore_url=restore)
    there = fact.status == ProfileFact.Status.CURRENT or (over and fact.was_over)
    undoable = there and made.kind == LearningOutcome.Kind.STORED
    undo = reverse("conversations:undo_note", args=[made.pk]) if undoable else ""
    return NoteView(made, made.kind, text, undo_url=undo)


def _widen(made: LearningOutcome) -> str:
    return reverse("conversations:widen_note", args=[made.pk])


def _memory_view(made: LearningOutcome, memory: Memory) -> NoteView:
    status = Memory.Status
    if memory.status == status.REMOVED:
        restore = reverse("conversations:restore_note", args=[made.pk])
        return NoteView(made, "undone", labels.label(memory.content), restore_url=restore)
    undoable = made.kind != LearningOutcome.Kind.REINFORCED and memory.status in (
        status.ACTIVE,
        status.WAITING,
    )
    undo = reverse("conversations:undo_note", args=[made.pk]) if undoable else ""
    return NoteView(made, made.kind, labels.label(memory.content), undo_url=undo)


def steps(answer: Message, kept: list[dict[str, Any]]) -> list[StepView]:
    """The steps of an answer, as they are kept, in words."""
    return [step(answer, place, Step.from_kept(one)) for place, one in enumerate(kept)]


def overtaken_by(answer: Message) -> list[StepView]:
    """What earlier answers asked, which this one has let go of."""
    return [step(*found) for found in consent.overtaken_by(answer)]


def step(answer: Message, place: int, taken: Step) -> StepView:
    """One of them."""
    return StepView(
        place=f"{answer.pk}-{place}",
        deed=words.deed(taken),
        outcome=words.outcome(taken),
        state=taken.state,
        found=taken.found,
        arguments=[
            (name.replace("_", " "), line)
            for name, value in taken.arguments.items()
            if (line := _in_a_line(value))
        ],
        mark=taken.mark,
        decide_url=reverse("conversations:decide", args=[answer.pk, place]),
        takes_away=words.takes_away(taken),
    )


def _in_a_line(value: object) -> str:
    """An argument for people, whom an id tells nothing: '' for one."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_in_a_line, value)))[:_LONGEST_VALUE]
    if isinstance(value, str) and _AN_ID.fullmatch(value):
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def api_message(message: Message) -> dict[str, object]:
    """A message as the API shows it."""
    return {
        "id": str(message.pk),
        "number": message.number,
        "role": message.role,
        "content": message.content,
        "state": message.state,
        "failure": message.failure,
        "author": message.author,
        "said_at": message.said_at,
        "used_facts": [str(pk) for pk in message.used_facts],
        "used_conversations": message.used_conversations,
        "steps": message.steps,
        "tokens_in": message.tokens_in,
        "tokens_out": message.tokens_out,
        "tokens_estimated": message.tokens_estimated,
        "milliseconds": message.milliseconds,
    }


def api_note(shown: NoteView) -> dict[str, object]:
    """A note as the API shows it."""
    made = shown.note
    value = made.override.value if made.override else made.fact.value if made.fact else ""
    return {
        "id": str(made.pk),
        "kind": shown.kind,
        "offered": bool(shown.anyway_url),
        "slot": made.slot,
        "value": value,
        "memory": str(made.memory_id) if made.memory_id else None,
        "text": shown.text or (shown.conflict.question if shown.conflict else ""),
        **remedies.in_api(shown.because),
        "fact": str(made.fact_id) if made.fact_id else None,
        "conflict": str(made.contradiction_id) if made.contradiction_id else None,
    }


def _notes_by_message(messages: list[Message]) -> dict[object, list[NoteView]]:
    questions = [m for m in messages if m.role == Message.Role.USER]
    if not questions:
        return {}
    made = (
        LearningOutcome.objects.filter(user_id=questions[0].user_id, message__in=questions)
        .select_related("fact__replaces", "memory", "override", "message__conversation")
        .order_by("pk")
    )
    shown: dict[object, list[NoteView]] = {}
    for view in _notes(list(made)):
        shown.setdefault(view.note.message_id, []).append(view)
    return shown
