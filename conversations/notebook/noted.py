"""What was just noted, said back in a sentence or two."""

from django.urls import reverse
from django.utils.timezone import localtime

from accounts import words
from conversations.learning import sensitive_consent
from conversations.markdown import literal
from conversations.models import LearningOutcome
from conversations.notebook.answer_builder import Answer
from conversations.prompt import Prompt
from ledger.promotion.candidate_promotion import NO_LONGER_WITH_YOU
from ledger.web import present as ledger_present
from memory.facts import start_dates, validity
from memory.models import Memory

_HOLDS_A_KEY = (
    "There is a password, a key or a card number in that. I never note those, and I quote your "
    "message in no other conversation."
)


def acknowledge(prompt: Prompt, made: Answer) -> None:
    """Say what was noted from the question itself."""
    kinds = LearningOutcome.Kind
    by_kind: dict[str, list[LearningOutcome]] = {}
    for note in prompt.notes:
        by_kind.setdefault(note.kind, []).append(note)
    if stored := by_kind.get(kinds.STORED):
        made.say(f"{_greet(stored)}I have noted {words.listed([_clause(n) for n in stored])}.")
    if again := [n for n in by_kind.get(kinds.REINFORCED, []) if n.fact is not None]:
        made.say(
            f"You said so before: {words.listed([_clause(n) for n in again])}. Now I am surer."
        )
        for note in again:
            _since_when(note, made)
    _in_your_words(by_kind, made)
    if waiting := [n.memory for n in by_kind.get(kinds.WAITING, []) if n.memory is not None]:
        told = words.listed([f"“{literal(memory.content)}”" for memory in waiting])
        if any(memory.content.startswith(NO_LONGER_WITH_YOU) for memory in waiting):
            made.say("I am so sorry.")
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


def _in_your_words(by_kind: dict[str, list[LearningOutcome]], made: Answer) -> None:
    notes = by_kind.get(LearningOutcome.Kind.MEMORY, [])
    if any(note.memory is not None and note.memory.is_sensitive for note in notes):
        made.say("I have noted it in your words, marked as sensitive.")
    elif (notes or by_kind.get(LearningOutcome.Kind.REINFORCED)) and not made.pieces:
        made.say("I will keep that in mind.")
    _taken_over(notes, made)


def _taken_over(notes: list[LearningOutcome], made: Answer) -> None:
    """What is over by what was just said: it is out of use, and can be brought back."""
    by = [note.memory_id for note in notes if note.memory_id]
    gone = Memory.objects.filter(superseded_by__in=by, status=Memory.Status.SUPERSEDED)
    if told := words.listed([f"“{literal(one.original or one.content)}”" for one in gone]):
        page = reverse("memory:memories")
        made.say(
            f"It takes the place of {told}, which you can bring back under [Memories]({page})."
        )


def _stays_here(prompt: Prompt, kept: list[LearningOutcome], made: Answer) -> None:
    """What is nobody's business elsewhere, with the offer to note it anyway."""
    if prompt.question.reading.holds_a_secret:
        made.say(_HOLDS_A_KEY)
    elif kept:
        made.say(sensitive_consent.in_words(kept))


def _since_when(note: LearningOutcome, made: Answer) -> None:
    """What came of a time that was told for a value that was known."""
    fact, message = note.fact, note.message
    said = fact and fact.mentions.filter(message=message).first()
    if not fact or not said:
        return
    began = start_dates.read(message.content, said.start, said.end, message.said_at)
    held = words.told_in_full(localtime(fact.valid_from).date(), fact.from_precision)
    if began is not None and began.at == fact.valid_from:
        made.say(f"{literal(fact.value)}: since {held} now.")
    elif began is not None and not began.holds(localtime(fact.valid_from).date()):
        made.say(
            f"I have {literal(fact.value)} since {held} and leave it so; you can change that on "
            f"[your profile]({fact.get_absolute_url()})."
        )


def _greet(stored: list[LearningOutcome]) -> str:
    """Somebody who has just said their name is greeted by it."""
    name = next(
        (n.fact.value for n in stored if n.slot in ("preferred_name", "name") and n.fact), ""
    )
    return f"Good to meet you, {literal(name)}. " if name else ""


def _clause(note: LearningOutcome) -> str:
    """'that you work at Google since May 2024', from the slot's own sentence."""
    since = validity.since_in_words(note.fact) if note.fact and _is_new(note) else ""
    if note.fact and _is_new(note) and (wider := note.fact.narrowed_from):
        since += f" (before: {literal(wider.value)})"
    value = literal(note.fact.value) if note.fact else ""
    if note.fact and (over := ledger_present.bygone(note.fact, note.message.said_at)):
        return f"an earlier {note.about.noun} ({literal(over)})"
    if note.about.sensitive:
        return f"“{note.about.note.format(value=value)}”, marked as sensitive"
    sentence = note.about.answer.format(value=value).rstrip(".")
    if ":" in sentence:
        # 'Your diet: allergic to nuts' does not follow 'that'.
        return f"“{note.about.note.format(value=value)}”{since}"
    return f"that {sentence[0].lower()}{sentence[1:]}{since}"


def _is_new(note: LearningOutcome) -> bool:
    return note.kind == LearningOutcome.Kind.STORED


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
