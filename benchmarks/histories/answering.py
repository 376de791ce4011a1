"""What a language model would be given to answer questions about recorded dialogues.

The dialogues of a LoCoMo file are replayed without a model, each by a new person; then each
question is asked in a new conversation a day later, and its prompt is the product's own. The folder
`--out` gets `prompts.jsonl` (id, question, category, prompt; no answers) and `answering.json`: the
share of questions all of whose evidence messages stand whole in the prompt, and the tokens by part.
With `--answers` (lines of {"id", "answer"}) it also gets `to_judge.jsonl`, each answer beside the
right one; with `--judged` (an object of id and a mark from 0 to 1) the mean mark of those answers.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.support.markdown import table
from conversations import prompt, replay
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.replay import Dialogue
from conversations.turns import tool_loop
from evaluation.retrieval import (
    AFTERWARDS,
    Question,
    locomo_pairs,
    locomo_questions,
    somebody,
)
from evaluation.tokens import as_shown
from memory.language.text.token_count import count_tokens

EXAMPLE = Path(__file__).with_name("answering_sample.json")
CATEGORIES = {"1": "several facts", "2": "time", "3": "inference", "4": "one fact"}
QUICK = ("--questions=3",)
_PARTS = ("rules", "tools", "notes", "quotes", "question")


@dataclass(frozen=True)
class Asked:
    """A question with its prompt: how much of the evidence stands whole in it, and its tokens."""

    id: str
    question: Question
    prompt: list[dict[str, Any]]
    evidence: int
    whole: int
    tokens: dict[str, int]

    @property
    def category(self) -> str:
        """What is asked for, in words."""
        return CATEGORIES.get(self.question.kind, self.question.kind)


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("file", type=Path, nargs="?", default=EXAMPLE, metavar="FILE")
    reader.add_argument(
        "--questions", type=int, default=0, help="so many of each dialogue, evenly spread; 0: all"
    )
    reader.add_argument("--answers", type=Path, help="given answers, one JSON object a line")
    reader.add_argument("--judged", type=Path, help="the marks of these answers, by id")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    """The figures; the files are written where a folder is named."""
    asked = [
        each
        for sample, dialogue in locomo_pairs(namespace.file)
        for each in _ask_all(dialogue, _chosen(sample, dialogue, namespace.questions))
    ]
    figures = _figures(asked)
    if namespace.answers:
        figures["answers"] = _judge(asked, namespace)
    if namespace.out:
        namespace.out.mkdir(parents=True, exist_ok=True)
        _write_lines(
            namespace.out / "prompts.jsonl",
            [
                {
                    "id": each.id,
                    "question": each.question.text,
                    "category": each.category,
                    "prompt": each.prompt,
                }
                for each in asked
            ],
        )
        written = json.dumps(figures, ensure_ascii=False, indent=1)
        (namespace.out / "answering.json").write_text(written + "\n", encoding="utf-8")
    yield from _as_tables(figures)


# --- Asking --------------------------------------------------------------------------------------


def _chosen(sample: dict[str, Any], dialogue: Dialogue, most: int) -> list[tuple[int, Question]]:
    """The questions that a dialogue answers with their places, or `most` of them, spread evenly."""
    questions = list(enumerate(locomo_questions(sample, dialogue)))
    if not most or most >= len(questions):
        return questions
    return [questions[place * len(questions) // most] for place in range(most)]


def _ask_all(dialogue: Dialogue, questions: list[tuple[int, Question]]) -> Iterator[Asked]:
    """Replay a dialogue for a person of its own, and ask its questions the day after."""
    with somebody() as user, acting_as(user):
        for _ in replay.play(dialogue, user):
            pass
        said = {
            ":".join(message.client_key.split(":")[-2:]): message.content
            for message in Message.objects.for_user(user.pk)
        }
        for place, question in questions:
            yield _ask(user, f"{dialogue.name}:{place}", question, said)


def _ask(user: User, name: str, question: Question, said: dict[str, str]) -> Asked:
    last = Message.objects.for_user(user.pk).latest("said_at")
    conversation = Conversation.objects.create(user=user)
    draft = NewMessage(Message.Role.USER, question.text, said_at=last.said_at + AFTERWARDS)
    (message,) = append(user, conversation, [draft])
    built = prompt.remembering(message)
    messages = prompt.as_messages(built)
    conversation.delete()
    system = as_shown(messages[0]["content"])
    return Asked(
        id=name,
        question=question,
        prompt=[dict(each) for each in messages],
        evidence=len(question.gold),
        whole=sum(as_shown(said[key]) in system for key in question.gold),
        tokens=_tokens(built, messages),
    )


def _tokens(built: prompt.Prompt, messages: list[Any]) -> dict[str, int]:
    tools = json.dumps([function.as_offered() for function in tool_loop.offered(built)])
    return {
        "rules": count_tokens(messages[0]["content"]) - built.injected.tokens,
        "tools": count_tokens(tools) + count_tokens(tool_loop.RULES),
        "notes": built.injected.tokens - built.injected.quote_tokens,
        "quotes": built.injected.quote_tokens,
        "question": count_tokens(built.question.content),
    }


# --- Figures -------------------------------------------------------------------------------------


def _figures(asked: list[Asked]) -> dict[str, Any]:
    by_category: dict[str, list[Asked]] = defaultdict(list)
    for each in asked:
        by_category[each.category].append(each)
        by_category["all"].append(each)
    return {
        "evidence": {
            name: {
                "questions": len(some),
                "whole": round(mean(each.whole == each.evidence for each in some), 3),
                "messages_whole": round(mean(each.whole / each.evidence for each in some), 3),
            }
            for name, some in sorted(by_category.items())
        },
        "tokens": {
            part: {
                "mean": round(mean(each.tokens[part] for each in asked), 1),
                "most": max(each.tokens[part] for each in asked),
            }
            for part in _PARTS
        },
        "tokens_of_notes_and_quotes": {
            "mean": round(mean(map(_noted, asked)), 1),
            "most": max(map(_noted, asked)),
        },
    }


def _noted(asked: Asked) -> int:
    return asked.tokens["notes"] + asked.tokens["quotes"]


def _judge(asked: list[Asked], namespace: argparse.Namespace) -> dict[str, float]:
    """The mean mark of the answers by category; none without marks."""
    lines = namespace.answers.read_text("utf-8").splitlines()
    answers = {line["id"]: line["answer"] for line in map(json.loads, filter(None, lines))}
    given = [each for each in asked if each.id in answers]
    if namespace.out:
        namespace.out.mkdir(parents=True, exist_ok=True)
        _write_lines(
            namespace.out / "to_judge.jsonl",
            [
                {
                    "id": each.id,
                    "question": each.question.text,
                    "right": each.question.answer,
                    "answer": answers[each.id],
                }
                for each in given
            ],
        )
    marks = json.loads(namespace.judged.read_text("utf-8")) if namespace.judged else {}
    by_category: dict[str, list[float]] = defaultdict(list)
    for each in given:
        if each.id in marks:
            by_category[each.category].append(float(marks[each.id]))
            by_category["all"].append(float(marks[each.id]))
    return {name: round(mean(some), 3) for name, some in sorted(by_category.items())}


def _write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _as_tables(figures: dict[str, Any]) -> Iterator[str]:
    yield table(
        ("questions for", "asked", "all evidence whole", "evidence messages whole"),
        [(name, *row.values()) for name, row in figures["evidence"].items()],
    )
    yield ""
    yield table(
        ("tokens of", "mean", "most"),
        [
            *((name, *row.values()) for name, row in figures["tokens"].items()),
            ("notes and quotes", *figures["tokens_of_notes_and_quotes"].values()),
        ],
    )
    if answers := figures.get("answers"):
        yield ""
        yield table(("answers to", "mean mark"), answers.items())
