"""The outcomes of a message as chips under its answer."""

from collections.abc import Container
from dataclasses import dataclass, replace
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.urls import reverse

from conversations.learning import note_consent
from conversations.models import LearningOutcome, Message
from conversations.web.present import kept_because
from ledger.models import Contradiction
from ledger.web import present as ledger_present
from ledger.web.present import ConflictView
from memory.core.persistence_gate import Allowances, PersistenceReason
from memory.facts.validity import since_in_words
from memory.models import Memory, Override, ProfileFact
from memory.notes.labels import note_label
from memory.slots import SLOTS
from memory.web.present.remedies import ShownReason, shown_reason
from personas.models import UserPersona

_REMOVED = ProfileFact.Status.REMOVED
_Standing = UserPersona.Standing
_STANDING_IN_WORDS: dict[str, str] = {
    _Standing.GUESSED: "I haven’t asked about this role yet",
    _Standing.CONFIRMED: "You work in this role",
    _Standing.DECLINED: "You said no to this role",
    _Standing.LEFT: "You left this role",
}
# Word and icon of a chip, by kind.
_NOTED, _CHANGED, _CONFIRMED = ("Noted", "notebook"), ("Changed", "pencil"), ("Confirmed", "check")
_MARKS = {
    "reinforced": _CONFIRMED,
    "resumed": _CONFIRMED,
    "override": ("Only here", "lock"),
    "kept": ("Only here", "lock"),
    "waiting": ("Waiting for you", "pause"),
    "ended": ("Ended", "archive"),
    "undone": ("Forgotten", "check"),
    "declined": ("Not kept", "x"),
    "replaced": ("Replaced", "archive"),
}
# (conversation, slot, value) that holds in that conversation only.
_Place = tuple[UUID | None, str, str]


@dataclass(frozen=True)
class NoteView:
    """A chip as templates show it."""

    note: LearningOutcome
    kind: str
    text: str
    undo_url: str = ""
    restore_url: str = ""
    widen_url: str = ""
    anyway_url: str = ""
    # Why it is stored where it is, and how to change that.
    because: ShownReason | None = None
    role_url: str = ""
    conflict: ConflictView | None = None
    # The URL to edit it in place, while it is in use.
    edit_url: str = ""
    is_change: bool = False

    @property
    def word(self) -> str:
        """The outcome in a word: "Noted", "Changed", "Only here"."""
        return self._mark[0]

    @property
    def icon(self) -> str:
        """The icon beside the word."""
        return self._mark[1]

    @property
    def value(self) -> str:
        """The value of a fact or override; '' for other outcomes."""
        kept = self.note.override or self.note.fact
        return kept.value if kept else ""

    @property
    def full_text(self) -> str:
        """The chip's text; for a conflict the question while it is open, then its outcome."""
        if self.text or self.conflict is None:
            return self.text
        return self.conflict.question if self.conflict.is_open else self.conflict.chip_text

    @property
    def _mark(self) -> tuple[str, str]:
        return _CHANGED if self.is_change else _MARKS.get(self.kind, _NOTED)

    @property
    def pk(self) -> object:
        """The outcome's key."""
        return self.note.pk


def notes_of(question: Message, notes: list[LearningOutcome] | None = None) -> list[NoteView]:
    """Return the chips of one message; `notes`, its outcomes, are read if not given."""
    if notes is not None:
        return _notes(notes) if notes else []
    return by_message([question]).get(question.pk, [])


def note(outcome: LearningOutcome) -> NoteView:
    """Return the chip of one outcome."""
    return _notes([outcome])[0]


def by_message(messages: list[Message]) -> dict[object, list[NoteView]]:
    """Return the chips of many messages of one user by message id; a fixed number of queries."""
    questions = [m for m in messages if m.role == Message.Role.USER]
    if not questions:
        return {}
    outcomes = (
        LearningOutcome.objects.filter(user_id=questions[0].user_id, message__in=questions)
        .select_related("fact__replaces", "memory", "override", "message__conversation")
        .order_by("pk")
    )
    shown: dict[object, list[NoteView]] = {}
    for view in _notes(list(outcomes)):
        shown.setdefault(view.note.message_id, []).append(view)
    return shown


