"""What users say about their own work: present or past, in typed words."""

from dataclasses import dataclass

from memory.language.origin import Origin
from memory.language.reader.facts import LIKELY
from memory.language.reading import Reading

_WORK = frozenset(
    {"job_title", "employer", "industry", "current_project", "expertise", "employment_status"}
)


@dataclass(frozen=True)
class OwnWork:
    """What a message says of its author's work, in their words; '' for nothing."""

    now: str = ""
    over: str = ""


def read_own_work(reading: Reading) -> OwnWork:
    """Return what a message says they do, and what it says they do no longer."""
    now: list[str] = []
    over: list[str] = []
    for sentence in reading.read.sentences:
        text = reading.masked[sentence.start : sentence.end]
        spans = reading.read.spans_in(sentence.start, sentence.end)
        statuses = {
            span.status
            for span in spans
            if span.label in _WORK and span.probability * span.status_probability >= LIKELY
        }
        if reading.origin_of(sentence.start, sentence.end) != Origin.TYPED:
            continue
        if statuses & {"past", "denied"}:
            over.append(text)
        elif "current" in statuses and sentence.kind == "s":
            now.append(text)
    return OwnWork(". ".join(now), ". ".join(over))
