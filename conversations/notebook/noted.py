"""Sentences about a message's outcomes that the chips do not show."""

from django.urls import reverse
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.learning import note_consent, open_questions
from conversations.markdown import literal
from conversations.models import LearningOutcome
from conversations.notebook.answer_builder import Answer
from conversations.notebook.standard_answers import as_addressed
from conversations.prompt import Prompt
from ledger.models import Contradiction
from ledger.web import present as ledger_present
from memory.core.persistence_gate import PersistenceReason
from memory.facts.start_dates import read_start_date
from memory.language.queries.query_intent import read_yes_or_no
from memory.models import Memory, ProfileFact

Kind = LearningOutcome.Kind
_STILL_OPEN = "My question is still open"
_QUOTED_NOWHERE = "Your message stays in this conversation."


def acknowledge(prompt: Prompt, answer: Answer) -> None:
    """Say what the chips do not: questions to the user, and what stays in the conversation."""
    for outcome in prompt.outcomes:
        match outcome.kind:
            case Kind.REINFORCED:
                _say_since_when(outcome, answer)
            case Kind.STORED | Kind.MEMORY:
                _say_noted_with_consent(outcome, answer)
            case Kind.CONFLICT if outcome.contradiction is not None:
                _say_two_values(outcome, outcome.contradiction, answer)
            case Kind.SETTLED if outcome.contradiction is not None:
                answer.say("Thank you.")
    _say_what_it_replaced(prompt, answer)
    _say_what_stays(prompt, answer)


def name_just_told(prompt: Prompt) -> str:
    """Return the name that the user gave in this message, as a form of address; '' for none."""
    for outcome in prompt.outcomes:
        is_name = outcome.slot in ("preferred_name", "name")
        if outcome.kind == Kind.STORED and outcome.fact is not None and is_name:
            return literal(as_addressed(outcome.fact.value))
    return ""


def is_only_confirmed(prompt: Prompt) -> bool:
    """Return whether the message only repeats what was known."""
    return bool(prompt.outcomes) and all(
        outcome.kind == Kind.REINFORCED for outcome in prompt.outcomes
    )


def _say_noted_with_consent(outcome: LearningOutcome, answer: Answer) -> None:
    """Say that something was saved as sensitive with the user's consent."""
    if outcome.fact is not None and outcome.about.sensitive:
        note = outcome.about.note.format(value=literal(outcome.fact.value))
        answer.say(f"I marked “{note}” as sensitive.")
    elif outcome.memory is not None and outcome.memory.is_sensitive:
        answer.say_once("I marked it as sensitive.")


def _say_what_it_replaced(prompt: Prompt, answer: Answer) -> None:
    """Say which memories were replaced, and that this can be undone."""
    by = [outcome.memory_id for outcome in prompt.outcomes if outcome.memory_id]
    if not by:
        return
    notes = Memory.objects.filter(superseded_by__in=by, status=Memory.Status.SUPERSEDED)
    if texts := [f"“{literal(note.original or note.content)}”" for note in notes]:
        answer.say(f"This replaces {formatting.listed(texts)}. You can undo this.")


def _say_what_stays(prompt: Prompt, answer: Answer) -> None:
    """Say what stays in the conversation, with the offer to note it anyway."""
    withheld = [outcome for outcome in prompt.outcomes if outcome.kind == Kind.WITHHELD]
    if prompt.question.reading.holds_a_secret:
        answer.say(f"{PersistenceReason.SECRET.sentence} {_QUOTED_NOWHERE}")
    elif withheld:
        noted = any(outcome.kind in (Kind.STORED, Kind.MEMORY) for outcome in prompt.outcomes)
        answer.say(note_consent.in_words(withheld, beside_others=noted))
    elif any(item.offered for item in answer.used):
        return
    elif note_consent.may_be_offered(prompt.question):
        beside = bool(prompt.outcomes)
        answer.say(note_consent.MAY_BE_PRIVATE_BESIDE if beside else note_consent.MAY_BE_PRIVATE)


def _say_since_when(outcome: LearningOutcome, answer: Answer) -> None:
    """Say whether the start date of a known value was changed."""
    fact, message = outcome.fact, outcome.message
    mention = fact and fact.mentions.filter(message=message).first()
    # For a past value the given time is its end.
    if not fact or not mention or fact.status != ProfileFact.Status.CURRENT:
        return
    began = read_start_date(message.content, mention.start, mention.end, message.said_at)
    holds_from = localtime(fact.valid_from).date()
    held = formatting.told_in_full(holds_from, fact.from_precision)
    if began is not None and began.at == fact.valid_from:
        answer.say(f"I changed the start date of “{literal(fact.value)}” to {held}.")
    elif began is not None and not began.holds(holds_from):
        answer.say(
            f"I already have {held} as the start date of “{literal(fact.value)}”, so I haven’t "
            f"changed it. You can change it on [your profile]({fact.get_absolute_url()})."
        )


# --- Open conflicts ------------------------------------------------------------------------------


def _say_two_values(outcome: LearningOutcome, entry: Contradiction, answer: Answer) -> None:
    if not entry.is_open:
        return
    view = ledger_present.view(entry)
    page = entry.get_absolute_url()
    old, new = literal(view.old.value), literal(view.new.value)
    if entry.opened_at < outcome.message.said_at:
        answer.say(f"My question is [still open]({page}): {old} or {new}?")
        return
    both = f"both: {old}, and {new}" if view.opposed else f"{old} before, and {new} now"
    answer.say(
        f"You told me {both}. Nothing changes until you choose, here or [on its own page]({page})."
    )


def say_still_open(prompt: Prompt, answer: Answer) -> bool:
    """Name the conflicts that are still open and how to settle them; return whether anything was
    said. Said once per conflict, and again after a yes or no.
    """
    # Every open conflict has a challenger; without any, no query is needed.
    entries, _ = open_questions.before(prompt.question) if prompt.recall.challengers else ([], [])
    answers = read_yes_or_no(prompt.question.content) is not None
    before = [] if answers else [turn.text for turn in prompt.history if _STILL_OPEN in turn.text]
    views = {
        f"{literal(view.old.value)} or {literal(view.new.value)}": view
        for view in map(ledger_present.view, entries)
    }
    views = {
        values: view for values, view in views.items() if not any(values in text for text in before)
    }
    if not views:
        return False
    answer.say(f"{_STILL_OPEN}: {'; '.join(views)}?")
    if len(views) == 1 and not (view := next(iter(views.values()))).opposed:
        old, new = literal(view.old.value), literal(view.new.value)
        answer.say(f"Tell me which is right. If both were, say “first {old}, then {new}”.")
    answer.say(f"You can also choose under [Conflicts]({reverse('ledger:conflicts')}).")
    return True
