"""How exactly it was said when something changed: "since March" is no first of March."""

from datetime import date

from django.utils.timezone import localtime

from ledger.models import Contradiction
from memory import timewords
from memory.models import Precision
from memory.timewords import Width

# A season is told by its year: any month would be made up.
_OF_WIDTH = {
    Width.MONTH: Precision.MONTH,
    Width.SEASON: Precision.YEAR,
    Width.YEAR: Precision.YEAR,
}


def of_span(span: timewords.Span) -> Precision:
    """How exact a time in words is."""
    return _OF_WIDTH.get(span.width, Precision.DAY)


def of_change(entry: Contradiction, since: date | None) -> Precision:
    """How exact the day of a change is: as its words were, where it is the day that they gave."""
    if not entry.since_words or since != entry.since:
        return Precision.DAY
    spans = timewords.spans(entry.since_words, localtime(entry.opened_at))
    return of_span(spans[0]) if spans else Precision.DAY
