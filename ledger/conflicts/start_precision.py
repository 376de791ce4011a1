"""How exactly it was said when something changed: "since March" is no first of March."""

from datetime import date

from django.utils.timezone import localtime

from ledger.models import Contradiction
from memory.facts.start_dates import start_date_of_words
from memory.facts.validity import is_told_time
from memory.models import Precision


def of_change(entry: Contradiction, since: date | None) -> Precision:
    """Return how precise the day of a change is: as its words, if they gave the day."""
    if not entry.since_words or since != entry.since:
        return Precision.DAY
    new = entry.new_fact
    if is_told_time(new.valid_from) and localtime(new.valid_from).date() == since:
        return Precision(new.from_precision)
    start_date = start_date_of_words(entry.since_words, entry.opened_at)
    return start_date.exactly if start_date else Precision.DAY
