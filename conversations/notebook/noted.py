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
from conversations.notebook.message_parts import TO_REMEMBER
from conversations.prompt import Prompt
from ledger.web import present as ledger_present
from memory.core import PersistenceReason
from memory.facts import read_start_date
from memory.models import Memory

_NO_REMINDERS = "I send no reminders: it is noted, and stands under what is coming up."
_QUOTED_NOWHERE = "I quote your message in no other conversation."


def acknowledge(prompt: Prompt, answer: Answer) -> None:
    """Say what of the outcomes of this message its chips do not: what waits, is asked, or stays."""
    kinds = LearningOutcome.Kind
    by_kind: dict[str, list[LearningOutcome]] = {}
    for outcome in prompt.outcomes:
        by_kind.setdefault(outcome.kind, []).append(outcome)
    for outcome in by_kind.get(kinds.REINFORCED, []):
        _since_when(outcome, answer)
    _by_consent(prompt.outcomes, answer)
    _taken_over(by_kind.get(kinds.MEMORY, []), answer)
    if waiting := [n.memory for n in by_kind.get(kinds.WAITING, []) if n.memory is not None]:
        told = formatting.listed([f"“{literal(memory.content)}”" for memory in waiting])
        answer.say(
            f"I ask you first about {told}: it waits for your yes on "
            f"[your profile]({reverse('memory:profile')}#waiting)."
        )
    for outcome in by_kind.get(kinds.OVERRIDE, []):
        answer.say(_for_this_conversation(outcome))
    for outcome in by_kind.get(kinds.CONFLICT, []):
        answer.say(_two_values(outcome))
    for outcome in by_kind.get(kinds.SETTLED, []):
        answer.say(f"Thank you. {_how_settled(outcome)}")
    if _is_to_come(prompt, by_kind.get(kinds.MEMORY, [])):
        answer.say(_NO_REMINDERS)
    _stays_here(prompt, by_kind.get(kinds.WITHHELD, []), answer)


def _is_to_come(prompt: Prompt, notes: Sequence[LearningOutcome]) -> bool:
    """Return whether it was asked to remember something of a day that is still to come."""
    ordered = any(each.kind == TO_REMEMBER for each in prompt.question.reading.read.sentences)
    days = [note.memory.happened_on for note in notes if note.memory is not None]
    today = localtime(prompt.question.said_at).date()
    return ordered and any(day is not None and day >= today for day in days)


def _by_consent(notes: Sequence[LearningOutcome], answer: Answer) -> None:
    """What is private was noted because the person said so, and is told back."""
    kinds = LearningOutcome.Kind
    for outcome in notes:
        if outcome.kind == kinds.STORED and outcome.fact is not None and outcome.about.sensitive:
            told = outcome.about.note.format(value=literal(outcome.fact.value))
            answer.say(f"Noted “{told}”, marked as sensitive.")
        elif (
            outcome.kind == kinds.MEMORY
            and outcome.memory is not None
            and outcome.memory.is_sensitive
        ):
            answer.say("Noted in your words, marked as sensitive.")


def name_just_told(prompt: Prompt) -> str:
    """The name that was noted from this message, as its owner is spoken to; '' for none."""
    for outcome in prompt.outcomes:
        if outcome.kind == LearningOutcome.Kind.STORED and outcome.fact is not None:
            if outcome.slot == "preferred_name":
                return literal(outcome.fact.value)
            if outcome.slot == "name":
                return literal(people.as_addressed(outcome.fact.value))
    return ""


def _taken_over(notes: list[LearningOutcome], answer: Answer) -> None:
    """What is over by what was just said: it is out of use, and can be brought back."""
    by = [outcome.memory_id for outcome in notes if outcome.memory_id]
    gone = Memory.objects.filter(superseded_by__in=by, status=Memory.Status.SUPERSEDED)
    if told := formatting.listed([f"“{literal(one.original or one.content)}”" for one in gone]):
        page = reverse("memory:memories")
        answer.say(
            f"It takes the place of {told}, which you can bring back under [Memories]({page})."
        )


def _stays_here(prompt: Prompt, outcomes: list[LearningOutcome], answer: Answer) -> None:
    """What is nobody's business elsewhere, with the offer to note it anyway."""
    if prompt.question.reading.holds_a_secret:
        answer.say(f"{PersistenceReason.SECRET.sentence} {_QUOTED_NOWHERE}")
    elif outcomes:
        kinds = LearningOutcome.Kind
        noted = any(outcome.kind in (kinds.STORED, kinds.MEMORY) for outcome in prompt.outcomes)
        answer.say(sensitive_consent.in_words(outcomes, beside_others=noted))
    elif not answer.has_cards and noted_on_request.may_be_offered(prompt.question):
        beside = bool(prompt.outcomes)
        answer.say(
            noted_on_request.MAY_BE_PRIVATE_BESIDE if beside else noted_on_request.MAY_BE_PRIVATE
        )


def _since_when(outcome: LearningOutcome, answer: Answer) -> None:
    """What came of a time that was told for a value that was known."""
    fact, message = outcome.fact, outcome.message
    said = fact and fact.mentions.filter(message=message).first()
    if not fact or not said:
        return
    began = read_start_date(message.content, said.start, said.end, message.said_at)
    held = formatting.told_in_full(localtime(fact.valid_from).date(), fact.from_precision)
    if began is not None and began.at == fact.valid_from:
        answer.say(f"{literal(fact.value)}: since {held} now.")
    elif began is not None and not began.holds(localtime(fact.valid_from).date()):
        answer.say(
            f"I have {literal(fact.value)} since {held} and leave it so; you can change that on "
            f"[your profile]({fact.get_absolute_url()})."
        )


def _for_this_conversation(outcome: LearningOutcome) -> str:
    value = literal(outcome.override.value) if outcome.override else ""
    if outcome.slot == "preferred_name":
        return f"{value} it is, in this conversation only."
    return f"{outcome.about.noun.capitalize()}: {value}, in this conversation only."


def _two_values(outcome: LearningOutcome) -> str:
    if outcome.contradiction is None:
        return ""
    if not outcome.contradiction.is_open:
        return _how_settled(outcome)
    view = ledger_present.view(outcome.contradiction)
    page = outcome.contradiction.get_absolute_url()
    old, new = literal(view.old.value), literal(view.new.value)
    if outcome.contradiction.opened_at < outcome.message.said_at:
        about = "" if view.opposed else f" about your {outcome.about.noun}"
        return f"My question{about} is [still open]({page}): {old} or {new}?"
    two = "two notes that do not agree" if view.opposed else f"two values for your {view.noun}"
    return (
        f"I have {two} now: {old}, which I had, and {new}, which you just said. "
        f"Nothing changes until you choose, here or [on its own page]({page})."
    )


def _how_settled(outcome: LearningOutcome) -> str:
    """'Google since 16 November. Microsoft keeps its years.'"""
    if outcome.contradiction is None:
        return ""
    return literal(ledger_present.settled(outcome.contradiction, outcome.message.said_at))
