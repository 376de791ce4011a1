"""What was said that answers a question: the sentences themselves, with their day and a link.

Whether anything answers at all is judged before it is shown: by a classifier that reads question
and message together, and by what they share (`nearness`). Where nothing does, nothing is shown.
"""

import copy
import re
from collections.abc import Collection, Sequence
from datetime import timedelta
from uuid import UUID

from django.utils.text import capfirst
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.markdown import literal
from conversations.models import Conversation, Message
from conversations.notebook.answer_builder import (
    Answer,
    after,
    line,
    quote_from_here,
    unless_said,
    used_message,
    used_note,
)
from conversations.notebook.said.found_messages import look_up, read_together
from conversations.notebook.said.nearness import Evidence
from conversations.notebook.said.question_terms import QuestionTerms, terms_of
from conversations.notebook.said.selection import (
    answers,
    is_of_its_time,
    newer_first,
    of_its_kind,
    outdated,
    with_what_followed,
    worth_showing,
)
from conversations.notebook.steps import none_answers
from conversations.prompt import Prompt
from conversations.search import message_recall
from conversations.search.message_recall import RecallMode
from memory.language import explain_refusal
from memory.notes import significance_of
from memory.retrieval import ScoredNote

# How many messages of a time are shown at most.
_OF_A_TIME = 6
# From here on a message is shown beside the best (one in ten of these answers).
_BESIDE = 4.0
# In the conversation itself half is enough where it may answer, and so many sentences are shown.
_HALF, _POSSIBLY, _MOST_HERE = 0.5, 0.3, 3
# What has none of its words is looked for among so many of the likest.
_ALIKE = 24
# What ends the best of them is looked for among so many that are like it.
_LATER = 6
OUTDATED = " · you said otherwise later"
YOU_TOLD_ME = "You told me:"
_A_MONTH = timedelta(31)
_CALLED = re.compile(
    r"\b(?:rang|ring(?:s|ing)?|phoned|called me|texted|e-?mailed|messaged|wrote|heard from)\b",
    re.IGNORECASE,
)
_ASKS_WHEN = re.compile(r"\W*(?:and )?when\b|\W*what (?:day|date)\b", re.IGNORECASE)


class Search:
    """What was said that bears on one question: looked up once, and shown as far as it answers."""

    def __init__(self, prompt: Prompt, answer: Answer) -> None:
        self.prompt, self.answer = prompt, answer
        self.terms = terms_of(prompt)
        self.found = look_up(prompt, self.terms, answer)
        self._read: list[Evidence] | None = None

    def show(self) -> bool:
        """Show what answers the question; False, with nothing said, where nothing surely does."""
        prompt, terms, answer = self.prompt, self.terms, self.answer
        lead = YOU_TOLD_ME
        if terms.spans and not terms.words:
            return _of_that_time(terms, self.found, answer)
        found = [evidence for evidence in self._nearest() if is_of_its_time(evidence)]
        notes = _notes(prompt, terms, found)
        if terms.spans and not (found or notes):
            # A month is easily remembered wrong: what is of another time says so.
            found, lead = self._nearest(), f"Nothing {_in_words(terms)}. {YOU_TOLD_ME}"
        found = of_its_kind(prompt.normalized_question, found)
        found = [one for one in found if answers(one) or self._may_stand_by(one)]
        if not any(map(answers, found)):
            found = []
        found = worth_showing(prompt, found, _BESIDE)
        if not (found or notes):
            none_answers(answer)
            return False
        best, found = found[:1], with_what_followed(prompt, found)
        found = [*self._ending(best, found), *found]
        ended = outdated(prompt.normalized_question, found)
        found = newer_first(
            prompt.normalized_question,
            sorted(found, key=lambda evidence: evidence.message.pk in ended),
        )
        if _ASKS_WHEN.match(prompt.normalized_question):
            _say_the_day(found, answer)
        answer.say(lead)
        _point_at(found, answer, ended)
        for note in notes:
            answer.point(_note_line(prompt, note), used_note(note))
        _rest_on_their_notes(prompt, found, answer)
        return True

    def _may_stand_by(self, evidence: Evidence) -> bool:
        """Whether it may be shown where it is not asked for: what was said in confidence may not,
        unless the whole conversation is private.
        """
        if not evidence.message.confidential:
            return True
        return self.prompt.question.conversation.privacy == Conversation.Privacy.PRIVATE

    def _ending(self, best: list[Evidence], found: list[Evidence]) -> list[Evidence]:
        """What was said later than the best and ends or corrects it, in words that may not be those
        of the question; without what is found anyway.
        """
        if not best or not best[0].message.is_stated_by_owner:
            return []
        question = copy.copy(self.prompt.question)
        question.content = best[0].quote
        alike = [
            Evidence(passage.message, self.terms)
            for passage in message_recall.passages(question, _LATER)
        ]
        there = {evidence.message.pk for evidence in found}
        later = {
            evidence.message.pk: evidence
            for evidence in (*alike, *self._nearest())
            if evidence.parts
            and evidence.message.is_stated_by_owner
            and evidence.message.said_at > best[0].message.said_at
            and evidence.message.pk not in there
        }
        return best[0].ended_by(list(later.values()))

    def find_in_confidence(self) -> Message | None:
        """The message that answers best of those that are quoted in their own conversations."""
        found = message_recall.passages(self.prompt.question, _ALIKE, RecallMode.ELSEWHERE)
        read = read_together(
            self.prompt, [Evidence(passage.message, self.terms) for passage in found]
        )
        best = max(read, key=lambda evidence: evidence.fit, default=None)
        return best.message if best is not None and answers(best) else None

    def _nearest(self) -> list[Evidence]:
        """What was found by words or by meaning, the nearest read together with the question."""
        if self._read is None:
            there = {evidence.message.pk for evidence in self.found}
            found = message_recall.passages(self.prompt.question, _ALIKE, RecallMode.MEANING)
            more = [Evidence(passage.message, self.terms) for passage in found]
            more = [
                evidence for evidence in more if evidence.parts and evidence.message.pk not in there
            ]
            self._read = read_together(self.prompt, [*self.found, *more])
        return self._read


