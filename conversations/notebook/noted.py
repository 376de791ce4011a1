"""What came of what was just said, where its chips do not tell it."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.learning import noted_on_request, sensitive_consent
from conversations.markdown import literal
from conversations.models import LearningOutcome
from conversations.notebook import people
from conversations.notebook.answer_builder import Answer
from conversations.notebook.message_parts import asks_for_a_reminder
from conversations.prompt import Prompt
from ledger.web import present as ledger_present
from memory.core import PersistenceReason
from memory.facts import read_beginning
from memory.models import Memory

_NO_REMINDERS = "I send no reminders: it is noted, and stands under what is coming up."
_QUOTED_NOWHERE = "I quote your message in no other conversation."


def acknowledge(prompt: Prompt, made: Answer) -> None:
    """Say what of the outcomes of this message its chips do not: what waits, is asked, or stays."""
    kinds = LearningOutcome.Kind
    by_kind: dict[str, list[LearningOutcome]] = {}
    for note in prompt.notes:
        by_kind.setdefault(note.kind, []).append(note)
    for note in by_kind.get(kinds.REINFORCED, []):
        _since_when(note, made)
    _by_consent(prompt.notes, made)
    _taken_over(by_kind.get(kinds.MEMORY, []), made)
    if waiting := [n.memory for n in by_kind.get(kinds.WAITING, []) if n.memory is not None]:
        told = formatting.listed([f"“{literal(memory.content)}”" for memory in waiting])
        made.say(
            f"I ask you first about {told}: it waits for your yes on "
            f"[your profile]({reverse('memory:profile')}#waiting)."
        )
    for note in by_kind.get(kinds.OVERRIDE, []):
        made.say(_for_this_conversation(note))
    for note in by_kind.get(kinds.CONFLICT, []):
        made.say(_two_values(note))
    for note in by_kind.get(kinds.SETTLED, []):
        made.say(f"Thank you. {_how_settled(note)}")
    if by_kind.get(kinds.MEMORY) and asks_for_a_reminder(prompt.question.content):
        made.say(_NO_REMINDERS)
    _stays_here(prompt, by_kind.get(kinds.KEPT, []), made)


def _by_consent(notes: Sequence[LearningOutcome], made: Answer) -> None:
    """What is private was noted because the person said so, and is told back."""
    kinds = LearningOutcome.Kind
    for note in notes:
        if note.kind == kinds.STORED and note.fact is not None and note.about.sensitive:
            told = note.about.note.format(value=literal(note.fact.value))
            made.say(f"Noted “{told}”, marked as sensitive.")
        elif note.kind == kinds.MEMORY and note.memory is not None and note.memory.is_sensitive:
            made.say("Noted in your words, marked as sensitive.")


def name_just_told(prompt: Prompt) -> str:
    """The name that was noted from this message, as its owner is spoken to; '' for none."""
    for note in prompt.notes:
        if note.kind == LearningOutcome.Kind.STORED and note.fact is not None:
            if note.slot == "preferred_name":
                return literal(note.fact.value)
            if note.slot == "name":
                return literal(people.as_addressed(note.fact.value))
    return ""


def _taken_over(notes: list[LearningOutcome], made: Answer) -> None:
    """What is over by what was just said: it is out of use, and can be brought back."""
    by = [note.memory_id for note in notes if note.memory_id]
    gone = Memory.objects.filter(superseded_by__in=by, status=Memory.Status.SUPERSEDED)
    if told := formatting.listed([f"“{literal(one.original or one.content)}”" for one in gone]):
        page = reverse("memory:memories")
        made.say(
            f"It takes the place of {told}, which you can bring back under [Memories]({page})."
        )


def _stays_here(prompt: Prompt, kept: list[LearningOutcome], made: Answer) -> None:
    """What is nobody's business elsewhere, with the offer to note it anyway."""
    if prompt.question.reading.holds_a_secret:
        made.say(f"{PersistenceReason.SECRET.sentence} {_QUOTED_NOWHERE}")
    elif kept:
        kinds = LearningOutcome.Kind
        noted = any(note.kind in (kinds.STORED, kinds.MEMORY) for note in prompt.notes)
        made.say(sensitive_consent.in_words(kept, beside_others=noted))
    elif not made.has_cards and noted_on_request.may_be_offered(prompt.question):
        beside = bool(prompt.notes)
        made.say(
            noted_on_request.MAY_BE_PRIVATE_BESIDE if beside else noted_on_request.MAY_BE_PRIVATE
        )


def _since_when(note: LearningOutcome, made: Answer) -> None:
    """What came of a time that was told for a value that was known."""
    fact, message = note.fact, note.message
    said = fact and fact.mentions.filter(message=message).first()
    if not fact or not said:
        return
    began = read_beginning(message.content, said.start, said.end, message.said_at)
    held = formatting.told_in_full(localtime(fact.valid_from).date(), fact.from_precision)
    if began is not None and began.at == fact.valid_from:
        made.say(f"{literal(fact.value)}: since {held} now.")
    elif began is not None and not began.holds(localtime(fact.valid_from).date()):
        made.say(
            f"I have {literal(fact.value)} since {held} and leave it so; you can change that on "
            f"[your profile]({fact.get_absolute_url()})."
        )


def _for_this_conversation(note: LearningOutcome) -> str:
    value = literal(note.override.value) if note.override else ""
    if note.slot == "preferred_name":
        return f"{value} it is, in this conversation only."
    return f"{note.about.noun.capitalize()}: {value}, in this conversation only."


def _two_values(note: LearningOutcome) -> str:
    if note.contradiction is None:
        return ""
    if not note.contradiction.is_open:
        return _how_settled(note)
    asked = ledger_present.view(note.contradiction)
    page = note.contradiction.get_absolute_url()
    old, new = literal(asked.old.value), literal(asked.new.value)
    if note.contradiction.opened_at < note.message.said_at:
        about = "" if asked.opposed else f" about your {note.about.noun}"
        return f"My question{about} is [still open]({page}): {old} or {new}?"
    two = "two notes that do not agree" if asked.opposed else f"two values for your {asked.noun}"
    return (
        f"I have {two} now: {old}, which I had, and {new}, which you just said. "
        f"Nothing changes until you choose, here or [on its own page]({page})."
    )


def _how_settled(note: LearningOutcome) -> str:
    """'Google since 16 November. Microsoft keeps its years.'"""
    if note.contradiction is None:
        return ""
    return literal(ledger_present.settled(note.contradiction, note.message.said_at))
