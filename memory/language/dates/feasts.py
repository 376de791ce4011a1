"""The days of feasts by year."""

from collections.abc import Callable
from datetime import date, timedelta

from dateutil.easter import easter


def _thanksgiving(year: int) -> date:
    first = date(year, 11, 1)
    return first + timedelta((3 - first.weekday()) % 7 + 21)


# Their first and their last day in a year.
FEASTS: dict[str, Callable[[int], tuple[date, date]]] = {
    "christmas eve": lambda year: (date(year, 12, 24), date(year, 12, 24)),
    "christmas day": lambda year: (date(year, 12, 25), date(year, 12, 25)),
    "christmas": lambda year: (date(year, 12, 24), date(year, 12, 26)),
    "boxing day": lambda year: (date(year, 12, 26), date(year, 12, 26)),
    "new year's eve": lambda year: (date(year, 12, 31), date(year, 12, 31)),
    "new year's day": lambda year: (date(year, 1, 1), date(year, 1, 1)),
    "easter": lambda year: (easter(year) - timedelta(2), easter(year) + timedelta(1)),
    "halloween": lambda year: (date(year, 10, 31), date(year, 10, 31)),
    "thanksgiving": lambda year: (_thanksgiving(year), _thanksgiving(year)),
}
# From then on the reckoning of Easter holds.
FIRST_EASTER, LAST_EASTER = 1583, 4099
