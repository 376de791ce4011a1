"""Reading a typed message as the answer to a question about two values: "Google", "the old one".

Only a short message that says hardly anything else counts. When in doubt nothing is settled and
the question stays open: a wrong reading would change somebody's mind for them.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.timezone import localtime

from ledger import rules
from ledger.models import Contradiction, Resolution
from ledger.resolution import Answer
from memory import timewords

Method = Resolution.Method
# Longer messages say more than an answer does.
_MOST_WORDS = 16
_NEW = re.compile(r"\bthe (?:new|newer|second|latter|last|latest|other) (?:one|value|job|place)?")
_OLD = re.compile(r"\bthe (?:old|older|first|former|previous|earlier) (?:one|value|job|place)?")
_NEGATED = re.compile(
    r"(?:\bnot|\bno longer|\bisn't|\bnever|\bwasn't|\bdon't|\brather than|\binstead of)"
    r"(?:\s+(?:work|live|at|in|a|an|the|from|with|for|really|actually))*\s*$"
)
_WRONG = re.compile(r"^\s*(?:is|was|'s)\s+(?:wrong|not right|incorrect|a mistake|old|outdated)\b")
_CHANGED = re.compile(r"\b(?:now|nowadays|these days|since|until|till|then|before|used to)\b")
# What may stand around the value without making it more than an answer.
_FILLER = frozenset(
    """
    a actually after am an and answer any anymore at be before both but by call called correct
    currently days definitely do don't employer first for former from go has have here i i'd
    i'll i'm in incorrect instead is isn't it it's its job joined just keep last latter like
    live lived longer me mine mistake month months more moved my name new no nope not now
    nowadays of ok okay old on one ones only outdated please prefer previous rather really right
    second since sorry started still sure than that that's the then there these they this till
    to today until use used value was wasn't week weeks well with work worked working works
    wrong yeah year years yep yes yesterday
    """.split()
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def read(
    text: str, asked: Sequence[Contradiction], said_at: datetime
) -> tuple[Contradiction, Answer] | None:
    """Which open question a message answers, and how; None when it is no clear answer to one.

    `asked` are the open entries that the conversation asked about lately, both sides loaded.
    """
    said = " ".join(text.casefold().replace("’", "'").split())
    if not asked or "?" in said or len(_WORD.findall(said)) > _MOST_WORDS:
        return None
    found = [(entry, side) for entry in asked if (side := _side(said, entry)) is not None]
    if len(found) != 1 or (len(asked) > 1 and not _names_a_value(said, found[0][0])):
        return None
    entry, side = found[0]
    return entry, _answer(said, entry, side, said_at)


def _side(said: str, entry: Contradiction) -> str | None:
    """'old' or 'new': the side that the words choose, if nothing else is said."""
    old, new = entry.old_fact.value.casefold(), entry.new_fact.value.casefold()
    if old == new or not _is_hardly_more(said, entry):
        return None
    meant = {side for side, value in (("old", old), ("new", new)) if _affirms(said, value)}
    denied = {side for side, value in (("old", old), ("new", new)) if _denies(said, value)}
    meant -= denied
    if len(meant) == 2 and _CHANGED.search(said):
        return "new"  # "Microsoft until March, then Google"
    if len(meant) == 1:
        return meant.pop()
    if not meant and len(denied) == 1:
        return "new" if denied == {"old"} else "old"
    if not meant and not denied:
        return "new" if _NEW.search(said) else "old" if _OLD.search(said) else None
    return None


def _is_hardly_more(said: str, entry: Contradiction) -> bool:
    """Whether nothing stands in the message but the values, the slot's name and small words."""
    rest = _without_values(said, entry)
    for span in timewords.spans(rest, localtime(entry.opened_at)):
        rest = rest.replace(span.words, " ")
    known = _FILLER | set(_WORD.findall(entry.kind.noun))
    return all(word in known for word in _WORD.findall(rest))


def _without_values(said: str, entry: Contradiction) -> str:
    for value in sorted((entry.old_fact.value, entry.new_fact.value), key=len, reverse=True):
        said = _as_words(value.casefold()).sub(" ", said)
    return said


def _as_words(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){re.escape(value)}(?![^\W_])")


def _names_a_value(said: str, entry: Contradiction) -> bool:
    sides = (entry.old_fact.value, entry.new_fact.value)
    return any(_as_words(value.casefold()).search(said) for value in sides)


def _affirms(said: str, value: str) -> bool:
    found = _as_words(value).search(said)
    return found is not None and not _denies(said, value)


def _denies(said: str, value: str) -> bool:
    found = _as_words(value).search(said)
    if found is None:
        return False
    return bool(_NEGATED.search(said[: found.start()]) or _WRONG.search(said[found.end() :]))


def _answer(said: str, entry: Contradiction, side: str, said_at: datetime) -> Answer:
    if side == "old":
        return Answer(Method.KEEP_OLD)
    suggestion = rules.suggest(entry)
    changes = suggestion is not None and suggestion.method == Method.TIMELINE
    # A value may be a day itself: "4 May" answers when the birthday is, and names no change.
    rest = _without_values(said, entry)
    named = next(iter(timewords.spans(rest, localtime(said_at))), None)
    if not (changes or named or _CHANGED.search(said)):
        return Answer(Method.KEEP_NEW)
    today = localtime(said_at).date()
    since = named.first if named else suggestion.since if changes and suggestion else today
    since = min(since or today, today)
    return Answer(Method.TIMELINE, until=since - timedelta(days=1), since=since)
