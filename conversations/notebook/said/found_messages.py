"""What was said that bears on a question: looked up by words and meaning, and read with what each
goes on from.
"""

import copy
from collections.abc import Iterable, Sequence
from dataclasses import replace

from conversations.learning import related_messages
from conversations.notebook.answer_builder import Answer
from conversations.notebook.said.nearness import Evidence
from conversations.notebook.said.question_terms import QuestionTerms, speakers
from conversations.notebook.steps import recorded_step
from conversations.prompt import Prompt
from conversations.search import message_recall
from conversations.search.message_recall import Passage
from memory.language import encode_sentences, split_words

# So many of the nearest are read together with the question.
_READ = 20


def look_up(prompt: Prompt, terms: QuestionTerms, answer: Answer) -> list[Evidence]:
    """The messages that bear on it, in the order of recall; those of the one who is asked of, where
    it names a speaker.
    """
    with recorded_step(answer, "recall_memories", query=prompt.normalized_question) as step:
        found = [*prompt.passages, *_by_their_names(prompt, terms)]
        step.count = len(found)
    if named := set(split_words(prompt.normalized_question)) & speakers(prompt):
        found = [p for p in found if p.message.author.lower() in named] or found
    return _as_evidence(found, terms)


def _as_evidence(found: Sequence[Passage], terms: QuestionTerms) -> list[Evidence]:
    """Those that state something."""
    stating = [
        evidence
        for position, passage in enumerate(found)
        if (evidence := Evidence(passage.message, terms, position)).parts
    ]
    # All at once: each asks for the meaning of its own, which takes three times as long.
    encode_sentences([part for one in stating for part in one.parts])
    return stating


def _by_their_names(prompt: Prompt, terms: QuestionTerms) -> list[Passage]:
    """What recall finds only by the names of those whom the question calls by a role."""
    names = {name for several in terms.names_by_role.values() for name in several}
    if not names:
        return []
    question = copy.copy(prompt.question)
    question.content = " ".join([prompt.normalized_question, *sorted(names)])
    found = message_recall.passages(question, count=len(prompt.passages))
    there = {passage.message.pk for passage in prompt.passages}
    return [passage for passage in found if passage.message.pk not in there]


def read_together(prompt: Prompt, found: Sequence[Evidence]) -> list[Evidence]:
    """The nearest of them, with what they go on from, read together with the question."""
    near = sorted(found, key=lambda evidence: -evidence.nearness)[:_READ]
    if near:
        near = _led(prompt, near)
        weigh = near[0].terms.weigh
        weigh((evidence.told_in_full, evidence.message.author) for evidence in near)
        weigh((text, evidence.message.author) for evidence in near for text in evidence.read_apart)
    return near


def _led(prompt: Prompt, found: Sequence[Evidence]) -> list[Evidence]:
    """With what was said right before them, where they go on from that: back to where a message
    says itself of whom it speaks.
    """
    before = related_messages.said_before(
        prompt.question,
        [
            evidence.message
            for evidence in found
            if (evidence.goes_on or evidence.message.corrects_id) and not evidence.message.author
        ],
    )
    return [
        replace(
            evidence,
            before=_leading_to(Evidence(m, evidence.terms) for m in before[evidence.message.pk]),
        )
        if before.get(evidence.message.pk)
        else evidence
        for evidence in found
    ]


def _leading_to(before: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Of several messages that state something, the last one first, those up to one that stands by
    itself, earliest first.
    """
    leading: list[Evidence] = []
    for one in before:
        if one.parts:
            leading.insert(0, one)
            if not one.goes_on:
                break
    return tuple(leading)
