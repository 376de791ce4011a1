"""What a language model proposes as a note, and everything it must stand before it is one.

The model proposes and code decides: `_CHECKS` is the list. A proposal must show the person's own
words that it rests on, and is dropped alone, with a reason, when anything is wrong with it.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import date

from django.conf import settings
from rapidfuzz import fuzz

from memory.language.origin import Origin
from memory.language.reader.facts import CURRENT_KINDS, FactCandidate
from memory.language.reading import extract_facts
from memory.language.safety import guard, sensitivity
from memory.language.safety.instructions import instructs
from memory.language.text import dedup, entailment, evidence
from memory.language.text.compression import split_lines_and_sentences
from memory.language.text.entailment import Verdict
from memory.models import Memory, ProfileFact
from memory.notes.drafts import NoteDraft
from memory.notes.proposal_evidence import (
    CATEGORIES,
    KINDS,
    AcceptedProposal,
    ProposalCheck,
    ProposalEvidence,
    ProposedNote,
    stems,
    tidied,
)
from memory.slots import SLOTS

LONGEST_NOTE, LONGEST_SUMMARY, LONGEST_QUOTE = 240, 300, 600
# What shares so many of its words with a known note (of 100) may be the same said again.
AGREEMENT = 92.0
YEARS_BACK, YEARS_AHEAD = 120, 30


def judge(proposal: ProposedNote, desk: ProposalEvidence) -> AcceptedProposal | str:
    """The note, or why there is none."""
    finding = tidied(proposal)
    line = desk.by_alias.get(finding.said_in)
    if line is None:
        return "no such line"
    case = ProposalCheck(finding, line, desk)
    for reason, applies in _CHECKS:
        if applies(case):
            return reason
    noted = AcceptedProposal(line.alias, finding.quote, _draft(case))
    desk.texts.append(noted.draft.content)
    return noted


def _is_malformed(case: ProposalCheck) -> bool:
    finding = case.proposal
    return (
        not _is_one_plain_line(finding.content, LONGEST_NOTE)
        or finding.category not in CATEGORIES
        or finding.kind not in KINDS
        or (finding.slot != "" and finding.slot not in SLOTS)
        or len(finding.quote) > LONGEST_QUOTE
        or not all(_is_writable(text) for text in (finding.value, finding.quote))
    )


def _is_private(case: ProposalCheck) -> bool:
    """Whether it belongs in its conversation only, by what the model, a word or a rule says."""
    finding = case.proposal
    if finding.slot and SLOTS[finding.slot].sensitive:
        return True
    if any(map(sensitivity.is_private_text, (finding.content, finding.quote))):
        return True
    return any(SLOTS[candidate.slot].sensitive for candidate in case.evidence.by_rules(case.line))


def _is_unsure(case: ProposalCheck) -> bool:
    # Written so that a confidence that is no number falls too.
    return not settings.MEMORY["confidence_floor"] <= case.proposal.confidence <= 1.0


def _is_not_the_persons(case: ProposalCheck) -> bool:
    return not (case.line.by_user and case.line.fresh)


def _was_not_said(case: ProposalCheck) -> bool:
    return case.quote_span is None


def _was_only_asked(case: ProposalCheck) -> bool:
    """Whether its words stand in a question in which the rules read no statement."""
    span = case.quote_span
    return span is not None and span.is_asked and not extract_facts(span.sentence)


def _echoes_the_assistant(case: ProposalCheck) -> bool:
    return any(
        evidence.occurs(case.proposal.quote, text) for text in case.evidence.heard_before(case.line)
    )


def _is_known(case: ProposalCheck) -> bool:
    """Whether it repeats a note. Words that stand in a note may still put another out of date."""
    content, quote = case.proposal.content, case.proposal.quote
    if any(_says_no_more(content, text) for text in case.evidence.texts):
        return True
    return case.replaced is None and any(
        evidence.occurs(quote, text)
        for line in case.evidence.known
        for text in (line.text, line.made_from)
    )


def _instructs(case: ProposalCheck) -> bool:
    """Whether it is an order, or stands beside one; what was pasted is judged as a whole."""
    if any(instructs(text).refused for text in (case.proposal.content, case.proposal.quote)):
        return True
    whole = instructs(case.line.text)
    if not whole.refused:
        return False
    sentence = case.quote_span.sentence if case.quote_span else ""
    return whole.grave or not case.line.typed or instructs(sentence).refused


def _holds_a_secret(case: ProposalCheck) -> bool:
    finding = case.proposal
    return any(
        guard.holds_a_secret(text) for text in (finding.content, finding.value, finding.quote)
    )


def _is_against_the_rules(case: ProposalCheck) -> bool:
    """Whether the rules read it as no longer so, not so, or so in this conversation only."""
    return guard.asks_to_forget(case.line.text) or any(
        _speaks_against(candidate, case) for candidate in case.evidence.by_rules(case.line)
    )


def _speaks_against(candidate: FactCandidate, case: ProposalCheck) -> bool:
    content = case.proposal.content.lower()
    named = candidate.value.lower() in content
    if candidate.scope == "conversation":
        return named or candidate.slot == case.proposal.slot
    if candidate.kind == "denial" and named and not _TURNED_ROUND.search(content):
        return True
    return candidate.kind not in CURRENT_KINDS and case.has_value_of(candidate)


def _has_a_value_of_its_own(case: ProposalCheck) -> bool:
    """Whether its value is none of the person's words."""
    if not case.proposal.value or case.rules_agree or case.quote_span is None:
        return False
    return not entailment.words_said(case.proposal.value, [case.quote_span.sentence])


