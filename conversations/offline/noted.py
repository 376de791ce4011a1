"""What was just noted, said back in a sentence or two."""

from django.urls import reverse

from accounts import words
from conversations import confiding
from conversations.markdown import literal
from conversations.models import Note
from conversations.offline.made import Answer
from conversations.prompt import Prompt
from ledger import present as ledger_present
from memory import guard

_HOLDS_A_KEY = (
    "There is a password, a key or a card number in that. I never note those, and I quote your "
    "message in no other conversation."
)


def acknowledge(prompt: Prompt, made: Answer) -> None:
    """Say what was noted from the question itself."""
    kinds = Note.Kind
    by_kind: dict[str, list[Note]] = {}
    for note in prompt.notes:
        by_kind.setdefault(note.kind, []).append(note)
    if stored := by_kind.get(kinds.STORED):
        made.say(f"{_greet(stored)}I have noted {words.listed([_clause(n) for n in stored])}.")
    if again := [n for n in by_kind.get(kinds.REINFORCED, []) if n.fact is not None]:
        made.say(
            f"You said so before: {words.listed([_clause(n) for n in again])}. Now I am surer."
        )
    _in_your_words(by_kind, made)
    if waiting := [n.memory for n in by_kind.get(kinds.WAITING, []) if n.memory is not None]:
        told = words.listed([f"“{literal(memory.content)}”" for memory in waiting])
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
    _stays_here(prompt, by_kind.get(kinds.KEPT, []), made)


def _in_your_words(by_kind: dict[str, list[Note]], made: Answer) -> None:
    notes = by_kind.get(Note.Kind.MEMORY, [])
    if any(note.memory is not None and note.memory.is_sensitive for note in notes):
        made.say("I have noted it in your words, marked as sensitive.")
    elif (notes or by_kind.get(Note.Kind.REINFORCED)) and not made.pieces:
        made.say("I will keep that in mind.")


def _stays_here(prompt: Prompt, kept: list[Note], made: Answer) -> None:
    """What is nobody's business elsewhere, with the offer to note it anyway."""
    if guard.holds_a_secret(prompt.question.content):
        made.say(_HOLDS_A_KEY)
    elif kept:
        made.say(confiding.in_words(kept))


def _greet(stored: list[Note]) -> str:
    """Somebody who has just said their name is greeted by it."""
    name = next(
        (n.fact.value for n in stored if n.slot in ("preferred_name", "name") and n.fact), ""
    )
    return f"Good to meet you, {literal(name)}. " if name else ""


def _clause(note: Note) -> str:
    """'that you work at Google', from the slot's own sentence."""
    value = literal(note.fact.value) if note.fact else ""
    if note.about.sensitive:
        return f"“{note.about.note.format(value=value)}”, marked as sensitive"
    sentence = note.about.answer.format(value=value).rstrip(".")
    if ":" in sentence:
        # 'Your diet: allergic to nuts' does not follow 'that'.
        return f"“{note.about.note.format(value=value)}”"
    return "that " + sentence[0].lower() + sentence[1:]


def _for_this_conversation(note: Note) -> str:
    value = literal(note.override.value) if note.override else ""
    if note.slot == "preferred_name":
        return f"{value} it is, in this conversation only."
    return f"{note.about.noun.capitalize()}: {value}, in this conversation only."


def _two_values(note: Note) -> str:
    if note.contradiction is None:
        return ""
    if not note.contradiction.is_open:
        return _how_settled(note)
    asked = ledger_present.view(note.contradiction)
    old, new = literal(asked.old.value), literal(asked.new.value)
    if note.contradiction.opened_at < note.message.said_at:
        about = "" if asked.opposed else f" about your {note.about.noun}"
        return f"My question{about} is still open: {old} or {new}?"
    two = "two notes that do not agree" if asked.opposed else f"two values for your {asked.noun}"
    return (
        f"I have {two} now: {old}, which I had, and {new}, which you just said. "
        "Nothing changes until you choose, here or under Conflicts."
    )


def _how_settled(note: Note) -> str:
    """'Google since 16 November. Microsoft keeps its years.'"""
    if note.contradiction is None:
        return ""
    return literal(ledger_present.settled(note.contradiction, note.message.said_at))