def _notes(outcomes: list[LearningOutcome]) -> list[NoteView]:
    """Return the chips of outcomes; two more queries, for conflicts and their evidence."""
    wanted = [
        outcome.contradiction_id for outcome in outcomes if outcome.contradiction_id is not None
    ]
    entries: dict[UUID, Contradiction] = {}
    if wanted:
        rows = Contradiction.objects.for_user(outcomes[0].user_id)
        settled = LearningOutcome.objects.filter(
            user=OuterRef("user"), contradiction=OuterRef("pk"), kind=LearningOutcome.Kind.SETTLED
        )
        rows = rows.annotate(answered_in=ArraySubquery(settled.values("message__conversation")))
        entries = ledger_present.with_evidence(rows).in_bulk(wanted)
        outcomes = [outcome for outcome in outcomes if not _is_answered_below(outcome, entries)]
    outcomes = as_answered(outcomes)
    narrowed = _narrowed(outcomes)
    kept = [outcome for outcome in outcomes if outcome.kind == LearningOutcome.Kind.WITHHELD]
    allowed = kept_because.allowed_for(kept)
    left = note_consent.declined_outcomes(kept)
    shown = [
        _left_view(outcome) if outcome.pk in left else _view(outcome, entries, narrowed, allowed)
        for outcome in outcomes
    ]
    return [_with_reason(view, allowed) for view in shown]


def as_answered(outcomes: list[LearningOutcome]) -> list[LearningOutcome]:
    """Return the outcomes; waiting ones that were approved as facts are changed to refer to the
    fact (not saved).
    """
    entered = [
        outcome
        for outcome in outcomes
        if outcome.memory and outcome.memory.slot and _is_fulfilled(outcome)
    ]
    if not entered:
        return outcomes
    said_in = {outcome.message_id for outcome in entered}
    rows = ProfileFact.objects.for_user(entered[0].user_id).filter(source_message__in=said_in)
    rows = rows.select_related("replaces").order_by("created_at")
    facts = {
        (fact.source_message_id, fact.slot, fact.value if fact.many else ""): fact for fact in rows
    }
    for outcome in entered:
        # An outcome edited on its chip refers to the fact itself.
        waited = outcome.memory
        value = waited.value if waited and SLOTS[waited.slot].many else ""
        stated = facts.get((outcome.message_id, waited.slot, value)) if waited else None
        fact = outcome.fact or stated
        if fact is not None:
            outcome.kind, outcome.fact, outcome.memory = LearningOutcome.Kind.STORED, fact, None
            outcome.slot = fact.slot
    return outcomes


def _is_fulfilled(outcome: LearningOutcome) -> bool:
    """Return whether a waiting outcome was approved: its memory was superseded by a fact."""
    memory, waited = outcome.memory, outcome.kind == LearningOutcome.Kind.WAITING
    gave_way = memory is not None and memory.status == Memory.Status.SUPERSEDED
    return waited and gave_way and memory is not None and memory.superseded_by_id is None


def _is_answered_below(outcome: LearningOutcome, entries: dict[UUID, Contradiction]) -> bool:
    """Return whether a later message of the conversation settled this conflict."""
    if outcome.kind != LearningOutcome.Kind.CONFLICT or outcome.contradiction_id is None:
        return False
    answered_in: list[UUID] = getattr(entries[outcome.contradiction_id], "answered_in", [])
    return outcome.message.conversation_id in answered_in


def _with_reason(view: NoteView, allowed: Allowances) -> NoteView:
    """Return the chip with the reason why it is stored where it is; retracted ones unchanged."""
    if view.kind in ("undone", "declined"):
        return view
    here_only = view.kind == LearningOutcome.Kind.OVERRIDE
    reason = kept_because.of_note(view.note, allowed, here_only=here_only)
    return replace(view, because=shown_reason(reason)) if reason else view


