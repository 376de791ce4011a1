"""Questions about the person, answered from the profile: what holds, and what held."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime

from django.urls import reverse
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.markdown import literal
from conversations.notebook import unsettled
from conversations.notebook.answer_builder import Answer, noted_line, used_note
from conversations.notebook.steps import recorded_step
from conversations.prompt import Prompt
from conversations.search import word_mentions
from ledger.history import timeline
from ledger.history.timeline import SlotHistory
from memory.language import (
    QueryIntent,
    content_stem_ids,
    find_related_stems,
    find_stated_times,
    stem_id,
)
from memory.models import ProfileFact
from memory.retrieval import ScoredNote, read_question, score_notes
from memory.slots import GROUPS, SLOTS, asked_about


def about_the_person(prompt: Prompt, answer: Answer) -> bool:
    """Say what is known of the slots that are asked about; False when nothing is."""
    if prompt.asked_slots == ("*",):
        _everything(prompt, answer)
        return True
    answered = False
    for slot in _answerable(prompt):
        answered = _one_slot(prompt, answer, slot) or answered
    return answered or _noted_in_slots(prompt, answer)


def _noted_in_slots(prompt: Prompt, answer: Answer) -> bool:
    """What stands among the notes of the slots that are asked about and has words of the question:
    "Pet: cat Minka", for the name of the cat.
    """
    words = content_stem_ids(prompt.asked)
    labels = [SLOTS[slot].note.partition("{")[0] for slot in prompt.asked_slots if slot in SLOTS]
    found = [
        note
        for note in prompt.own_notes
        if any(note.content.startswith(label) for label in labels if label)
        and words & content_stem_ids(note.content)
    ]
    if found:
        answer.say("This is what I have noted:")
    for note in found[:_MOST_NOTES]:
        answer.point(noted_line(note), used_note(note))
    return bool(found)


def _answerable(prompt: Prompt) -> list[str]:
    """The asked slots, with what this conversation calls the person ahead of their name."""
    slots = list(prompt.asked_slots)
    if "name" in slots and "preferred_name" in prompt.recall.overrides:
        slots = ["preferred_name", *[s for s in slots if s != "preferred_name"]]
    if "preferred_name" in slots and "name" in slots and "preferred_name" not in _known(prompt):
        slots.remove("preferred_name")
    return slots


def _known(prompt: Prompt) -> set[str]:
    return {*prompt.recall.overrides, *prompt.recall.facts}


def _one_slot(prompt: Prompt, answer: Answer, slot: str) -> bool:
    here = prompt.recall.overrides.get(slot, [])
    if here:
        value = formatting.listed([literal(override.value) for override in here])
        if slot == "preferred_name":
            answer.say(f"In this conversation I call you {value}.")
        else:
            answer.say(f"In this conversation: {SLOTS[slot].answer.format(value=value)}")
        if not SLOTS[slot].many:
            return True
    facts = _of_the_kind(prompt, prompt.recall.facts.get(slot, []))
    if not facts:
        return bool(here)
    if prompt.recall.is_disputed(slot):
        rivals = {rival.pk: rival for fact in facts for rival in prompt.recall.rivals(fact)}
        sides = [*facts, *rivals.values()]
        apart = len({fact.slot for fact in sides}) > 1
        values = formatting.listed(
            [literal(fact.sentence if apart else fact.value) for fact in sides],
            "or",
        )
        answer.say(
            f"I have more than one answer for your {SLOTS[slot].noun}: {values}. Until you choose, "
            f"{unsettled.where_to_choose(sides)}, I use none of them.",
            *sides,
        )
        return True
    value = formatting.listed([literal(fact.value) for fact in facts])
    answer.say(SLOTS[slot].answer.format(value=value), *facts)
    if over := [literal(fact.value) for fact in facts if fact.pk in prompt.seem_over]:
        answer.say(
            f"You said that this may be over: {formatting.listed(over)}. It waits for your yes on "
            f"[your profile]({reverse('memory:profile')}#waiting)."
        )
    return True


_FAVOURITE = re.compile(
    r"\b(?:my|our) (?:most |very )?favou?rite (?P<kind>[\w-]+)"
    r"|\b(?:which|what) (?P<best>[\w-]+) do i (?:like|love) (?:best|most)",
    re.IGNORECASE,
)


def _of_the_kind(prompt: Prompt, facts: Sequence[ProfileFact]) -> Sequence[ProfileFact]:
    """Of a favourite of a kind that is asked for, that alone; otherwise all."""
    match = _FAVOURITE.search(prompt.asked)
    if match is None:
        return facts
    word = (match["kind"] or match["best"]).lower()
    wanted = {stem_id(word), *(number for number, _ in find_related_stems(word))}
    return [
        fact
        for fact in facts
        if (told := re.search(r"\(favou?rite ([\w-]+)\)", fact.value))
        and stem_id(told[1]) in wanted
    ]


def _everything(prompt: Prompt, answer: Answer) -> None:
    known = [slot for slot in SLOTS if slot in _known(prompt)]
    latest = sorted(prompt.own_notes, key=lambda note: note.said_at, reverse=True)
    if not (known or latest):
        answer.say("Nothing yet. Tell me something about you, and I will note it.")
        return
    answer.say("This is what I have noted:")
    _list(prompt, answer, known)
    for note in latest[:_MOST_NOTES]:
        answer.point(noted_line(note), used_note(note))
    if len(latest) > _MOST_NOTES:
        answer.paragraph(f"All of it is under [Memories]({reverse('memory:memories')}).")


def _list(prompt: Prompt, answer: Answer, slots: Iterable[str]) -> None:
    """A line for each slot."""
    for slot in slots:
        line = Answer()
        _one_slot(prompt, line, slot)
        answer.point("".join(line.pieces), *line.used)


# --- What is known about something ---------------------------------------------------------------

# A note that shares less than this of the words is about something else.
_NOTE_FITS = 0.4
_MOST_NOTES = 8
_MY = re.compile(r"^(?:my|our|the)\s+", re.IGNORECASE)
# Who asks what is known about them asks for all of it.
_ONESELF = re.compile(r"^(?:me|myself|us)\b", re.IGNORECASE)


def known_about(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """List the facts of that group or with those words, and the notes."""
    if _ONESELF.match(intent.about):
        return False
    about = _MY.sub("", intent.about).strip()
    slots = [slot for slot in SLOTS if slot in _known(prompt) and _is_about(slot, about)]
    found = _notes_about(prompt, answer, about)
    if not (slots or found):
        return False
    answer.say(f"This is what I have noted about {literal(_yours(intent.about))}:")
    _list(prompt, answer, slots)
    for note in found:
        answer.point(noted_line(note), used_note(note))
    return True


def notes(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """The notes about something, or the latest there are."""
    query = word_mentions.parse_mention_query(intent.about, prompt.question.said_at)
    all_notes = f"[Memories]({reverse('memory:memories')})"
    if intent.about:
        found = _notes_about(prompt, answer, query.words)
        what = f" about {literal(_yours(query.words))}"
    else:
        found = sorted(prompt.own_notes, key=lambda note: note.said_at, reverse=True)[:_MOST_NOTES]
        what = ""
    if not found:
        answer.say(f"I have no note{what}. All of them are under {all_notes}.")
        return True
    several = "these notes" if len(found) > 1 else "this note"
    answer.say(f"I have {several}{what}; all of them are under {all_notes}:")
    for note in found:
        answer.point(noted_line(note), used_note(note))
    return True


def _is_about(slot: str, about: str) -> bool:
    kind = SLOTS[slot]
    if slot in asked_about(f"What is my {about}?"):
        return True
    groups = {group.lower().split(" ")[0]: group for group in GROUPS}
    return groups.get(about.lower().split(" ")[0]) == kind.group


def _notes_about(prompt: Prompt, answer: Answer, about: str) -> list[ScoredNote]:
    """The notes in use that speak of it, the nearest first."""
    question = prompt.question
    with recorded_step(answer, "find_personal_variables", query=about) as step:
        scored = score_notes(question.scope, read_question(about, question.said_at))
        found = [
            note
            for note in scored
            if note.category != "summary"
            and note.score.similarity >= _NOTE_FITS
            and note.message_id != question.pk
        ]
        step.count = len(found)
    return sorted(found, key=lambda note: -note.score.total)[:_MOST_NOTES]


def _yours(about: str) -> str:
    """'my work', said back, is 'your work'."""
    return re.sub(r"\bmy\b", "your", about, flags=re.IGNORECASE)


# --- What held before ----------------------------------------------------------------------------

# What somebody does, and the slots that say it.
_DONE = (
    (r"work|employ|job", ("employer", "job_title")),
    (r"liv|resid|based|move", ("location",)),
    (r"stud|school", ("education",)),
    (r"driv|drove", ("vehicle",)),
    (r"speak|spok", ("languages",)),
)


def before(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """What a slot held earlier, with its years, from the timeline."""
    told = [
        (strand, [span for span in strand.spans if not span.is_current])
        for strand in strands_of(prompt, answer, slots_of(intent.about))
    ]
    told = [(strand, spans) for strand, spans in told if spans]
    if not told:
        return False
    today = localtime(prompt.question.said_at).date()
    for strand, spans in told:
        values = [f"{literal(span.value)}, {span.words(today)}" for span in reversed(spans)]
        answer.say(
            f"{strand.slot.past_label} before: {'; '.join(values)}.", *(s.fact for s in spans)
        )
    answer.say(f"So it stands on [your timeline]({reverse('ledger:timeline')}).")
    return True


def slots_of(about: str) -> tuple[str, ...]:
    """The slots that a few words about the person ask for."""
    for pattern, slots in _DONE:
        if re.search(rf"\b(?:{pattern})", about, re.IGNORECASE):
            return slots
    return asked_about(f"What is my {about}?")


def strands_of(prompt: Prompt, answer: Answer, slots: tuple[str, ...]) -> list[SlotHistory]:
    """These slots through time."""
    if not slots:
        return []
    with recorded_step(answer, "find_personal_variables", slots=list(slots)) as step:
        histories = timeline.strands(timeline.read(prompt.question.user_id))
        found = [strand for strand in histories if strand.slot.key in slots]
        step.count = len(found)
    return found


# --- How old one is ------------------------------------------------------------------------------

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def age(prompt: Prompt, answer: Answer) -> bool:
    """How old somebody is today, from a day of birth with a year; False where none is noted."""
    facts = prompt.recall.facts.get("birthday", [])
    known = "age" in prompt.recall.facts or "age" in prompt.recall.overrides
    if (
        prompt.asked_slots[:1] != ("age",)
        or known
        or not facts
        or prompt.recall.is_disputed("birthday")
    ):
        return False
    born = _day(facts[0].value, prompt.question.said_at)
    today = localtime(prompt.question.said_at).date()
    if born is None or born > today:
        return False
    years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    answer.say(f"You are {years}: your birthday is {literal(facts[0].value)}.", facts[0])
    return True


def _day(text: str, said_at: datetime) -> date | None:
    """The day of birth, where its year was told with it."""
    spans = find_stated_times(text, said_at)
    if len(spans) != 1 or spans[0].first != spans[0].last or not _YEAR.search(text):
        return None
    return spans[0].first
