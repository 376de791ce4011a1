"""How near a message comes to what a question seeks: in its words and in meaning."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.timezone import localtime

from conversations.models import Message
from conversations.notebook import answer_types
from conversations.notebook.message_parts import is_request
from conversations.notebook.said.question_terms import QuestionTerms
from conversations.notebook.said.sentences import sentences
from memory.language import (
    ENDS_FROM,
    SentenceDates,
    content_stem_ids,
    find_ending,
    is_explicit_correction,
    is_rescheduling,
    is_statement,
    pair_probabilities,
    read_sentence_dates,
)
from memory.notes import goes_on_from_context

_CAPITALISED = re.compile(r"\b[A-Z][\w-]+")
# A message of so many characters is quoted whole; of a longer one so many sentences at most.
_SHORT = 280
# So many letters of what it goes on from are read before it; with an answer between, the message
# before one has a number so much lower.
_MOST_BEFORE, _NEXT_BUT_ONE = 300, 2
_TOGETHER = 3
_OPENS_WITHIN = re.compile(r"(?:he|she|it|they|his|her|its|their|that|this|there)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    rf"\W*(?:and |but |so |also |oh )*"
    rf"(?:the|and|with|only|hes|shes|its|theyre|we|at|in|on|{_OPENS_WITHIN.pattern})\b",
    re.IGNORECASE,
)
_A_FEW_WORDS = 6
_CALLED_OFF = re.compile(
    r"\b(?:called off|cancell?ed|fell through)\b"
    r"|(?:\b(?:is|are|was)|'s) (?:now )?off(?=\W*$|[.,;!])",
    re.IGNORECASE,
)
# What words and meaning in common count beside the log-odds of the classifier, and the first place
# in recall, which sees the turns around it (each further one a tenth less): near a logistic
# regression over the twenty nearest messages of 128 questions of six people (2.0, 14 and 2.0), with
# more on the classifier, which alone knows what nobody told.
_COVER, _LIKENESS, _RECALLED, _LEAST = 2, 8, 1.5, 1e-4
# From here on what has the form of a change is one of an earlier message.
_CHANGED, _SAME_WORDS = 0.2, 2
# A text may answer from the first on, and not what it goes on from where it adds the second.
_MAY_ANSWER, _ADDS = 0.2, 0.1


@dataclass(frozen=True)
class Evidence:
    """A message that may answer, and the sentence of it that comes nearest; `place` is the one that
    recall gave it, from 0 on, None where it was not recalled; `before` are the messages, earliest
    first, that it goes on from ("It costs 640").
    """

    message: Message
    terms: QuestionTerms
    place: int | None = None
    before: "tuple[Evidence, ...]" = ()

    @property
    def goes_on(self) -> bool:
        """Whether it may go on about what was said before it: "It is blue", "and art"."""
        text = self.message.content
        return _GOES_ON.match(text) is not None or len(text.split()) <= _A_FEW_WORDS

    @cached_property
    def parts(self) -> list[str]:
        """Its sentences that state something: a request answers nothing."""
        author = self.message.author
        stated = [part for part in self._sentences if is_statement(part, author)]
        return [part for part in stated if author or not is_request(part)]

    @cached_property
    def best(self) -> str:
        """The sentence that speaks most of what is asked; of what states nothing, all of it."""
        return max(
            self.parts,
            key=lambda part: self.terms.cover(part) + 2 * self.terms.likeness(part),
            default=self.message.content,
        )

    @cached_property
    def cover(self) -> float:
        """How much of the question that sentence speaks of, with those it goes on from."""
        texts = {self.best, self.in_context, f"{self._leading} {self.best}".strip()}
        return max(map(self.terms.cover, texts))

    @cached_property
    def likeness(self) -> float:
        """How near it is in meaning."""
        texts = [*self.parts, *([self.told_in_full] if self.before else [])]
        return max(map(self.terms.likeness, texts), default=0.0)

    @property
    def probability(self) -> float:
        """How probable it is that what is quoted of it answers the question, 0..1: read after what
        it goes on from, unless that answers by itself.
        """
        together = self.terms.probability(self.told_in_full, self.message.author)
        if not self.read_apart:
            return together
        before, alone = (self.terms.probability(t, self.message.author) for t in self.read_apart)
        return together if together - before >= _ADDS else min(together, alone)

    @property
    def read_apart(self) -> list[str]:
        """Where both together may answer, and it does not put right what it goes on from: that, and
        what is quoted, each by itself.
        """
        if not self.before or self.message.corrects_id:
            return []
        together = self.terms.probability(self.told_in_full, self.message.author)
        return [self._leading, self.quote] if together >= _MAY_ANSWER else []

    @property
    def told_in_full(self) -> str:
        """What is quoted, after what it goes on from."""
        return f"{self._leading} {self.quote}".strip()

    @property
    def _leading(self) -> str:
        """The end of what it goes on from, as much as is read before it."""
        return " ".join(part for evidence in self.before for part in evidence.parts)[-_MOST_BEFORE:]

    @property
    def goes_on_from(self) -> "Evidence | None":
        """What tells of whom it speaks, where it does not say so itself: the message that it
        corrects, or that stands right before it.
        """
        last = self.before[-1] if self.before else None
        begins = self._sentences[:1] and self.quote.startswith(self._sentences[0])
        if last is None or not (begins and goes_on_from_context(self.quote)):
            return None
        near = self.message.number - last.message.number <= _NEXT_BUT_ONE
        return last if near or self.message.corrects_id == last.message.pk else None

    def may_tell(self, question: str) -> bool:
        """Whether what is quoted of it, by itself, may tell the kind of thing that is asked for, or
        that it is off.
        """
        is_off = _CALLED_OFF.search(self.quote) is not None
        return is_off or answer_types.may_tell(question, self.quote)

    @property
    def nearness(self) -> float:
        """How near its words and its meaning together come, 0..3."""
        return self.cover + 2 * self.likeness

    @property
    def fit(self) -> float:
        """How well it answers, as log-odds of being an answer, with what it shares with the
        question in words and in meaning, and its place in recall, added; see `said.selection` for
        what is enough.
        """
        probable = min(max(self.probability, _LEAST), 1 - _LEAST)
        recalled = 0.0 if self.place is None else _RECALLED * 0.9**self.place
        shared = _COVER * self.cover + _LIKENESS * self.likeness
        return math.log(probable / (1 - probable)) + shared + recalled

    @cached_property
    def quote(self) -> str:
        """A short message whole; of a long one the sentence with its context."""
        return " ".join(self._sentences) if len(self.message.content) <= _SHORT else self.in_context

    @cached_property
    def in_context(self) -> str:
        """The sentence, with the one before it that it goes on from ("Her name is Soot"), and those
        after it that go on from it.
        """
        found = self._sentences
        if self.best not in found:
            return self.best
        index = found.index(self.best)
        first = index - 1 if index and _OPENS_WITHIN.match(self.best) else index
        last = index + 1
        while last < len(found) and last - first < _TOGETHER and _OPENS_WITHIN.match(found[last]):
            last += 1
        return " ".join(found[first:last])

    @cached_property
    def _sentences(self) -> list[str]:
        return sentences(self.message.content)

    @cached_property
    def changes(self) -> bool:
        """Whether it moves, calls off or puts right something, and of the same name where one is
        asked of.
        """
        quote = self.quote
        moves = is_rescheduling(quote) or _CALLED_OFF.search(quote)
        if not (moves or is_explicit_correction(quote)):
            return False
        return self.terms.names <= set(_CAPITALISED.findall(quote))

    def ended_by(self, later: "Sequence[Evidence]", least: float = ENDS_FROM) -> "list[Evidence]":
        """Those of several later ones that end or correct it, by `least` as probable as this."""
        places = find_ending(self.quote, [" ".join(evidence.parts) for evidence in later], least)
        found = [later[position] for position in places]
        return [
            evidence for evidence in found if not evidence.says_the_same_of_another(self.message)
        ]

    def changed_by(self, later: "Evidence") -> bool:
        """Whether a later one that moves or puts right something does so to this: it speaks of the
        same in two words or more, or by the examples.
        """
        pair = [(self.quote, later.quote)]
        if len(content_stem_ids(self.quote) & content_stem_ids(later.quote)) >= _SAME_WORDS:
            return True
        labels = ("consistency/updates", "continuation/corrects")
        return any(pair_probabilities(label, pair)[0] >= _CHANGED for label in labels)

    def says_the_same_of_another(self, other: Message) -> bool:
        """Whether it shares words with a message and names somebody else than is asked of: the
        viewing in Graz, where the one in Linz is asked about.
        """
        names = set(_CAPITALISED.findall(self.quote))
        of_another = bool(names) and not self.terms.names <= names
        return of_another and bool(content_stem_ids(self.quote) & content_stem_ids(other.content))

    @property
    def dates(self) -> SentenceDates | None:
        """The days that its nearest sentence names, else another that is quoted."""
        return next(iter(self._days), None)

    @property
    def tells_one_day(self) -> bool:
        """Whether all of it that is quoted names the same days."""
        return len({(dates.first, dates.last) for dates in self._days}) == 1

    @cached_property
    def _days(self) -> list[SentenceDates]:
        """The days that its sentences name, those of the nearest first."""
        said_at = localtime(self.message.said_at)
        quoted = [self.best, *(one for one in self._sentences if one in self.quote)]
        return [dates for one in quoted if (dates := read_sentence_dates(one, said_at))]

    @property
    def tells_of_its_time(self) -> bool:
        """Whether the days that it names lie in the times that are asked about; none: in any."""
        dates = self.dates
        return (
            dates is None
            or not self.terms.spans
            or any(
                span.first <= dates.last and dates.first <= span.last for span in self.terms.spans
            )
        )
