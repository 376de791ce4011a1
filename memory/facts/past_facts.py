"""Saving facts that were already over when said: "I worked at Post AG from 2009 to 2016".

They are saved in the history with the stated part of their period; no current fact changes.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import F, Q
from django.utils.timezone import localtime

from accounts.audit import Action
from memory.core import known_facts
from memory.core.scope import Scope
from memory.facts import fact_log, fact_writing, profile, start_dates, validity
from memory.facts.profile import FactReinforced, FactStored
from memory.facts.start_dates import StartDate
from memory.language.dates import time_expressions
from memory.language.dates.time_expressions import Width
from memory.language.reader.facts import FactCandidate
from memory.models import FactQuerySet, Precision, ProfileFact
from memory.slots import SLOTS, same_value

Status = ProfileFact.Status
PAST_SLOTS = frozenset(slot.key for slot in SLOTS.values() if slot.successive)
"""Of what has stages: that somebody once liked or owned a thing tells no history."""
WAS_PAST = "It had already ended when you told me."
_SHORT = (Width.DAY, Width.WEEK)
_TIME = r"[\w,.' ]{3,30}?"
_LAST_TIME = r"(?P<ended>[\w,.' ]{3,30})"
_FROM_TO = (
    re.compile(
        r"\b(?P<begun>(?:19|20)\d\d)\s*(?:to|until|till|-|–|—)\s*(?P<ended>(?:19|20)\d\d)\b"
    ),
    re.compile(
        rf"\b(?:from|since)\s+(?P<begun>{_TIME})\s*(?:to|until|till|through|up to|-|–)\s*"
        rf"{_LAST_TIME}"
    ),
    re.compile(rf"\bbetween\s+(?P<begun>{_TIME})\s+and\s+{_LAST_TIME}"),
)
_UNTIL = re.compile(rf"\b(?:until|till|up to|up until)\s+{_LAST_TIME}")
_FROM = re.compile(r"\b(?:from|since)\s+$")
_LEFT = re.compile(
    r"\b(?:left|quit|resigned|retired|moved (?:away|out|from)|gave up|sold|stopped|fired|laid off"
    r"|let go|finished|ended)\b"
)
# "Until now" has not ended; "until noon" is about one day.
_STILL = re.compile(
    r"^(?:now|today|tonight|this|the present|present|noon|midnight|\d{1,2}\b(?! \w))"
)


@dataclass(frozen=True)
class PastPeriod:
    """The known start and end of a past fact; None for unknown."""

    begun: StartDate | None = None
    ended: StartDate | None = None

    def bounds(self, said_at: datetime) -> tuple[datetime, datetime]:
        """Return the first moment and the moment after the last; equal if the period is unknown."""
        ended = self.ended.at if self.ended else said_at
        return self.begun.at if self.begun and self.ended else ended, ended


def read_past_time(text: str, start: int, end: int, said_at: datetime) -> PastPeriod | None:
    """Return when the value at `start` to `end` (characters) was true.

    None if it is still true, or was true for only a day or a week.
    """
    said_at = localtime(said_at)
    clause = _clause(text, start, end)
    for form in (*_FROM_TO, _UNTIL):
        if match := form.search(clause):
            return _ended(match, said_at)
    named = time_expressions.find_stated_times(clause, said_at)
    if len(named) != 1 or _FROM.search(clause[: clause.find(named[0].words)]):
        return None if any(span.width in _SHORT for span in named) else PastPeriod()
    (span,) = named
    if _LEFT.search(clause):
        return PastPeriod(ended=start_dates.of_span(span, span.words))
    if span.width in _SHORT:
        return None
    return _within(span) if span.last < said_at.date() else PastPeriod()


def _clause(text: str, start: int, end: int) -> str:
    """Return the clause that contains the value, with an "until …" right after the clause."""
    clause = start_dates.clause(text, start, end)
    behind = text[end + len(clause.rpartition("\0")[2]) :].lower().replace("’", "'")
    until = re.match(rf",?\s*{_UNTIL.pattern}", behind)
    return clause + until[0] if until else clause


def _ended(match: re.Match[str], said_at: datetime) -> PastPeriod | None:
    """Return the period of "from 2009 to 2016" or "until March"; None if it has not ended."""
    if _STILL.match(match["ended"]):
        return None
    ended = start_dates.start_date_of_words(match["ended"], said_at)
    if ended is None or ended.day > said_at.date():
        return PastPeriod()
    words = match.groupdict().get("begun")
    begun = start_dates.start_date_of_words(words, said_at) if words else None
    return PastPeriod(begun if begun and begun.day < ended.day else None, ended)


def _within(span: time_expressions.TimeSpan) -> PastPeriod:
    """Return the period of "in 2012": from its first day to its last."""
    begun = start_dates.of_span(span, span.words)
    return PastPeriod(begun, replace(begun, day=span.last))


def keep_past_fact(
    scope: Scope, candidate: FactCandidate, period: PastPeriod
) -> FactStored | FactReinforced | None:
    """Save a past fact; return None if the slot had another value in that period.

    Must run in the user's transaction (`acting_as`).
    """
    known_facts.lock_slot(scope, candidate.slot)
    begun, ended = period.bounds(scope.said_at)
    rows = ProfileFact.objects.for_user(scope.user_id).filter(slot=candidate.slot)
    same = [fact for fact in rows if same_value(fact.slot, fact.value, candidate.value)]
    if any(fact.status in (Status.CURRENT, Status.CHALLENGER) for fact in same):
        return None
    noted = next((fact for fact in same if _tells_of(fact, begun, ended)), None)
    others = rows if noted is None else rows.exclude(pk=noted.pk)
    fits = not is_taken(others, candidate.slot, begun, ended)
    if noted is not None:
        if profile.reinforce(scope, candidate, noted) and fits:
            _complete_period(noted, period, begun, ended)
        return FactReinforced(noted)
    return FactStored(_written(scope, candidate, period)) if fits else None


def _tells_of(fact: ProfileFact, begun: datetime, ended: datetime) -> bool:
    """Return whether a saved past fact is about this period; an unknown period matches any."""
    if fact.status != Status.PAST or fact.valid_to is None:
        return False
    untold = fact.begins_unknown or begun == ended
    return untold or (fact.valid_from < ended and begun < fact.valid_to)


def is_taken(others: FactQuerySet, slot: str, begun: datetime, ended: datetime) -> bool:
    """Return whether another value of a single-valued slot held during the period."""
    facts = others.filter(slot=slot, status__in=[Status.CURRENT, Status.PAST], many=False)
    facts = facts.filter(Q(valid_to__isnull=True) | Q(valid_to__gt=F("valid_from")))
    facts = facts.filter(Q(valid_to__isnull=True) | Q(valid_to__gt=begun), valid_from__lt=ended)
    return begun < ended and facts.exists()


def _complete_period(
    fact: ProfileFact, period: PastPeriod, begun: datetime, ended: datetime
) -> None:
    """Add the start or end to a past fact that was saved without it."""
    if period.ended is None or not fact.begins_unknown:
        return
    if (
        begun == ended
        and validity.is_told_time(ended)
        and fact.valid_to
        and validity.is_told_time(fact.valid_to)
    ):
        return
    _date(fact, period, begun, ended)
    fact.save(update_fields=[*_DATED, "updated_at"])


def _written(scope: Scope, candidate: FactCandidate, period: PastPeriod) -> ProfileFact:
    fact = fact_writing.new_fact(scope, candidate, Status.PAST)
    _date(fact, period, *period.bounds(scope.said_at))
    fact.save(force_insert=True)
    fact_writing.mention(scope, candidate, fact)
    fact_log.from_talk(scope, fact, Action.NOTED, after=fact.value, why=WAS_PAST)
    return fact


_DATED = ("valid_from", "valid_to", "from_precision", "to_precision")


def _date(fact: ProfileFact, period: PastPeriod, begun: datetime, ended: datetime) -> None:
    fact.valid_from, fact.valid_to = begun, ended
    fact.from_precision = period.begun.exactly if period.begun else Precision.DAY
    fact.to_precision = period.ended.exactly if period.ended else Precision.DAY
