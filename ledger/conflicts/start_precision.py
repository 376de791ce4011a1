"""How precisely the day of a change was stated: "since March" does not mean 1 March."""

from datetime import date

from django.utils.timezone import localtime

from ledger.models import Contradiction
from memory.facts.start_dates import start_date_of_words
from memory.facts.validity import is_told_time
from memory.models import Precision


def of_change(entry: Contradiction, since: date | None) -> Precision:
    """Return the precision of the day of a change: that of the wording, if it gave the day."""
    if not entry.since_words or since != entry.since:
        return Precision.DAY
    new = entry.new_fact
    if is_told_time(new.valid_from) and localtime(new.valid_from).date() == since:
        return Precision(new.from_precision)
    start_date = start_date_of_words(entry.since_words, entry.opened_at)
    return start_date.exactly if start_date else Precision.DAY
