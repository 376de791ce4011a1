"""What was noted from a message, as the chips under its answer."""

from collections.abc import Container
from dataclasses import dataclass, replace
from uuid import UUID

from django.urls import reverse

from conversations.learning import sensitive_consent
from conversations.models import LearningOutcome, Message
from conversations.web.present import kept_because
from ledger.models import Contradiction
from ledger.web import present as ledger_present
from ledger.web.present import ConflictView
from memory.core import Allowances, PersistenceReason
from memory.facts import since_in_words
from memory.models import Memory, Override, ProfileFact
from memory.notes import note_label
from memory.web import ShownReason, reason_in_api, shown_reason
from personas.models import UserPersona

_REMOVED = ProfileFact.Status.REMOVED
_Standing = UserPersona.Standing
_STANDING_IN_WORDS: dict[str, str] = {
    _Standing.GUESSED: "I have not asked you",
    _Standing.CONFIRMED: "You work in this role",
    _Standing.DECLINED: "You said no to this role",
    _Standing.LEFT: "You left this role",
}
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
    because: ShownReason | None = None
    role_url: str = ""
    conflict: ConflictView | None = None

    @property
    def pk(self) -> object:
        """The note's key."""
        return self.note.pk


def notes_of(question: Message, notes: list[LearningOutcome] | None = None) -> list[NoteView]:
    """The chips of one message; its notes are read where they are not given."""
    if notes is not None:
        return _notes(notes) if notes else []
    return by_message([question]).get(question.pk, [])


def note(made: LearningOutcome) -> NoteView:
    """One chip, by itself."""
    return _notes([made])[0]


def by_message(messages: list[Message]) -> dict[object, list[NoteView]]:
    """The chips of many messages of one person, in a fixed number of reads."""
    questions = [m for m in messages if m.role == Message.Role.USER]
    if not questions:
        return {}
    made = (
        LearningOutcome.objects.filter(user_id=questions[0].user_id, message__in=questions)
        .select_related(
            "fact__replaces", "memory", "override", "message__conversation", "goes_on_from"
        )
        .order_by("pk")
    )
    shown: dict[object, list[NoteView]] = {}
    for view in _notes(list(made)):
        shown.setdefault(view.note.message_id, []).append(view)
    return shown


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


def _with_reason(view: NoteView, allowed: Allowances) -> NoteView:
    """With why it is where it is; what was taken back is nowhere."""
    if view.kind == "undone":
        return view
    here_only = view.kind == LearningOutcome.Kind.OVERRIDE
    reason = kept_because.of_note(view.note, allowed, here_only=here_only)
    return replace(view, because=shown_reason(reason)) if reason else view


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
    allowed: Allowances,
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
    # What is said in private is offered to no other conversation.
    private = kept_because.of_note(made, allowed, here_only=True) is PersistenceReason.PRIVATE_HERE
    widen = "" if private else _to("widen", made)
    return NoteView(made, made.kind, text, undo_url=_to("undo", made), widen_url=widen)


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


def _kept_view(made: LearningOutcome, allowed: Allowances) -> NoteView:
    """What stays in its conversation, with the offer to note it anyway, or why there is none."""
    reason = kept_because.of_note(made, allowed) or PersistenceReason.SENSITIVE
    text = f"{made.about.label}: {reason.sentence} {shown_reason(reason).advice}".rstrip()
    if reason is not PersistenceReason.SENSITIVE:
        return NoteView(made, made.kind, text)
    return NoteView(
        made, made.kind, text, anyway_url=reverse("conversations:note_anyway", args=[made.pk])
    )


def _fact_view(made: LearningOutcome, fact: ProfileFact, narrowed: Container[_Place]) -> NoteView:
    text = made.about.note.format(value=fact.value) + since_in_words(fact)
    if fact.status == _REMOVED and fact.was_over:
        text = made.about.past_note.format(value=fact.value)
    if made.kind == LearningOutcome.Kind.STORED and fact.narrowed_from is not None:
        text += f" (before: {fact.narrowed_from.value})"
    if over := ledger_present.bygone(fact, made.message.said_at):
        text = f"Earlier {made.about.noun}: {over}"
    if fact.status == _REMOVED:
        if (fact.source_conversation_id, fact.slot, fact.value) in narrowed:
            return NoteView(made, LearningOutcome.Kind.OVERRIDE, text, widen_url=_to("widen", made))
        return NoteView(made, "undone", text, restore_url=_to("restore", made))
    there = fact.status == ProfileFact.Status.CURRENT or (over and fact.was_over)
    undoable = there and made.kind == LearningOutcome.Kind.STORED
    return NoteView(made, made.kind, text, undo_url=_to("undo", made) if undoable else "")


def _memory_view(made: LearningOutcome, memory: Memory) -> NoteView:
    text = note_label(memory.content, _said_before(made, memory))
    if memory.status == Memory.Status.REMOVED:
        return NoteView(made, "undone", text, restore_url=_to("restore", made))
    in_use = memory.status in (Memory.Status.ACTIVE, Memory.Status.WAITING)
    undoable = in_use and made.kind != LearningOutcome.Kind.REINFORCED
    return NoteView(made, made.kind, text, undo_url=_to("undo", made) if undoable else "")


def _said_before(made: LearningOutcome, memory: Memory) -> str:
    """What stands before a note: in the message that it goes on from, or in its own."""
    before = made.goes_on_from
    if before is None:
        return ""
    if before.pk != made.message_id:
        return before.content
    leading, found, _ = " ".join(before.content.split()).partition(memory.content)
    return leading if found else ""


def _to(deed: str, made: LearningOutcome) -> str:
    """Where the button of a chip leads."""
    return reverse(f"conversations:{deed}_note", args=[made.pk])


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
        **reason_in_api(shown.because),
        "fact": str(made.fact_id) if made.fact_id else None,
        "conflict": str(made.contradiction_id) if made.contradiction_id else None,
    }
