"""Prompt size: tokens of memory compared with the whole history, and share of evidence in it.

Each recorded dialogue is stored and learned from by the production code for a temporary user; each
question is passed to the production prompt builder. The share of evidence in the prompt shows
whether few tokens were reached by omitting what matters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import prompt, replay
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.replay import Dialogue
from evaluation.measuring import Progress, reading
from evaluation.retrieval import AFTERWARDS, Question, locomo_pairs, locomo_questions, somebody
from memory.context.prompt_items import PromptItem
from memory.context.prompt_memory import PromptMemory
from memory.language.text.token_count import count_tokens

# Questions per dialogue, evenly spread, since each builds a whole prompt.
QUESTIONS = 60


@dataclass(frozen=True)
class Cost:
    """The cost of one question: tokens of the injected items, of the same items in full prose, and
    of the whole history; and the share of evidence that the injected text contains in full.
    """

    injected: int
    prose: int
    history: int
    items: int
    evidence: float


def evaluate(data: Path, progress: Progress) -> dict[str, Any]:
    """Measure on the dialogues in `data`/locomo; shares are from 0 to 1."""
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
    return Cost(
        injected=injected.tokens,
        prose=count_tokens("\n".join(map(in_prose, injected.items))),
        history=history,
        items=len(injected.items),
        evidence=whole_evidence(user, question, injected),
    )


def in_prose(item: PromptItem) -> str:
    """Return an item as a sentence with its day, speaker and full text."""
    day = f"On {item.day} " if item.day else ""
    return f"{day}{item.by or item.heading}: “{item.said or item.line}”"


def _inject(user: User, question: Question) -> PromptMemory:
    last = Message.objects.for_user(user.pk).latest("said_at")
    conversation = Conversation.objects.create(user=user)
    draft = NewMessage(Message.Role.USER, question.text, said_at=last.said_at + AFTERWARDS)
    (message,) = append(user, conversation, [draft])
    made = prompt.remembering(message).injected
    conversation.delete()
    return made


def whole_evidence(user: User, question: Question, injected: PromptMemory) -> float:
    """Return the share of the question's evidence that the prompt contains in full."""
    there = [item.message_id for item in injected.items if item.message_id is not None]
    text = as_shown(injected.text)
    whole = {
        ":".join(row.client_key.split(":")[-2:])
        for row in Message.objects.for_user(user.pk).filter(pk__in=there)
        if as_shown(row.content) in text
    }
    return len(question.gold & whole) / len(question.gold)


def as_shown(text: str) -> str:
    """Return a text as a prompt shows it: on one line, without marks that could end the fence."""
    return re.sub(r"\s+", " ", text).replace("<", "‹").replace(">", "›").strip()


def _summary(costs: list[Cost]) -> dict[str, Any]:
    names = ("injected", "prose", "history")
    injected, prose, history = (sum(_each(costs, name)) for name in names)
    return {
        "questions": len(costs),
        "injected_tokens": round(mean(_each(costs, "injected")), 1),
        "prose_tokens": round(mean(_each(costs, "prose")), 1),
        "history_tokens": round(mean(_each(costs, "history")), 1),
        "items": round(mean(_each(costs, "items")), 1),
        "saved_vs_history": round(1 - injected / history, 4),
        "saved_vs_prose": round(1 - injected / prose, 4),
        "evidence_in_prompt": round(mean(_each(costs, "evidence")), 4),
    }


def _each(costs: list[Cost], name: str) -> Iterator[float]:
    return (float(getattr(cost, name)) for cost in costs)
