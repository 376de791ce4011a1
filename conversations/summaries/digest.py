"""The stored form of a summary: sections of dated lines. Pure: no database, no clock.

    What it was about
    Wedding plans, Leeds

    Worth remembering
    - 7 May 2026, message 3: Your sister Anna gets married in Leeds in June.
    - 7 May 2026, message 4, I: The train to Leeds takes two hours.

A line gives the day, the message number and the speaker: nobody for the user (addressed as "you"),
"I" for the assistant, else a name. Its text is a sentence of the message, or a clause.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from memory.notes.second_person import in_second_person
from memory.notes.significance import significance_of

LONGEST = 2_400
YOU, I = "You", "I"  # noqa: E741 - as it stands in the text
# Sections in their order, and the largest share of the text of each.
HEADINGS = {
    "mattered": ("Worth remembering", 0.33),
    "decided": ("Decisions", 0.18),
    "open_questions": ("Still open", 0.13),
    "days": ("Dates", 0.20),
    "last": ("Most recent", 0.16),
}
ABOUT = "What it was about"
# Former headings: stored summaries may have them.
_FORMER_HEADINGS = {
    "What was told": "mattered",
    "What was decided": "decided",
    "What is open": "open_questions",
    "Days, in order": "days",
    "Where it stood": "last",
    "What mattered": "mattered",
    "Decided": "decided",
    "Open questions": "open_questions",
    "Days named": "days",
    "Said last": "last",
}
# How many subjects are named at most.
MOST_SUBJECTS = 6
# Weight of a line relative to the next one: later lines count more.
_DECAY = 0.985
_LINE = re.compile(
    r"- (\d{1,2} [A-Z][a-z]+ \d{4})(?:, message (\d{1,9}))?(?:, ([^:\n]{1,80}))?: (\S.*)"
)


@dataclass(frozen=True)
class DigestLine:
    """One line of a summary; the user's statements are in the second person. `number` is the
    message's, 0 if unknown.
    """

    day: date
    by: str
    text: str
    number: int = 0

    def __str__(self) -> str:
        where = f", message {self.number}" if self.number else ""
        who = "" if self.by == YOU else f", {self.by}"
        return f"- {self.day.day} {self.day:%B %Y}{where}{who}: {self.text}"


@dataclass
class Digest:
    """A summary: its subjects, and its lines by section in chronological order."""

    about: list[str] = field(default_factory=list)
    mattered: list[DigestLine] = field(default_factory=list)
    decided: list[DigestLine] = field(default_factory=list)
    open_questions: list[DigestLine] = field(default_factory=list)
    days: list[DigestLine] = field(default_factory=list)
    last: list[DigestLine] = field(default_factory=list)

    def __bool__(self) -> bool:
        return any(self.points())

    def points(self) -> Iterator[DigestLine]:
        """Yield the lines of all sections."""
        for name in HEADINGS:
            yield from getattr(self, name)

    def sections(self) -> list[tuple[str, list[DigestLine]]]:
        """Return the headings with their lines, without empty sections."""
        made = [(heading, getattr(self, name)) for name, (heading, _) in HEADINGS.items()]
        return [(heading, points) for heading, points in made if points]

    def text(self, most: int = LONGEST) -> str:
        """Return the text to store, at most `most` characters: of each section the most important
        lines. Space that one section does not need is used by others.
        """
        chosen: dict[str, list[DigestLine]] = {}
        about = f"{ABOUT}\n{', '.join(self.about)}" if self.about else ""
        most -= len(about) + 2 if about else 0
        spare = 0
        # The largest section comes last and gets the remaining space.
        for name in reversed(HEADINGS):
            heading, share = HEADINGS[name]
            room = int(most * share) + spare
            chosen[name] = _heaviest(getattr(self, name), room - len(heading) - 2)
            spare = room - sum(len(str(line)) + 1 for line in chosen[name])
            spare -= len(heading) + 2 if chosen[name] else 0
        sections = [
            "\n".join([heading, *map(str, points)])
            for heading, points in Digest(**chosen).sections()  # type: ignore[arg-type]
        ]
        return "\n\n".join([about, *sections] if about else sections)


def _heaviest(points: Sequence[DigestLine], room: int) -> list[DigestLine]:
    """Return the most important lines that fit in `room` characters, in order, each once."""
    ranked = sorted(
        range(len(points)),
        key=lambda place: -_weight(points[place]) * _DECAY ** (len(points) - place),
    )
    chosen: list[int] = []
    there: set[str] = set()
    for position in ranked:
        length = len(str(points[position])) + 1
        if length <= room and points[position].text not in there:
            chosen.append(position)
            there.add(points[position].text)
            room -= length
    return [points[place] for place in sorted(chosen)]


def _weight(point: DigestLine) -> float:
    return importance(point.text) + 0.1


# Amounts of money and measurements.
_SUM = re.compile(
    r"(?:[$€£]|\b(?:EUR|USD|GBP|CHF) ?)\d|\b\d[\d.,]*\s?(?:[$€£%]|(?:euros?|eur|dollars?|pounds?"
    r"|francs?|cents|k|thousand|percent|km|kg|square|sqm|m2|m²)\b)|\b\d{3,}\b(?<!\b20\d\d)",
    re.IGNORECASE,
)
_OF_A_SUM = 0.3


def importance(text: str) -> float:
    """Return how important a sentence is later on; amounts of money count more than a dislike."""
    return significance_of(text) + _OF_A_SUM * bool(_SUM.search(text))


def parse(text: str) -> Digest:
    """Parse a stored text into a Digest; malformed lines are left out."""
    digest = Digest()
    names = _FORMER_HEADINGS | {heading: name for name, (heading, _) in HEADINGS.items()}
    section: list[DigestLine] | None = None
    before = ""
    for line in text.splitlines():
        if line in names:
            section = getattr(digest, names[line])
        elif before == ABOUT and section is None:
            digest.about = line.split(", ")
        elif section is not None and (match := _LINE.fullmatch(line)) and "](/" not in line:
            day = datetime.strptime(match[1], "%d %B %Y").replace(tzinfo=UTC).date()
            # In older summaries the user's lines have the user's name, and are in the first person.
            words = in_second_person(match[4]) if match[3] == YOU else match[4]
            section.append(DigestLine(day, match[3] or YOU, words, int(match[2] or 0)))
        before = line
    return digest