def _has_an_impossible_day(case: ProposalCheck) -> bool:
    try:
        day = _day(case)
    except ValueError:
        return True
    if day is None:
        return False
    apart = (day - case.line.said_at.date()).days
    if not -366 * YEARS_BACK <= apart <= 366 * YEARS_AHEAD:
        return True
    words = evidence.plain(case.proposal.quote)
    return any(abs(apart) > most for near, most in _NEAR if near.search(words))


# In this order: the first that applies is the reason.
_CHECKS: tuple[tuple[str, Callable[[ProposalCheck], bool]], ...] = (
    ("malformed", _is_malformed),
    ("private", _is_private),
    ("not the person's", _is_not_the_persons),
    ("unsure", _is_unsure),
    ("not said", _was_not_said),
    ("only asked", _was_only_asked),
    ("an order", _instructs),
    ("a secret", _holds_a_secret),
    ("echo", _echoes_the_assistant),
    ("known", _is_known),
    ("against the rules", _is_against_the_rules),
    ("turned round", lambda case: case.verdict == Verdict.TURNED_ROUND),
    ("another's", lambda case: case.verdict == Verdict.ANOTHERS),
    ("not borne out", lambda case: case.verdict == Verdict.NOT_SAID),
    ("value not said", _has_a_value_of_its_own),
    ("impossible day", _has_an_impossible_day),
)

# A day named by these words lies so many days from the saying at the most. A model that reckons
# from a today of its own lands months away.
_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_NEAR = tuple(
    (re.compile(rf"\b(?:{words})\b"), most)
    for words, most in (
        ("today|tonight|yesterday|tomorrow|last night|this (?:morning|afternoon|evening)", 2),
        (rf"(?:last|this|next) (?:week|weekend|{_DAYS})", 15),
        ("(?:last|this|next) month", 62),
        ("(?:last|this|next) year", 731),
    )
)
_MARKUP = re.compile(r"[<>{}`\\]|://|\bwww\.|\]\(|\*\*")
_TURNED_ROUND = re.compile(
    r"\b(?:no|not|never|without|longer|stopped|quit|former|formerly|used to|gave up)\b|n't\b"
)


def _is_writable(text: str) -> bool:
    """Whether the database can hold it: no control codes, no halves of a character."""
    return not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in text)


def _is_one_plain_line(text: str, most: int) -> bool:
    readable = len(text) <= most and any(sign.isalnum() for sign in text)
    return readable and _is_writable(text) and not _MARKUP.search(text)


def _says_no_more(content: str, known: str) -> bool:
    """Whether a text adds nothing to a known one: as good as the same words, and no other sense.

    The likeness alone would take 'No longer likes coffee' for 'Likes coffee', and a longer note
    for the shorter one that it contains.
    """
    if dedup.says_the_same(content, known):
        return True
    if fuzz.token_set_ratio(evidence.plain(content), evidence.plain(known)) < AGREEMENT:
        return False
    if bool(_TURNED_ROUND.search(content.lower())) != bool(_TURNED_ROUND.search(known.lower())):
        return False
    return stems(content) <= stems(known)


def _day(case: ProposalCheck) -> date | None:
    """The day it speaks of. Raises ValueError for what is no ISO date."""
    words = case.proposal.happened_on
    return date.fromisoformat(words) if words else None


def fit_summary(text: str, said: Sequence[str]) -> str:
    """Those sentences of a model's summary that the messages in `said` support; '' for none."""
    whole = " ".join(text.split())
    if not _is_one_plain_line(whole, LONGEST_SUMMARY):
        return ""
    return " ".join(one for one in split_lines_and_sentences(whole) if _is_fit(one, said))


def _is_fit(sentence: str, said: Sequence[str]) -> bool:
    unfit = (
        not entailment.is_faithful_summary(sentence, said)
        or sensitivity.is_private_text(sentence)
        or guard.holds_a_secret(sentence)
        or instructs(sentence).refused
    )
    return not unfit


def _draft(case: ProposalCheck) -> NoteDraft:
    finding = case.proposal
    origin = Origin.MODEL if case.line.typed else Origin.PASTED
    return NoteDraft(
        content=finding.content,
        original=finding.quote,
        category=Memory.Category(finding.category),
        kind=Memory.Kind(finding.kind),
        confidence=finding.confidence,
        trust=settings.MEMORY["trust_by_origin"][origin],
        slot=finding.slot if case.has_value else "",
        value=finding.value if case.has_value else "",
        happened_on=_day(case),
        origin=origin,
        source=ProfileFact.Source.REFLECTION,
        replaces=case.replaced.note if case.replaced else None,
        ask=case.must_ask,
    )
