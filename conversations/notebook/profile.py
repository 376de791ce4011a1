"""Questions about the person, answered from the profile and its timeline."""

import re
from collections.abc import Iterable, Sequence
from datetime import date

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
from ledger.history.timeline import Rival, SlotHistory, Span
from ledger.models import Contradiction
from ledger.promotion import proposals
from memory.facts import is_told_time, since_in_words
from memory.language import (
    QueryIntent,
    TimeSpan,
    content_stem_ids,
    find_asked_times,
    find_related_stems,
    find_stated_times,
    stem_id,
)
from memory.models import ProfileFact
from memory.retrieval import ScoredNote, read_question, score_notes
from memory.slots import GROUPS, SLOTS, asked_about

# A note that shares less than this of the words is about something else.
_NOTE_FITS = 0.4
_MOST_NOTES = 8
# Who asks what is known about them asks for all of it.
_ONESELF = re.compile(r"^(?:me|myself|us)\b", re.IGNORECASE)
_FAVOURITE = re.compile(
    r"\b(?:my|our) (?:most |very )?favou?rite (?P<kind>[\w-]+)"
    r"|\b(?:which|what) (?P<best>[\w-]+) do i (?:like|love) (?:best|most)",
    re.IGNORECASE,
)
_ON_THE_TIMELINE = "So it stands on [your timeline]({page})."
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def where_to_choose(sides: Sequence[ProfileFact]) -> str:
    """Return where the question about these values is settled: 'here or [on its own page](…)'.

    An answer with that link is listened to for a reply (`open_questions`); several questions at
    once are settled on their own pages only.
    """
    keys = [fact.pk for fact in sides]
    asked = Contradiction.objects.for_user(sides[0].user_id).open()
    entries = list(asked.filter(Q(old_fact__in=keys) | Q(new_fact__in=keys)))
    if len(entries) == 1:
        return f"here or [on its own page]({entries[0].get_absolute_url()})"
    return f"under [Conflicts]({reverse('ledger:conflicts')})"


# --- What holds ----------------------------------------------------------------------------------


def about_the_person(prompt: Prompt, answer: Answer) -> bool:
    """Say what is known of the slots that are asked about; False when nothing is."""
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
    """Return the asked slots, with what this conversation calls the person ahead of their name."""
    slots = list(prompt.asked_slots)
    if "name" in slots and "preferred_name" in prompt.recall.overrides:
        slots = ["preferred_name", *[s for s in slots if s != "preferred_name"]]
    if "preferred_name" in slots and "name" in slots and "preferred_name" not in _known(prompt):
        slots.remove("preferred_name")
    return slots


def _known(prompt: Prompt) -> set[str]:
    return {*prompt.recall.overrides, *prompt.recall.facts}


def _say_slot(prompt: Prompt, answer: Answer, slot: str) -> bool:
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
        _say_both(prompt, facts, answer)
        return True
    value = formatting.listed([literal(fact.value) for fact in facts])
    answer.say(SLOTS[slot].answer.format(value=value), *facts)
    if over := [literal(fact.value) for fact in facts if fact.pk in prompt.seem_over]:
        answer.say(
            f"You said that this may be over: {formatting.listed(over)}. It waits for your yes on "
            f"[your profile]({reverse('memory:profile')}#waiting)."
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
        f"I have more than one answer for your {facts[0].kind.noun}: {values}. Until you choose, "
        f"{where_to_choose(sides)}, I use none of them.",
        *sides,
    )


def _of_the_kind(prompt: Prompt, facts: Sequence[ProfileFact]) -> Sequence[ProfileFact]:
    """Return of a favourite of a kind that is asked for that alone; otherwise all."""
    match = _FAVOURITE.search(prompt.asked)
    if match is None:
        return facts
    word = (match["kind"] or match["best"]).lower()
    wanted = {stem_id(word), *(number for number, _ in find_related_stems(word))}
    kinds = [re.search(r"\(favou?rite ([\w-]+)\)", fact.value) for fact in facts]
    return [
        fact
        for fact, kind in zip(facts, kinds, strict=True)
        if kind is not None and stem_id(kind[1]) in wanted
    ]


def _age(prompt: Prompt, answer: Answer) -> bool:
    """Say how old somebody is, from a day of birth with a year; False where none is noted."""
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