def show_from_this_talk(prompt: Prompt, answer: Answer) -> bool:
    """Show what was said in this conversation that speaks of half the question or more and may
    answer it: also what is quoted nowhere else. False, with nothing said, where nothing does.
    """
    terms = terms_of(prompt)

    def speaks_of_it(text: str) -> bool:
        covers = bool(terms.words) and terms.cover(text) >= _HALF
        may_answer = covers and terms.probability(text) >= _POSSIBLY
        return may_answer and not explain_refusal(text)

    return quote_from_here(
        prompt, answer, "In this conversation you said:", speaks_of_it, _MOST_HERE
    )


def _notes(prompt: Prompt, terms: QuestionTerms, found: Sequence[Evidence]) -> list[ScoredNote]:
    """Notes that were written by hand, or whose message may not be quoted here, and answer it."""
    messages = {evidence.message.pk for evidence in found}
    return [
        note
        for note in sorted(prompt.remembered, key=lambda note: -note.score.total)
        if note.category != "summary"
        and note.message_id not in messages
        and note.message_id != prompt.question.pk
        and terms.covers_day(note.happened_on or localtime(note.said_at).date())
        and terms.cover(note.original or note.content) >= _HALF
        and terms.probability(note.original or note.content) >= _HALF
    ][:2]


def _of_that_time(terms: QuestionTerms, everything: Sequence[Evidence], answer: Answer) -> bool:
    """ "What did I do last May?" asks for whatever there was: what was told of it, in its order."""
    told = [
        (one, max(one.parts, key=significance_of)) for one in everything if is_of_its_time(one)
    ][:_OF_A_TIME]
    if not told:
        return False
    answer.say(f"{capfirst(_in_words(terms))}, as I have it:")
    for evidence, part in sorted(told, key=lambda pair: pair[0].message.said_at):
        answer.point(line(evidence.message, part), used_message(evidence.message))
    return True


def _in_words(terms: QuestionTerms) -> str:
    """The time that a question names: "in May 2026"."""
    return terms.spans[0].said


# --- Telling -------------------------------------------------------------------------------------


def _say_the_day(found: Sequence[Evidence], answer: Answer) -> None:
    """The day itself, where the nearest of them names one exactly, or what moves it: "the boiler is
    put off to Thursday" need not say that it was to be serviced. Nothing where it names several, or
    where another was said later, which may move it.
    """
    first = next(
        (evidence for evidence in found[:1] if evidence.changes or evidence.dates is not None), None
    )
    if first is None or not (first.changes or first.probability >= _HALF):
        return
    if not first.tells_one_day or any(
        evidence.message.said_at > first.message.said_at for evidence in found
    ):
        return
    dates = first.dates
    if dates is not None and first.tells_of_its_time and not dates.is_a_guess:
        answer.say(f"{capfirst(dates.in_words if dates.exactly else f'about {dates.in_words}')}.")


def _point_at(
    found: Sequence[Evidence], answer: Answer, ended: Collection[UUID] = frozenset()
) -> None:
    """A line each; what does not say of whom it speaks, with what was said before it."""
    quoted = " ".join(one.quote for one in found)
    for evidence in found:
        mark = OUTDATED if evidence.message.pk in ended else ""
        said, used = _line(evidence), [used_message(evidence.message)]
        before = evidence.goes_on_from
        if before is not None and before.parts[-1] not in quoted:
            said += after(" ".join(before.parts), evidence.quote)
            used.append(used_message(before.message))
        answer.point(f"{said}{mark}", *used)


def _line(evidence: Evidence) -> str:
    # Without a year its days are told from the day on which it was said: a reader must reckon.
    # Of several days that it names, the reader knows which is asked for.
    relative = evidence.tells_one_day and not re.search(r"\b(?:19|20)\d\d\b", evidence.quote)
    dates = evidence.dates if relative else None
    # Which spring "in spring" is, is a guess; the day of a call is seldom what is asked for.
    sure = dates is not None and dates.exactly and not dates.is_a_guess
    if sure and dates:
        is_that_day = dates.first == dates.last == localtime(evidence.message.said_at).date()
        too_long = dates.last - dates.first > _A_MONTH
        sure = not (is_that_day or too_long or _CALLED.search(evidence.best))
    days = f" ({dates.in_words})" if dates is not None and sure else ""
    return f"{line(evidence.message, evidence.quote)}{days}"


def _note_line(prompt: Prompt, note: ScoredNote) -> str:
    when = formatting.day(note.said_at, prompt.question.said_at)
    return f"Noted {when}{unless_said(note)}: {literal(note.original or note.content)}"


def _rest_on_their_notes(prompt: Prompt, found: Sequence[Evidence], answer: Answer) -> None:
    """A note that was taken from a quoted message was as much of use as the message."""
    quoted = {evidence.message.pk for evidence in found}
    answer.rest_on(*(used_note(note) for note in prompt.remembered if note.message_id in quoted))