def _narrowed(outcomes: list[LearningOutcome]) -> set[_Place]:
    """Return the (conversation, slot, value) of facts that were removed from the profile but still
    hold in their conversation.
    """
    removed = [
        outcome.fact for outcome in outcomes if outcome.fact and outcome.fact.status == _REMOVED
    ]
    where = {fact.source_conversation_id for fact in removed if fact.source_conversation_id}
    if not where:
        return set()
    overrides = Override.objects.filter(user_id=removed[0].user_id, conversation_id__in=where)
    return set(overrides.values_list("conversation_id", "slot", "value"))


def _view(
    outcome: LearningOutcome,
    entries: dict[UUID, Contradiction],
    narrowed: Container[_Place],
    allowed: Allowances,
) -> NoteView:
    """Return the chip of one outcome, with its buttons."""
    if outcome.kind in (LearningOutcome.Kind.ROLE, LearningOutcome.Kind.LEFT_ROLE):
        return _role_view(outcome)
    if outcome.contradiction_id is not None:
        conflict = ledger_present.view(entries[outcome.contradiction_id])
        return NoteView(outcome, outcome.kind, "", conflict=conflict)
    if outcome.kind == LearningOutcome.Kind.WITHHELD:
        return _kept_view(outcome, allowed)
    if outcome.memory is not None:
        return _memory_view(outcome, outcome.memory)
    if outcome.fact is not None:
        return _fact_view(outcome, outcome.fact, narrowed)
    text = outcome.about.note.format(value=outcome.override.value if outcome.override else "")
    # Facts of a private conversation cannot be widened to others.
    private = (
        kept_because.of_note(outcome, allowed, here_only=True) is PersistenceReason.PRIVATE_HERE
    )
    widen = "" if private else _to("widen", outcome)
    return NoteView(outcome, outcome.kind, text, undo_url=_to("undo", outcome), widen_url=widen)


def _role_view(outcome: LearningOutcome) -> NoteView:
    """Return the chip about joining or leaving a persona: a question until it is answered."""
    rows = UserPersona.objects.filter(user_id=outcome.user_id, persona__handle=outcome.slot)
    link = rows.filter(persona__retired=False).select_related("persona").first()
    if link is None:
        return NoteView(outcome, "role", "A role that no longer exists")
    persona = str(link.persona)
    if _waits(outcome, link):
        answer = reverse("conversations:answer_role", args=[outcome.pk])
        return NoteView(outcome, outcome.kind, persona, role_url=answer)
    return NoteView(outcome, "role", f"{_STANDING_IN_WORDS[link.standing]}: {persona}")


def _waits(outcome: LearningOutcome, link: UserPersona) -> bool:
    """Return whether the question about a persona is unanswered."""
    if outcome.kind == LearningOutcome.Kind.ROLE:
        return link.standing == _Standing.GUESSED
    since = link.last_confirmed
    said_at = outcome.message.said_at
    return link.standing == _Standing.CONFIRMED and (since is None or since < said_at)


def _left_view(outcome: LearningOutcome) -> NoteView:
    """Return the chip of a declined offer, without buttons."""
    return NoteView(outcome, outcome.kind, f"{outcome.about.label}: {note_consent.LEFT}")


def _kept_view(outcome: LearningOutcome, allowed: Allowances) -> NoteView:
    """Return the chip of a withheld outcome, with the offer to note it anyway, or why there is
    none.
    """
    reason = kept_because.of_note(outcome, allowed) or PersistenceReason.SENSITIVE
    if reason is not PersistenceReason.SENSITIVE:
        text = f"{outcome.about.label}. {reason.sentence} {shown_reason(reason).advice}".rstrip()
        return NoteView(outcome, outcome.kind, text)
    return NoteView(
        outcome,
        outcome.kind,
        outcome.about.label,
        anyway_url=reverse("conversations:note_anyway", args=[outcome.pk]),
    )