# --- Notes ---------------------------------------------------------------------------------------


def _say_everything(prompt: Prompt, answer: Answer) -> None:
    known = [slot for slot in SLOTS if slot in _known(prompt)]
    latest = sorted(prompt.own_notes, key=lambda note: note.said_at, reverse=True)
    if not (known or latest):
        answer.say("Nothing yet. Tell me something about you, and I will note it.")
        return
    answer.say("This is what I have noted:")
    _list(prompt, answer, known, latest[:_MOST_NOTES])
    if len(latest) > _MOST_NOTES:
        answer.paragraph(f"All of it is under [Memories]({reverse('memory:memories')}).")


def _list(
    prompt: Prompt, answer: Answer, slots: Iterable[str], notes: Iterable[ScoredNote] = ()
) -> None:
    """Add a line for each slot and each note."""
    for slot in slots:
        entry = Answer()
        _say_slot(prompt, entry, slot)
        answer.point("".join(entry.pieces), *entry.used)
    for note in notes:
        answer.point(noted_line(note), used_note(note))


def known_about(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """List the facts and the notes about something, or all of them; False where there are none."""
    if not intent.about or _ONESELF.match(intent.about):
        _say_everything(prompt, answer)
        return True
    about = re.sub(r"^(?:my|our|the)\s+", "", intent.about, flags=re.IGNORECASE).strip()
    asked = asked_about(f"What is my {about}?")
    first_word = about.lower().split(" ")[0]
    groups = {group for group in GROUPS if group.lower().split(" ")[0] == first_word}
    slots = [
        slot
        for slot in SLOTS
        if slot in _known(prompt) and (slot in asked or SLOTS[slot].group in groups)
    ]
    notes = _notes_about(prompt, answer, about)
    if slots or notes:
        yours = re.sub(r"\bmy\b", "your", intent.about, flags=re.IGNORECASE)
        answer.say(f"This is what I have noted about {literal(yours)}:")
        _list(prompt, answer, slots, notes)
    return bool(slots or notes)


def _notes_about(prompt: Prompt, answer: Answer, about: str) -> list[ScoredNote]:
    """Return the notes in use that speak of it, the nearest first."""
    question = prompt.question
    with recorded_step(answer, "find_personal_variables", query=about) as step:
        notes = [
            note
            for note in score_notes(question.scope, read_question(about, question.said_at))
            if note.category != "summary"
            and note.score.similarity >= _NOTE_FITS
            and note.message_id != question.pk
        ]
        step.count = len(notes)
    return sorted(notes, key=lambda note: -note.score.total)[:_MOST_NOTES]


# --- What held, and since when -------------------------------------------------------------------

# What somebody does, and the slots that say it.
_DONE = (
    (r"work|employ|job", ("employer", "job_title")),
    (r"liv|resid|based|move", ("location",)),
    (r"stud|school", ("education",)),
    (r"driv|drove", ("vehicle",)),
    (r"speak|spok", ("languages",)),
)


def slots_of(about: str) -> tuple[str, ...]:
    """Return the slots that a few words about the person ask for."""
    for pattern, slots in _DONE:
        if re.search(rf"\b(?:{pattern})", about, re.IGNORECASE):
            return slots
    return asked_about(f"What is my {about}?")


def _strands_of(prompt: Prompt, answer: Answer, slots: tuple[str, ...]) -> list[SlotHistory]:
    """Return these slots through time."""
    if not slots:
        return []
    with recorded_step(answer, "find_personal_variables", slots=list(slots)) as step:
        histories = timeline.strands(timeline.read(prompt.question.user_id))
        strands = [strand for strand in histories if strand.slot.key in slots]
        step.count = len(strands)
    return strands


def held_before(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """Say what a slot held earlier, with its years; False where nothing is known of it."""
    strands = _strands_of(prompt, answer, slots_of(intent.about))
    past = [(strand, [s for s in strand.spans if not s.is_current][::-1]) for strand in strands]
    return _say_spans(prompt, past, "before", answer)


def held_then(prompt: Prompt, answer: Answer) -> bool:
    """Say what held at the time that a question names: 'Where did I work in 2012?'. False where
    none is named, or nothing is known of it.
    """
    times = find_asked_times(prompt.asked, localtime(prompt.question.said_at))
    if len(times) != 1 or not prompt.question.reading.only_asks:
        return False
    strands = _strands_of(prompt, answer, prompt.asked_slots or slots_of(prompt.asked))
    held = [(strand, [s for s in strand.spans if _held_in(s, times[0])]) for strand in strands]
    return _say_spans(prompt, held, times[0].said, answer)


def _say_spans(
    prompt: Prompt, by_slot: Iterable[tuple[SlotHistory, list[Span]]], when: str, answer: Answer
) -> bool:
    today = localtime(prompt.question.said_at).date()
    with_values = [(strand, spans) for strand, spans in by_slot if spans]
    for strand, spans in with_values:
        values = "; ".join(f"{literal(span.value)}, {span.words(today)}" for span in spans)
        facts = [span.fact for span in spans]
        answer.say(f"{strand.slot.past_label} {when}: {values}.", *facts)
    if with_values:
        answer.say(_ON_THE_TIMELINE.format(page=reverse("ledger:timeline")))
    return bool(with_values)


def _held_in(span: Span, asked: TimeSpan) -> bool:
    """Return whether it is known that a value held then, at least for a part of it."""
    if span.begins_unknown:
        ends = span.end is not None and not span.ends_unknown
        return ends and asked.first <= (span.end or date.max) <= asked.last
    return span.first <= asked.last and (span.end is None or span.end >= asked.first)


def since(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """Say since when a value holds, or held: the one that is named, else the present one."""
    reading = prompt.question.reading
    named = [value for value in reading.read.spans if value.label in SLOTS]
    if named:
        value = reading.text[named[0].start : named[0].end]
        return _since_named(prompt, value, answer)
    for strand in _strands_of(prompt, answer, slots_of(intent.about)):
        current = [span for span in strand.spans if span.is_current]
        if current and not strand.slot.many:
            _say_since(prompt, current, strand.rivals, answer)
            return True
    return False


def _since_named(prompt: Prompt, value: str, answer: Answer) -> bool:
    """Say since when this value holds, or held; False where it is not noted."""
    wanted = content_stem_ids(value)

    def is_meant(value: str) -> bool:
        held = content_stem_ids(value)
        return bool(wanted and held) and (wanted <= held or held <= wanted)

    strands = _strands_of(prompt, answer, tuple(SLOTS))
    spans = [span for strand in strands for span in strand.spans if is_meant(span.value)]
    rivals = [
        rival
        for strand in strands
        for rival in strand.rivals
        if is_meant(rival.fact.value) or is_meant(rival.against.value)
    ]
    if spans or rivals:
        current = [span for span in spans if span.is_current]
        _say_since(prompt, current or spans, rivals, answer)
        return True
    waiting = proposals.waiting(prompt.question.user_id).filter(ends__isnull=True)
    for memory in waiting:
        if wanted and wanted <= content_stem_ids(memory.value):
            answer.say(
                f"“{literal(memory.content)}” waits for your yes on "
                f"[your profile]({reverse('memory:profile')}#waiting)."
            )
            return True
    return False


def _say_since(
    prompt: Prompt, spans: Sequence[Span], rivals: Iterable[Rival], answer: Answer
) -> None:
    today = localtime(prompt.question.said_at).date()
    for span in spans:
        if span.is_current:
            begun = formatting.told_in_full(span.first, span.fact.from_precision)
            answer.say(f"{literal(span.value)}: since {begun}, as far as I have noted.", span.fact)
        else:
            answer.say(f"{literal(span.value)}: {span.words(today)}, and no longer.", span.fact)
    if spans:
        answer.say(_ON_THE_TIMELINE.format(page=reverse("ledger:timeline")))
    for rival in rivals:
        said = formatting.told_in_full(rival.since)
        answer.say(
            f"{literal(rival.fact.value)} is not settled: you said so on "
            f"{said}{since_in_words(rival.fact)}, and I have {literal(rival.against.value)}. "
            f"Until you choose, {where_to_choose([rival.fact, rival.against])}, I use neither.",
            rival.fact,
            rival.against,
        )
    for span in spans:
        if span.is_current and span.first == today and not is_told_time(span.fact.valid_from):
            answer.say("If it began earlier, tell me since when.")
