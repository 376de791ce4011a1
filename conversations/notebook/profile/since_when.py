"""Since when something holds, or held: of the value that is asked about, and of no other."""

import re
from dataclasses import dataclass

from django.urls import reverse
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.markdown import literal
from conversations.notebook import unsettled
from conversations.notebook.answer_builder import Answer
from conversations.notebook.profile.profile import slots_of, strands_of
from conversations.prompt import Prompt
from ledger.history.timeline import Rival, SlotHistory, Span
from ledger.promotion import proposals
from memory.facts import is_told_time, since_in_words
from memory.language import QueryIntent, content_stem_ids, split_words, stem_id
from memory.slots import SLOTS

# What such questions say besides the value: nobody's name is among these.
_BESIDES = frozenset(
    "a an the my our this that here there now current currently present presently at in on for with"
    " as to of from by i we am is are was be been being have has had got having do doing did work"
    " works working worked live lives living lived move moved moving stay staying reside residing"
    " based study studying studied learn learning learned drive driving drove driven speak speaking"
    " spoke spoken play playing played own owning owned like liking love use using join joined"
    " start started starting begin began begun become became take took taken up get getting adopt"
    " adopted buy bought employed job jobs role position profession employer company firm city town"
    " place home address diet car vehicle language name again exactly already it them eat eating"
    " married hobby pet".split()
)


@dataclass(frozen=True)
class _Named:
    """What is noted of the value that a question names."""

    current: list[Span]
    past: list[Span]
    rivals: list[Rival]

    def __bool__(self) -> bool:
        return bool(self.current or self.past or self.rivals)


def since(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """Since when a value holds, from the timeline: the one that is named, else the present one."""
    slots = slots_of(intent.about)
    name = _name(intent.about, slots)
    if name:
        histories = strands_of(prompt, answer, slots or tuple(SLOTS))
        if named := _find_named(histories, name):
            _say_since(prompt, named, answer)
            return True
        return bool(slots) and _none(prompt, name, slots, answer)
    for strand in strands_of(prompt, answer, slots):
        current = [span for span in strand.spans if span.is_current]
        if not current or strand.slot.many:
            continue
        _say_since(prompt, _Named(current, [], strand.rivals), answer)
        return True
    return False


def _name(about: str, slots: tuple[str, ...]) -> str:
    """The words of a question that name a value, as they were typed; '' where it names none."""
    asked = {word for slot in slots for word in split_words(SLOTS[slot].noun)}
    kept = [
        word
        for word in about.split()
        if not {part.lower() for part in re.findall(r"[\w'+#-]+", word)} <= _BESIDES | asked
    ]
    return " ".join(kept).strip(" ,.?!\"'“”")


def _find_named(histories: list[SlotHistory], name: str) -> _Named:
    wanted = content_stem_ids(name) or {stem_id(word) for word in split_words(name)}

    def is_meant(value: str) -> bool:
        held = content_stem_ids(value) or {stem_id(word) for word in split_words(value)}
        return bool(wanted) and (wanted <= held or (bool(held) and held <= wanted))

    held = [span for strand in histories for span in strand.spans if is_meant(span.value)]
    return _Named(
        [span for span in held if span.is_current],
        [span for span in held if not span.is_current],
        [rival for strand in histories for rival in strand.rivals if is_meant(rival.fact.value)]
        or [
            rival
            for strand in histories
            for rival in strand.rivals
            if is_meant(rival.against.value) and rival.against.slot == strand.slot.key
        ],
    )


def _say_since(prompt: Prompt, named: _Named, answer: Answer) -> None:
    today = localtime(prompt.question.said_at).date()
    for span in named.current:
        begun = formatting.told_in_full(span.first, span.fact.from_precision)
        answer.say(f"{literal(span.value)}: since {begun}, as far as I have noted.", span.fact)
    for span in named.past if not named.current else []:
        answer.say(f"{literal(span.value)}: {span.words(today)}, and no longer.", span.fact)
    if named.current or named.past:
        answer.say(f"So it stands on [your timeline]({reverse('ledger:timeline')}).")
    for rival in named.rivals:
        answer.say(_not_settled(rival), rival.fact, rival.against)
    for span in named.current:
        untold = not is_told_time(span.fact.valid_from)
        if untold and (span.first == today or span.fact.source_message_id == prompt.question.pk):
            answer.say("If it began earlier, tell me since when.")


def _not_settled(rival: Rival) -> str:
    """'“nurse” is not settled: you said so on 3 May 2024, and I had “bookkeeper”.'"""
    value, against = literal(rival.fact.value), literal(rival.against.value)
    said = formatting.told_in_full(rival.since)
    return (
        f"{value} is not settled: you said so on {said}{since_in_words(rival.fact)}, "
        f"and I have {against}. Until you choose, "
        f"{unsettled.where_to_choose([rival.fact, rival.against])}, I use neither."
    )


def _none(prompt: Prompt, name: str, slots: tuple[str, ...], answer: Answer) -> bool:
    """It is not noted; where it waits for a yes, that is said."""
    wanted = content_stem_ids(name)
    for memory in proposals.waiting(prompt.question.user_id).filter(slot__in=slots):
        if wanted and wanted <= content_stem_ids(memory.value) and memory.ends_id is None:
            answer.say(
                f"“{literal(memory.content)}” waits for your yes on "
                f"[your profile]({reverse('memory:profile')}#waiting)."
            )
            return True
    nouns = formatting.listed([SLOTS[slot].noun for slot in slots], "or")
    answer.say(f"I have no note of {literal(name)} as your {nouns}. Tell me, and I will remember.")
    return True
