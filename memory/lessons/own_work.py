"""Reading what users type about their own work, present or past."""

from dataclasses import dataclass

from memory.language.origin import Origin
from memory.language.reader.facts import LIKELY
from memory.language.reading import Reading

_WORK = frozenset(
    {"job_title", "employer", "industry", "current_project", "expertise", "employment_status"}
)


@dataclass(frozen=True)
class OwnWork:
    """The sentences of a message about the user's present and past work; '' for none."""

    now: str = ""
    over: str = ""


def read_own_work(reading: Reading) -> OwnWork:
    """Return the sentences of a message about the user's present and past work."""
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
