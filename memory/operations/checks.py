"""Checking the operations that a language model proposes, by named rules in order.

`REFUSED` rules drop an operation; `ASKED` rules make it wait for the user's approval. The rules
check where the words come from, whether they are newer than the record they change, and that
nothing was added. What a sentence means is left to the model; only if the trained reader clearly
disagrees, the user is asked.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.conf import settings

from memory.language.dates.planned_days import read_sentence_dates
from memory.language.safety import guard
from memory.language.safety.instructions import instructs
from memory.language.safety.sensitivity import find_private_slots
from memory.language.text import evidence as quoting
from memory.operations.evidence import (
    Case,
    Evidence,
    KnownItem,
    SaidLine,
    adds_a_number_or_a_name,
    stems,
)
from memory.operations.schema import (
    CATEGORIES,
    CONFIDENTIAL,
    LONGEST_QUOTE,
    LONGEST_TEXT,
    LONGEST_VALUE,
    ON_A_TARGET,
    REASONS,
    SCOPES,
    SENSITIVE,
    VERBS,
    Operation,
    tidied,
)
from memory.operations.second_reading import (
    is_here_only,
    is_quoted_from_others,
    is_read_otherwise,
    is_read_the_same,
    sentences_of,
)
from memory.slots import SLOTS

YEARS_BACK, YEARS_AHEAD = 120, 30
ASKED_BELOW = 0.6
"""A model that is less sure than this of an operation has its owner asked."""
_FEW, _MUCH = 2, 0.3
"""Words, and the share of all words, from which on what the assistant said is too much of it."""
_NEAR = 21
"""Days before and after a message that a weekday in it may mean."""
_AGE = re.compile(r"\b\d{1,2}\b")
_MARKUP = re.compile(r"[<>{}`\\]|://|\bwww\.|\]\(|\*\*")


class Trust(StrEnum):
    """How far a model is trusted: if `strict`, the trained reader must agree each time."""

    FULL = "full"
    AUTO = "auto"
    STRICT = "strict"


@dataclass(frozen=True)
class Checked:
    """An operation with the names of the rules that apply: `refused` and `asked`, '' for none."""

    operation: Operation
    case: Case
    refused: str = ""
    asked: str = ""

    @property
    def line(self) -> SaidLine:
        """The last line that the operation quotes."""
        return self.case.line

    @property
    def target(self) -> KnownItem | None:
        """The known item that the operation changes; None for a new one."""
        return self.case.target


def check(proposed: Operation, evidence: Evidence, trust: Trust = Trust.AUTO) -> Checked:
    """Return an operation with the first rule that refuses it, else that asks the user."""
    operation = tidied(proposed)
    case = Case(operation, evidence)
    for name, applies in REFUSED:
        if applies(case):
            return Checked(operation, case, refused=name)
    if trust is not Trust.FULL and is_here_only(case):
        operation = operation.model_copy(update={"scope": "conversation"})
    # A conflict is a question to the user anyway.
    asking = [] if operation.op == "conflict" else [*ASKED, *BY_TRUST[trust]]
    asked = next((name for name, applies in asking if applies(case)), "")
    return Checked(operation, case, asked=asked)


# --- Refused operations --------------------------------------------------------------------------


def _is_malformed(case: Case) -> bool:
    operation = case.operation
    choices = (
        operation.op in VERBS,
        operation.slot in ("", *SLOTS),
        operation.reason in ("", *REASONS),
        operation.scope in SCOPES,
        operation.sensitive in ("", CONFIDENTIAL, *SENSITIVE),
        operation.category in ("", *CATEGORIES),
    )
    fits = (
        len(operation.text) <= LONGEST_TEXT,
        len(operation.value) <= LONGEST_VALUE,
        bool(operation.quotes),
        all(0 < len(quote.words) <= LONGEST_QUOTE for quote in operation.quotes),
        all(is_one_plain_line(text) for text in case.texts),
        # Written so that NaN fails, too.
        0.0 <= operation.confidence <= 1.0,
    )
    return not all((*choices, *fits)) or _says_nothing(case)


def _says_nothing(case: Case) -> bool:
    operation, target = case.operation, case.target
    if operation.op not in ("add", "update", "conflict"):
        return False
    is_fact = bool(operation.slot) if operation.op == "add" else bool(target and target.is_fact)
    return not (operation.value if is_fact else operation.text or operation.value)


def is_one_plain_line(text: str) -> bool:
    """Return whether a text has letters or digits, no control characters and no markup."""
    writable = not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in text)
    return writable and any(sign.isalnum() for sign in text) and not _MARKUP.search(text)


def _has_no_line(case: Case) -> bool:
    return len(case.lines) < len(case.operation.quotes)


def _has_no_target(case: Case) -> bool:
    return case.operation.op in ON_A_TARGET and case.target is None


def _is_not_the_persons(case: Case) -> bool:
    return not all(line.by_user for line in case.lines) or not any(
        line.fresh for line in case.lines
    )


def _was_not_said(case: Case) -> bool:
    return any(
        span is None and quote.words not in line.text
        for span, quote, line in zip(case.spans, case.operation.quotes, case.lines, strict=True)
    )


def _is_older_than_its_target(case: Case) -> bool:
    target = case.target
    if target is None or case.operation.op == "forget":
        return False
    return max(line.said_at for line in case.lines) < target.said_at


def _holds_a_secret(case: Case) -> bool:
    quotes = (quote.words for quote in case.operation.quotes)
    return any(guard.holds_a_secret(text) for text in (*case.texts, *quotes))


def _instructs(case: Case) -> bool:
    """Return whether the texts or the quoted sentences give the assistant instructions."""
    return any(instructs(text).grave for text in (*case.texts, *map(_sentence, case.spans)))


def _sentence(span: quoting.QuoteSpan | None) -> str:
    return span.sentence if span else ""


def _has_an_impossible_day(case: Case) -> bool:
    said_on = case.line.said_at.date()
    apart = [(day - said_on).days for day in case.days]
    return any(not -366 * YEARS_BACK <= days <= 366 * YEARS_AHEAD for days in apart)


def _is_too_unsure(case: Case) -> bool:
    return bool(case.operation.confidence < settings.MEMORY["confidence_floor"])


def _is_of_an_order_to_forget(case: Case) -> bool:
    return case.operation.op != "forget" and any(
        sentence.kind == "f" for sentence in sentences_of(case)
    )


Rule = tuple[str, Callable[[Case], bool]]
REFUSED: tuple[Rule, ...] = (
    ("malformed", _is_malformed),
    ("no such line", _has_no_line),
    ("no such target", _has_no_target),
    ("not the person's", _is_not_the_persons),
    ("not said", _was_not_said),
    ("told in confidence", lambda case: any(line.confided for line in case.lines)),
    ("a secret", _holds_a_secret),
    ("an order", _instructs),
    ("an order to forget", _is_of_an_order_to_forget),
    ("older than what it changes", _is_older_than_its_target),
    ("impossible day", _has_an_impossible_day),
    ("too unsure", _is_too_unsure),
)
"""Rules that drop an operation."""


# --- Operations that wait for approval -----------------------------------------------------------


def _was_not_typed(case: Case) -> bool:
    return not case.typed or is_quoted_from_others(case)


def _is_unsure(case: Case) -> bool:
    return case.operation.confidence < ASKED_BELOW


def _is_from_the_assistant(case: Case) -> bool:
    """Return whether many of the words were said only by the assistant."""
    content_stems = stems(" ".join(case.texts))
    assistant_stems = content_stems & case.evidence.words_of_the_assistant
    return len(assistant_stems) >= max(_FEW, len(content_stems) * _MUCH)


def _adds_a_number_or_a_name(case: Case) -> bool:
    """Return whether the texts have a number or name that the user did not say and is not known.

    Numbers of a date may be computed from what the user said.
    """
    lines = [line.text for line in case.evidence.lines if line.by_user]
    known = [text for item in case.evidence.known for text in (item.text, item.value)]
    sources = [*lines, *known, case.evidence.person, *_days_written(case)]
    return adds_a_number_or_a_name(case.texts, sources)


def _days_written(case: Case) -> list[str]:
    """Return dates and years that the texts may contain although nobody wrote them.

    These are the operation's days, days named in its lines and around them (for "until Sunday"),
    and years computed from an age or duration ("turned 24").
    """
    days, years = list(case.days), set[int]()
    for line in case.lines:
        said_on = line.said_at.date()
        days.append(said_on)
        years |= {said_on.year - 1, said_on.year, said_on.year + 1}
        for sentence in line.reading.read.sentences:
            named = read_sentence_dates(line.text[sentence.start : sentence.end], line.said_at)
            days += [named.first, named.last] if named else []
        words = set(re.findall(r"\w+", line.text.casefold()))
        near = (said_on + timedelta(days=away) for away in range(-_NEAR, _NEAR + 1))
        days += [day for day in near if words & {f"{day:%A}".casefold(), f"{day:%a}".casefold()}]
        ages = [int(number) for number in _AGE.findall(line.text)]
        years |= {said_on.year - age - lived for age in ages for lived in (0, 1)}
    written = [f"{day} {day.day} {day.month} {day:%m} {day:%d} {day.year}" for day in days]
    return [*written, *map(str, years)]


def _may_be_private(case: Case) -> bool:
    """Return whether the texts may be private although the model did not say so.

    For a memory, the quoted sentences count too. Ethnicity counts only within the slot's sentence:
    alone, "Polish" may be a language or a dish.
    """
    if case.operation.sensitive:
        return False
    rests_on = [] if case.slot else [_sentence(span) for span in case.spans]
    alone = set[str]().union(*map(find_private_slots, [*case.texts, *rests_on]))
    value = case.operation.value
    sentence = SLOTS[case.slot].note.format(value=value) if value and case.slot else ""
    return bool(alone - {"ethnicity"} or find_private_slots(sentence or " ".join(case.texts)))


ASKED: tuple[Rule, ...] = (
    ("not typed", _was_not_typed),
    ("unsure", _is_unsure),
    ("from the assistant", _is_from_the_assistant),
    ("a number or a name of its own", _adds_a_number_or_a_name),
    ("may be private", _may_be_private),
)
"""Rules by which its owner is asked, whatever the model."""
BY_TRUST: dict[Trust, tuple[Rule, ...]] = {
    Trust.FULL: (),
    Trust.AUTO: (("read otherwise", is_read_otherwise),),
    Trust.STRICT: (("not borne out", lambda case: not is_read_the_same(case)),),
}
"""Further rules by how far the model is trusted."""