def _fact_view(
    outcome: LearningOutcome, fact: ProfileFact, narrowed: Container[_Place]
) -> NoteView:
    if outcome.kind == LearningOutcome.Kind.ENDED:
        return _ended_view(outcome, fact)
    text = outcome.about.note.format(value=fact.value) + since_in_words(fact)
    if fact.status == _REMOVED and fact.was_over:
        text = outcome.about.past_note.format(value=fact.value)
    changed = outcome.kind == LearningOutcome.Kind.STORED and fact.replaces is not None
    if changed and fact.replaces is not None:
        text += f", was {fact.replaces.value}"
    if over := ledger_present.bygone(fact, outcome.message.said_at):
        text = f"Earlier {outcome.about.noun}: {over}"
    if fact.status == _REMOVED:
        if (fact.source_conversation_id, fact.slot, fact.value) in narrowed:
            return NoteView(
                outcome, LearningOutcome.Kind.OVERRIDE, text, widen_url=_to("widen", outcome)
            )
        return NoteView(outcome, "undone", text, restore_url=_to("restore", outcome))
    current = fact.status == ProfileFact.Status.CURRENT
    there = current or (over and fact.was_over)
    undoable = there and outcome.kind == LearningOutcome.Kind.STORED
    return NoteView(
        outcome,
        outcome.kind,
        text,
        undo_url=_to("undo", outcome) if undoable else "",
        edit_url=_to("edit", outcome) if current else "",
        is_change=changed,
    )


def _ended_view(outcome: LearningOutcome, fact: ProfileFact) -> NoteView:
    """Return the chip of an ended fact, with a restore button if it can be restored."""
    text = outcome.about.note.format(value=fact.value)
    if fact.status == ProfileFact.Status.CURRENT:
        return NoteView(outcome, "resumed", text)
    if fact.status == _REMOVED:
        return NoteView(outcome, "undone", text, restore_url=_to("restore", outcome))
    over = fact.status == ProfileFact.Status.PAST
    return NoteView(outcome, outcome.kind, text, undo_url=_to("undo", outcome) if over else "")


def _memory_view(outcome: LearningOutcome, memory: Memory) -> NoteView:
    text = note_label(memory.content)
    if outcome.kind == LearningOutcome.Kind.ENDED:
        return _ended_note_view(outcome, memory, text)
    if memory.status == Memory.Status.REMOVED:
        return NoteView(outcome, "undone", text, restore_url=_to("restore", outcome))
    if memory.status == Memory.Status.DECLINED:
        return NoteView(outcome, "declined", text)
    if _is_fulfilled(outcome):
        done = LearningOutcome.Kind.ENDED if memory.ends_id else LearningOutcome.Kind.MEMORY
        return NoteView(outcome, done, text)
    if memory.status == Memory.Status.SUPERSEDED:
        return NoteView(outcome, "replaced", text)
    accepted = (
        outcome.kind == LearningOutcome.Kind.WAITING and memory.status != Memory.Status.WAITING
    )
    in_use = memory.status in (Memory.Status.ACTIVE, Memory.Status.WAITING)
    undoable = in_use and outcome.kind != LearningOutcome.Kind.REINFORCED
    active = memory.status == Memory.Status.ACTIVE
    return NoteView(
        outcome,
        LearningOutcome.Kind.MEMORY if accepted else outcome.kind,
        text,
        undo_url=_to("undo", outcome) if undoable else "",
        edit_url=_to("edit", outcome) if active else "",
    )


def _ended_note_view(outcome: LearningOutcome, memory: Memory, text: str) -> NoteView:
    """Return the chip of an ended memory, with a restore button if it can be restored."""
    if memory.status == Memory.Status.ACTIVE:
        return NoteView(outcome, "resumed", text)
    if memory.status == Memory.Status.REMOVED:
        return NoteView(outcome, "undone", text, restore_url=_to("restore", outcome))
    return NoteView(outcome, outcome.kind, text, undo_url=_to("undo", outcome))


def _to(deed: str, outcome: LearningOutcome) -> str:
    """Return the URL of a chip's button."""
    return reverse(f"conversations:{deed}_note", args=[outcome.pk])
