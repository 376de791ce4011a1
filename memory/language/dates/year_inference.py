"""Whether a day that was named without its year lies behind or ahead. Pure.

`memory.language.dates.calendar_expressions` takes such days for past ones. In what is told the
tense decides; where it says nothing a weekday is the coming one, and a date the nearer of the two.
"""

import calendar
import re
from datetime import date, timedelta

from memory.language.dates.calendar_expressions import MONTHS, TimeSpan, Width

_WEEKDAYS = "|".join(name.lower() for name in calendar.day_name)
_WEEKDAY = re.compile(rf"\b(?:{_WEEKDAYS})\b")
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b")
_EACH_WEEK = re.compile(
    rf"\b(?:every|each|usually|always|(?:{_WEEKDAYS}) (?:mornings|afternoons|evenings|nights))\b"
)
# These words say themselves which day is meant.
_SAYS_WHICH = re.compile(
    r"\b(?:(?:19|20)\d\d|last|past|ago|previous|yesterday|today|tonight"
    r"|this(?! (?:winter|spring|summer|autumn|fall)\b))\b"
)
_TO_COME = re.compile(
    r"\b(?:will|shall|can|could|may|might|must|should|would|going to|gonna|(?:i|we|you|they)'(?:ll"
    r"|m|re)|i am|we are|is|are|need|wants?|hopes?|plans?|plan(?:ned|ning)"
    r"|(?:have|has|got) (?:a|an|my|our|to|the)|due|birthday|appointment|interview|deadline|exam"
    r"|upcoming|com(?:es|ing)|until|till|by|lands?|stays?|meet(?:ing)?|see(?:ing)?|starts?|begins?|opens?"
    r"|leaves?|leaving|fly|flies|flying|moving|remind|remember to|ends?|expires?|finish(?:es)?"
    r"|runs? out|turns?|returns?|retires?|closes?|arrives?)\b|'(?:ll|s)\b"
)
_OF_THE_PAST = re.compile(
    r"\b(?:last|past|ago|previous|since|was|were|had|did|been|went|came|met|saw|took"
    r"|got (?!an? |my |our |your |his |her |their |to |the )|bought|began|left|flew|made|gave|told"
    r"|said|found|won(?!'t)|ran"
    r"|wrote|read|lost|fell|paid|sent|sold|taught|caught|thought|brought|rang|drank|sang|woke|forgot|felt|kept|heard|stood|sat|rode"
    r"|grew|knew|threw|spoke|chose|built|broke|ate|slept|drove|spent|\w{2,}(?<!ne)ed)\b"
)
# How somebody feels, or what is arranged, is no past tense, whatever its ending.
_NO_PAST = re.compile(
    r"(?:\b(?:am|is|are|be|feel|feeling|getting|so|very|really|quite|bit|little|too)|'m|'re|'s|^)"
    r"\s+(?:not |still |already |all )?(?:\w+(?:ied|ed|en|een)|set)\b"
    r"|\b(?:i|we|you|they|he|she|it)(?:'?ve|'?s| has| have) got\b"
    r"|\b(?:half|quarter|five|ten|twenty|\d{1,2}) past\b"
    r"|\b(?:\w*excited|worried|scared|stressed|thrilled|terrified|nervous|prepared|supposed"
    r"|scheduled|planned|need(?:ed)?|speed|feed|wedding|wednesday)\b"
)
# "I booked a table for 2 December", "we moved it to Friday".
_ARRANGED = re.compile(r"\b(?:for|until|till|to|by)\s+(?:the\s+|next\s+)?$")

# Where another clause begins, which may have another tense: "I rang them and have one on Friday".
_CLAUSE_ENDS = re.compile(r"[,.;!?]\s|\s(?:and|but|so|because|then)\s")
_SENTENCE_ENDS = re.compile(r"[.;!?]\s")
# "Got a puppy on Saturday" is over, "got a meeting on Saturday" is to come.
_GOT = re.compile(r"\bgot (?:an?|my|our|the)\b")

_JUST_OVER = timedelta(60)


def is_next_occurrence(text: str, span: TimeSpan, today: date) -> bool:
    """Whether a day in a sentence, which would lie behind, is the next such day instead."""
    text = text.lower().replace("’", "'")
    text = part_with_a_tense(text, span.words)
    if span.last >= today or span.width is not Width.DAY or _says_which(span):
        return False
    past = is_past(text.replace(span.words, " "))
    if _ARRANGED.search(text[: max(0, text.find(span.words))]):
        # "The party was moved to 3 November", told two weeks later, is over.
        return _is_weekday(span) or not past or today - span.first > _JUST_OVER
    if past:
        return False
    if _is_weekday(span) or _TO_COME.search(text):
        return True
    return come_round(span.first, span) - today < today - span.first


def part_with_a_tense(text: str, words: str) -> str:
    """The clause with these words, else the sentence, else the text: the first with a tense."""
    parts = (clause_of(text, words), clause_of(text, words, _SENTENCE_ENDS))
    return next((part for part in parts if _TO_COME.search(part) or is_past(part)), text)


def clause_of(text: str, words: str, ends_at: re.Pattern[str] = _CLAUSE_ENDS) -> str:
    """The clause of a text, in small letters, that holds these words."""
    index = text.find(words)
    ends = [match.end() for match in ends_at.finditer(text, 0, max(index, 0))]
    behind = ends_at.search(text, index + len(words))
    return text[ends[-1] if ends else 0 : behind.start() if behind else len(text)]


def is_over_or_to_come(text: str, span: TimeSpan) -> bool:
    """Whether a weekday may be the last or the next one, by all that the sentence tells."""
    clause = clause_of(text.lower().replace("’", "'"), span.words)
    return _is_weekday(span) and _GOT.search(clause) is not None


def may_be_any_week(text: str, span: TimeSpan) -> bool:
    """Whether a weekday stands in what is neither over nor to come: "the bins go out on Monday"."""
    told = text.lower().replace("’", "'")
    if not _is_weekday(span) or _SAYS_WHICH.search(span.words):
        return False
    return _EACH_WEEK.search(told) is not None or not (_TO_COME.search(told) or is_past(told))


def _says_which(span: TimeSpan) -> bool:
    """Whether the words name the very day: by a year, or by the weekday that it is."""
    if _SAYS_WHICH.search(span.words):
        return True
    named = None if _is_weekday(span) else _WEEKDAY.search(span.words)
    return named is not None and named[0] == f"{span.first:%A}".lower()


def leaves_year_open(span: TimeSpan) -> bool:
    """Whether the words name a month and nothing that tells of which year."""
    return _MONTH.search(span.words.lower()) is not None and not _says_which(span)


def _is_weekday(span: TimeSpan) -> bool:
    """'on Monday', and no day of the month beside it."""
    return bool(_WEEKDAY.search(span.words)) and not re.search(r"\d", span.words)


def looks_ahead(text: str) -> bool:
    """Whether a sentence speaks of what is to come."""
    text = text.lower().replace("’", "'")
    return bool(_TO_COME.search(text)) and not _SAYS_WHICH.search(text) and not is_past(text)


def is_past(text: str) -> bool:
    """Whether a sentence, in small letters, speaks of what is over."""
    return _OF_THE_PAST.search(_NO_PAST.sub(" ", text)) is not None


def come_round(day: date, span: TimeSpan) -> date:
    """The same weekday a week on, or the same day a year on; 29 February becomes the 28th."""
    if _is_weekday(span):
        return day + timedelta(7)
    last = calendar.monthrange(day.year + 1, day.month)[1]
    return day.replace(year=day.year + 1, day=min(day.day, last))
