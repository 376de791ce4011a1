"""What memory costs in a prompt, beside the whole history, beside the same messages in full, and
beside only those of their sentences that the prompt still tells of.

Each recorded dialogue is played through the product's own way in and learned from, for a person who
exists in one transaction only. Then each question about it is put to the product's own prompt
building. So that few tokens are not bought by leaving out what matters, it is also counted how much
of the evidence, and how many words of the answers, the few tokens still hold.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import prompt, replay
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.replay import Dialogue
from evaluation.counting import Progress
from evaluation.files import reading
from evaluation.retrieval import AFTERWARDS, Question, locomo_pairs, locomo_questions, somebody
from memory.context import PromptItem, PromptMemory
from memory.language import (
    content_words,
    count_tokens,
    split_lines_and_sentences,
    stem_id,
)

# Questions asked of each dialogue, evenly spread: each one builds a whole prompt.
QUESTIONS = 60


@dataclass(frozen=True)
class Cost:
    """One question: tokens of what was injected, of its messages in full, of only the sentences
    that it tells of, of the whole history.
    """

    injected: int
    prose: int
    same_words: int
    history: int
    items: int
    evidence: float
    words_kept: float | None


def evaluate(data: Path, progress: Progress) -> dict[str, Any]:
    """Measure on the dialogues below `data`/locomo; shares run from 0 to 1."""
    costs: list[Cost] = []
    for path in sorted((data / "locomo").glob("*.json")):
        with reading(path):
            pairs = locomo_pairs(path)
            asked = [locomo_questions(*pair) for pair in pairs]
        for position, (_, dialogue) in enumerate(pairs):
            progress(position, len(pairs), f"tokens: {dialogue.name}")
            costs += _costs(dialogue, asked[position])
    return _summary(costs) if costs else {"skipped": ["locomo"]}


def _costs(dialogue: Dialogue, questions: list[Question]) -> list[Cost]:
    with somebody() as user, acting_as(user):
        for _ in replay.play(dialogue, user):
            pass
        history = _history(user)
        step = max(1, len(questions) // QUESTIONS)
        return [_cost(user, question, history) for question in questions[::step]]


def _history(user: User) -> int:
    messages = Message.objects.for_user(user.pk).order_by("said_at", "number")
    lines = (f"{message.author or message.role}: {message.content}" for message in messages)
    return count_tokens("\n".join(lines))


def _cost(user: User, question: Question, history: int) -> Cost:
    injected = _inject(user, question)
    prose = injected.in_prose()
    return Cost(
        injected=injected.tokens,
        prose=count_tokens(prose),
        same_words=count_tokens("\n".join(map(in_same_words, injected.items))),
        history=history,
        items=len(injected.items),
        evidence=_evidence(user, question, injected),
        words_kept=_kept(question.answer, prose, injected.text),
    )


def in_same_words(item: PromptItem) -> str:
    """An item as prose, without the sentences of its message that its line tells nothing of."""
    if not item.said:
        return item.prose
    return item.prose.replace(item.said, still_told(item.said, item.line))


def still_told(text: str, line: str) -> str:
    """The sentences of a text, whole, of which two words that follow each other stand so in a line.

    Where none has any, the line is in other words: the one that shares most with it.
    """
    words = _words(line)
    pairs = set(pairwise(words))
    every = {one: _words(one) for one in split_lines_and_sentences(text)}
    told = [one for one, own in every.items() if pairs & set(pairwise(own))]
    nearest = max(every, key=lambda one: len({*every[one]} & {*words}), default=text)
    return " ".join(told or [nearest])


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text.casefold())


def _inject(user: User, question: Question) -> PromptMemory:
    last = Message.objects.for_user(user.pk).latest("said_at")
    conversation = Conversation.objects.create(user=user)
    draft = NewMessage(Message.Role.USER, question.text, said_at=last.said_at + AFTERWARDS)
    (message,) = append(user, conversation, [draft])
    made = prompt.remembering(message).injected
    conversation.delete()
    return made


def _evidence(user: User, question: Question, injected: PromptMemory) -> float:
    """The share of the turns that answer the question which the prompt holds."""
    there = [item.message_id for item in injected.items if item.message_id is not None]
    rows = Message.objects.for_user(user.pk).filter(pk__in=there)
    keys = {":".join(row.client_key.split(":")[-2:]) for row in rows}
    return len(question.gold & keys) / len(question.gold)


def _kept(answer: str, prose: str, compact: str) -> float | None:
    """Of the answer's telling words that the prose holds, the share that the few words still do."""
    wanted = {stem_id(word) for word in content_words(answer)}
    wanted &= _numbers(prose)
    return len(wanted & _numbers(compact)) / len(wanted) if wanted else None


def _numbers(text: str) -> set[int]:
    return {stem_id(word) for word in content_words(re.sub(r"[‹›]", " ", text))}


def _summary(costs: list[Cost]) -> dict[str, Any]:
    return {
        "questions": len(costs),
        "injected_tokens": round(mean(_each(costs, "injected")), 1),
        "prose_tokens": round(mean(_each(costs, "prose")), 1),
        "same_words_tokens": round(mean(_each(costs, "same_words")), 1),
        "history_tokens": round(mean(_each(costs, "history")), 1),
        "items": round(mean(_each(costs, "items")), 1),
        "saved_vs_history": _saved(costs, "history"),
        "saved_vs_prose": _saved(costs, "prose"),
        "saved_vs_same_words": _saved(costs, "same_words"),
        "evidence_in_prompt": round(mean(_each(costs, "evidence")), 4),
        "answer_words_kept": round(
            mean(cost.words_kept for cost in costs if cost.words_kept is not None), 4
        ),
    }


def _each(costs: list[Cost], name: str) -> Iterator[float]:
    return (float(getattr(cost, name)) for cost in costs)


def _saved(costs: list[Cost], beside: str) -> float:
    """How much of the other form's tokens are not needed, over all questions together."""
    return round(1 - sum(_each(costs, "injected")) / sum(_each(costs, beside)), 4)
