"""Answers about the user, from the profile and its timeline."""

import re
from collections.abc import Callable, Iterable, Sequence

from dateutil.relativedelta import relativedelta
from django.db.models import Q
from django.urls import reverse
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.markdown import literal
from conversations.notebook.answer_builder import (
    Answer,
    noted_line,
    recorded_step,
    used_note,
)
from conversations.prompt import Prompt
from ledger.history import timeline
from ledger.history.timeline import Span
from ledger.models import Contradiction
from memory.facts.validity import is_told_time
from memory.language.dates.asked_times import find_asked_times
from memory.language.dates.time_expressions import find_stated_times
from memory.language.queries.query_intent import QueryIntent
from memory.language.text.dedup import content_stem_ids
from memory.language.text.terms import stem_id
from memory.models import ProfileFact
from memory.retrieval.relevance import ScoredNote
from memory.slots import SLOTS, asked_about

_MOST_NOTES = 8
# "Me": the user asks for everything that is known.
_ONESELF = re.compile(r"^(?:me|myself|us)\b", re.IGNORECASE)
_FAVOURITE = re.compile(r"\(favou?rite ([\w-]+)\)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def where_to_choose(sides: Sequence[ProfileFact]) -> str:
    """Return where to settle a conflict between these values: 'here or [on its own page](…)'.

    A reply to an answer with that link is recognised (`open_questions`); several conflicts can be
    settled on their own pages only.
    """
    keys = [fact.pk for fact in sides]
    conflicts = Contradiction.objects.for_user(sides[0].user_id).open()
    entries = list(conflicts.filter(Q(old_fact__in=keys) | Q(new_fact__in=keys)))
    if len(entries) == 1:
        return f"here or [on its own page]({entries[0].get_absolute_url()})"
    return f"under [Conflicts]({reverse('ledger:conflicts')})"


# --- Current facts -------------------------------------------------------------------------------


def about_the_person(prompt: Prompt, answer: Answer) -> bool:
    """Say what is known of the slots asked about; return False if nothing is."""
    if prompt.asked_slots == ("*",):
        _say_everything(prompt, answer)
        return True
    if prompt.asked_slots[:1] == ("age",) and _age(prompt, answer):
        return True
    answered = False
    for slot in _answerable(prompt):
        answered = _say_slot(prompt, answer, slot) or answered
    return answered


def _answerable(prompt: Prompt) -> list[str]:
    """Return the slots to answer with; a preferred name of this conversation comes first."""
    slots = list(prompt.asked_slots)
    if "name" in slots and "preferred_name" in prompt.recall.overrides:
        slots = ["preferred_name", *[s for s in slots if s != "preferred_name"]]
    known = _known(prompt)
    if "name" in slots and "name" not in known and "preferred_name" not in slots:
        slots.append("preferred_name")
    if "preferred_name" in slots and "name" in slots and "preferred_name" not in known:
        slots.remove("preferred_name")
    return slots


def _known(prompt: Prompt) -> set[str]:
    return {*prompt.recall.overrides, *prompt.recall.facts}


def _say_slot(prompt: Prompt, answer: Answer, slot: str) -> bool:
    here = prompt.recall.overrides.get(slot, [])
    if here:
        value = formatting.listed([literal(override.value) for override in here])
        if slot == "preferred_name":
            answer.say(f"In this conversation, I’ll call you {value}.")
        else:
            answer.say(f"In this conversation: {SLOTS[slot].answer.format(value=value)}")
        if not SLOTS[slot].many:
            return True
    facts = _of_the_kind(prompt, prompt.recall.facts.get(slot, []))
    if not facts:
        return bool(here)
    if prompt.recall.is_disputed(slot):
        _say_both(prompt, facts, answer)
        return True
    value = formatting.listed([literal(fact.value) for fact in facts])
    answer.say(SLOTS[slot].answer.format(value=value), *facts)
    if over := [literal(fact.value) for fact in facts if fact.pk in prompt.seem_over]:
        answer.say(
            f"You said this may be over: {formatting.listed(over)}. Please confirm that on [your "
            f"profile]({reverse('memory:profile')}#waiting)."
        )
    return True


def _say_both(prompt: Prompt, facts: Sequence[ProfileFact], answer: Answer) -> None:
    rivals = {rival.pk: rival for fact in facts for rival in prompt.recall.rivals(fact)}
    sides = [*facts, *rivals.values()]
    apart = len({fact.slot for fact in sides}) > 1
    values = formatting.listed(
        [literal(fact.sentence if apart else fact.value) for fact in sides], "or"
    )
    answer.say(
        f"I have more than one answer for your {facts[0].kind.noun}: {values}. I won’t use any "
        f"of them until you choose, {where_to_choose(sides)}.",
        *sides,
    )


def _of_the_kind(prompt: Prompt, facts: Sequence[ProfileFact]) -> Sequence[ProfileFact]:
    """Return only the facts of the kind asked for ("favourite colour"), if any; else all."""
    stems = content_stem_ids(prompt.asked)
    kinds = {fact.pk: _FAVOURITE.search(fact.value) for fact in facts}
    return [
        fact for fact in facts if (kind := kinds[fact.pk]) is not None and stem_id(kind[1]) in stems
    ] or facts


def _age(prompt: Prompt, answer: Answer) -> bool:
    """Say the user's age, computed from a birthday with a year; return False if there is none."""
    facts = prompt.recall.facts.get("birthday", [])
    if "age" in _known(prompt) or not facts or prompt.recall.is_disputed("birthday"):
        return False
    days = find_stated_times(facts[0].value, prompt.question.said_at)
    today = localtime(prompt.question.said_at).date()
    if len(days) != 1 or not _YEAR.search(facts[0].value) or days[0].first > today:
        return False
    years = relativedelta(today, days[0].first).years
    answer.say(f"You are {years}: your birthday is {literal(facts[0].value)}.", facts[0])
    return True


# --- Memories ------------------------------------------------------------------------------------


def _say_everything(prompt: Prompt, answer: Answer) -> None:
    known = [slot for slot in SLOTS if slot in _known(prompt)]
    latest = sorted(prompt.own_notes, key=lambda note: note.said_at, reverse=True)
    if not (known or latest):
        answer.say("Nothing yet. Tell me something about yourself, and I’ll note it.")
        return
    answer.say("Here’s what I’ve noted:")
    _list(prompt, answer, known, latest[:_MOST_NOTES])
    if len(latest) > _MOST_NOTES:
        answer.paragraph(f"All of it is under [Memories]({reverse('memory:memories')}).")


def _list(
    prompt: Prompt, answer: Answer, slots: Iterable[str], notes: Iterable[ScoredNote] = ()
) -> None:
    """Add a list item for each slot and each memory."""
    for slot in slots:
        entry = Answer()
        _say_slot(prompt, entry, slot)
        answer.point("".join(entry.pieces), *entry.used)
    for note in notes:
        answer.point(noted_line(note), used_note(note))


def known_about(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """List the facts and memories about a subject, or all; return False if there are none."""
    if not intent.about or _ONESELF.match(intent.about):
        _say_everything(prompt, answer)
        return True
    named = asked_about(f"What is {intent.about}?") or asked_about(f"What is my {intent.about}?")
    slots = [slot for slot in SLOTS if slot in _known(prompt) and slot in named]
    wanted = content_stem_ids(intent.about)
    notes = [note for note in prompt.own_notes if wanted & content_stem_ids(note.content)]
    if slots or notes:
        yours = re.sub(r"\bmy\b", "your", intent.about, flags=re.IGNORECASE)
        answer.say(f"Here’s what I’ve noted about {literal(yours)}:")
        _list(prompt, answer, slots, notes[:_MOST_NOTES])
    return bool(slots or notes)


# --- Past facts and start dates ------------------------------------------------------------------

# Words for what somebody does, and the slots that answer.
_ACTIVITY_SLOTS = (
    (r"work|employ|job", ("employer", "job_title")),
    (r"liv|resid|based|move", ("location",)),
    (r"stud|school", ("education",)),
    (r"driv|drove", ("vehicle",)),
    (r"speak|spok", ("languages",)),
)


def slots_of(about: str) -> tuple[str, ...]:
    """Return the slots that a phrase about the user ("where I live") asks for."""
    for pattern, slots in _ACTIVITY_SLOTS:
        if re.search(rf"\b(?:{pattern})", about, re.IGNORECASE):
            return slots
    return asked_about(f"What is my {about}?")


def held_before(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """Say which values a slot had earlier, with years; return False if none is known."""
    slots = slots_of(intent.about)
    return _say_spans(prompt, slots, lambda span: not span.is_current, answer)


def held_then(prompt: Prompt, answer: Answer) -> bool:
    """Say which value held at the time in the question ('Where did I work in 2012?'); return False
    if there is no time or no value.
    """
    times = find_asked_times(prompt.asked, localtime(prompt.question.said_at))
    if len(times) != 1 or not prompt.question.reading.only_asks:
        return False
    first, last = times[0].first, times[0].last

    def held(span: Span) -> bool:
        if span.begins_unknown:
            return span.end is not None and not span.ends_unknown and first <= span.end <= last
        return span.first <= last and (span.end is None or span.end >= first)

    return _say_spans(prompt, prompt.asked_slots or slots_of(prompt.asked), held, answer)


def since(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """Say since when a value holds or held: the named one, else the current one; return False if
    that is unknown.
    """
    reading = prompt.question.reading
    named = [value for value in reading.read.spans if value.label in SLOTS]
    wanted = content_stem_ids(" ".join(reading.text[span.start : span.end] for span in named))
    if not wanted:
        slots = slots_of(intent.about)
        return _say_spans(prompt, slots, lambda span: span.is_current, answer)

    def is_named(span: Span) -> bool:
        value = content_stem_ids(span.value)
        return bool(value) and (wanted <= value or value <= wanted)

    return _say_spans(prompt, tuple(SLOTS), is_named, answer)


def _say_spans(
    prompt: Prompt,
    slots: Sequence[str],
    is_meant: Callable[[Span], bool],
    answer: Answer,
) -> bool:
    """Say the values of these slots with their periods from the timeline, and open conflicts;
    return False if there are none.
    """
    if not slots:
        return False
    today = localtime(prompt.question.said_at).date()
    with recorded_step(answer, "find_personal_variables", slots=list(slots)) as step:
        histories = timeline.slot_histories(timeline.read(prompt.question.user_id))
        strands = [strand for strand in histories if strand.slot.key in slots]
        step.count(strands)
    meant = [(strand, span) for strand in strands for span in strand.spans if is_meant(span)]
    for strand, span in meant:
        since_day = formatting.told_in_full(span.first, span.fact.from_precision)
        when = f"since {since_day}" if span.is_current else span.words(today)
        answer.say(f"{literal(span.value)}: {when}.", span.fact)
        if span.is_current and prompt.recall.is_disputed(strand.slot.key):
            _say_both(prompt, [span.fact], answer)
        elif span.is_current and span.first == today and not is_told_time(span.fact.valid_from):
            answer.say("If it began earlier, tell me when.")
    if meant:
        answer.say(f"You can see this on [your timeline]({reverse('ledger:timeline')}).")
    return bool(meant)
