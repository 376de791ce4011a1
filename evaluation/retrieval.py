"""Retrieval quality: how much of what was said is found again, on public annotated dialogues.

Each dialogue is written by the production code (messages stored, passages indexed) for a temporary
user; each question goes through the production retrieval; then the transaction is rolled back.

If an embedding server is configured (EMBEDDING_BASE_URL), its embeddings are used too.

recall@k is the share of a question's gold items among the first k, averaged over questions; MRR is
the mean of 1/rank of the first gold item, 0 beyond DEPTH. Shares are from 0 to 1.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.database.ids import new_id
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import replay
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.replay import BETWEEN_TURNS, Dialogue
from conversations.search.message_recall import as_said_message
from evaluation.measuring import Progress, Result, fitting, mean, read_json, reading
from memory.retrieval.embedding_endpoint import endpoint_is_configured
from memory.retrieval.passage_index import index_messages
from memory.retrieval.passage_search import search_passages
from memory.retrieval.passage_vectors import embed_some, prepare_model

# How many passages are retrieved: ranks beyond count as not found.
DEPTH = 100
# For data sets that count sessions: enough passages to contain enough sessions.
SESSION_DEPTH = 400
# Questions about a finished dialogue are asked the day after its last turn.
AFTERWARDS = timedelta(days=1)
# The date of recordings without any date.
SOME_DAY = datetime(2024, 1, 1, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Question:
    """A question with the keys of the turns (or sessions) that answer it."""

    text: str
    kind: str
    gold: frozenset[str]
    answer: str = ""


@dataclass(frozen=True)
class Line:
    """A recorded turn: its id in the data set, and the stored text."""

    key: str
    text: str
    at: datetime
    by_user: bool
    speaker: str = ""


@dataclass(frozen=True)
class Session:
    """A group of turns, and the questions asked before them."""

    key: str
    lines: list[Line]
    questions: list[Question] = field(default_factory=list)


@dataclass(frozen=True)
class Recording:
    """The sessions of one user, and the questions asked after all of them."""

    name: str
    sessions: list[Session]
    questions: list[Question] = field(default_factory=list)


@dataclass(frozen=True)
class Ranked:
    """The ranks of a question's gold items, from 1; None if not found."""

    kind: str
    ranks: tuple[int | None, ...]

    def recall(self, k: int) -> float:
        """Return the share of gold items among the first k."""
        return sum(rank is not None and rank <= k for rank in self.ranks) / len(self.ranks)

    def reciprocal(self) -> float:
        """Return 1/rank of the first gold item, or 0."""
        return max((1 / rank for rank in self.ranks if rank), default=0.0)

    def gain(self, k: int) -> float:
        """Return nDCG@k with equal weights of all gold items."""
        got = sum(1 / math.log2(rank + 1) for rank in self.ranks if rank and rank <= k)
        return got / sum(1 / math.log2(position + 2) for position in range(min(k, len(self.ranks))))


def evaluate(data: Path, progress: Progress) -> Result:
    """Measure retrieval on the data sets below `data`; missing ones are listed as skipped."""
    result: Result = {"skipped": []}
    for name, read, by_session in (
        ("locomo", _locomo, False),
        ("beam", _beam, False),
        ("realmem", _realmem, True),
    ):
        recordings = list(read(data / name)) if (data / name).is_dir() else []
        if not recordings:
            result["skipped"].append(name)
            continue
        ranked: list[Ranked] = []
        for position, recording in enumerate(recordings):
            progress(position, len(recordings), f"{name}: {recording.name}")
            ranked += ask_all(recording, by_session=by_session)
        result[name] = _summary(name, ranked)
    return result


def ask_all(recording: Recording, *, by_session: bool) -> list[Ranked]:
    """Store a recording for a temporary user, and ask its questions, each at its time."""
    found: list[Ranked] = []
    with somebody() as user, acting_as(user):
        keys: dict[UUID, str] = {}
        last = SOME_DAY
        for session in [*recording.sessions, Session("afterwards", [], recording.questions)]:
            at = session.lines[0].at if session.lines else last + AFTERWARDS
            found += [_ask(user, q, at, keys, by_session=by_session) for q in session.questions]
            keys |= play_session(user, session, by_session=by_session)
            last = session.lines[-1].at if session.lines else last
    return found


@contextmanager
def somebody() -> Iterator[User]:
    """Context manager with a temporary user, in a transaction that is rolled back."""
    with transaction.atomic():
        yield User.objects.create_user(f"evaluation-{new_id()}@throughline.invalid")
        transaction.set_rollback(True)


def play_session(user: User, session: Session, *, by_session: bool) -> dict[UUID, str]:
    """Store and index a session's turns; return the data set's id of each message."""
    if not session.lines:
        return {}
    first = session.lines[0].at
    conversation = Conversation.objects.create(user=user, started_at=first, last_at=first)
    messages = append(user, conversation, [_draft(line) for line in session.lines])
    index_messages([as_said_message(message) for message in messages])
    if endpoint_is_configured():
        model = prepare_model()
        while embed_some(user.pk, model, Message.objects.for_user):
            pass
    return {
        message.pk: session.key if by_session else line.key
        for message, line in zip(messages, session.lines, strict=True)
    }


def _draft(line: Line) -> NewMessage:
    role = Message.Role.USER if line.by_user else Message.Role.ASSISTANT
    return NewMessage(role, line.text, author=line.speaker, said_at=line.at)


def _ask(
    user: User, question: Question, at: datetime, keys: dict[UUID, str], *, by_session: bool
) -> Ranked:
    depth = SESSION_DEPTH if by_session else DEPTH
    hits = search_passages(user.pk, question.text, k=depth, asked_at=at)
    # The rank of a session is that of its best turn.
    order = list(dict.fromkeys(keys[hit.message_id] for hit in hits))
    places = {key: position for position, key in enumerate(order, start=1)}
    return Ranked(question.kind, tuple(places.get(key) for key in sorted(question.gold)))


# --- Figures -------------------------------------------------------------------------------------

# Excluded: the gold items are the other speaker's, so finding them shows nothing.
_APART = {"locomo": "5"}
# Questions that need two contradicting messages.
_TWO_SIDED = ("contradiction_resolution", "knowledge_update")


def _summary(name: str, ranked: list[Ranked]) -> Result:
    apart = [one for one in ranked if one.kind == _APART.get(name)]
    counted = [one for one in ranked if one.kind != _APART.get(name)]
    by_kind = defaultdict(list)
    for one in counted:
        by_kind[one.kind].append(one)
    figures = _figures(counted)
    figures["by_kind"] = {kind: _figures(some) for kind, some in sorted(by_kind.items())}
    if apart:
        figures["apart"] = {_APART[name]: _figures(apart)}
    if name == "beam":
        figures["both_sides@10"] = {
            kind: mean([float(one.recall(10) == 1) for one in by_kind[kind]])
            for kind in _TWO_SIDED
            if by_kind[kind]
        }
    return figures


def _figures(ranked: Sequence[Ranked]) -> Result:
    return {
        "questions": len(ranked),
        **{f"recall@{k}": mean([one.recall(k) for one in ranked]) for k in (5, 10, 20)},
        "ndcg@10": mean([one.gain(10) for one in ranked]),
        "mrr": mean([one.reciprocal() for one in ranked]),
    }


# --- Data sets -----------------------------------------------------------------------------------


def _locomo(folder: Path) -> Iterator[Recording]:
    """Yield conversations of two people over months; malformed evidence is repaired."""
    for path in sorted(folder.glob("*.json")):
        with reading(path):
            found = [_locomo_recording(*pair) for pair in locomo_pairs(path)]
        yield from found


def locomo_pairs(path: Path) -> list[tuple[dict[str, Any], Dialogue]]:
    """Return each sample of a file with its dialogue. Raises Unreadable."""
    with reading(path):
        return list(zip(read_json(path), replay.load(path), strict=True))


def _locomo_recording(sample: dict[str, Any], dialogue: Dialogue) -> Recording:
    sessions = [
        Session(session.title, [line_of(turn) for turn in session.turns])
        for session in dialogue.sessions
    ]
    there = {line.key for session in sessions for line in session.lines}
    return Recording(dialogue.name, sessions, _locomo_questions(sample, there))


def locomo_questions(sample: dict[str, Any], dialogue: Dialogue) -> list[Question]:
    """Return the questions that the dialogue itself answers, categories 1 to 4."""
    there = {line_of(turn).key for session in dialogue.sessions for turn in session.turns}
    questions = _locomo_questions(sample, there)
    return [question for question in questions if question.kind != _APART["locomo"]]


def _locomo_questions(sample: dict[str, Any], there: set[str]) -> list[Question]:
    questions = [_locomo_question(entry, there) for entry in sample["qa"]]
    return [question for question in questions if question.gold]


def line_of(turn: replay.Turn) -> Line:
    """Return a turn of LoCoMo, with the end of its key as id."""
    key = ":".join(turn.key.split(":")[-2:])
    return Line(key, turn.text, turn.at, turn.by_user, turn.speaker)


def _locomo_question(entry: dict[str, Any], there: set[str]) -> Question:
    named = re.findall(r"D:?(\d+):(\d+)", " ".join(entry.get("evidence", [])))
    keys = {f"D{int(session)}:{int(turn)}" for session, turn in named}
    return Question(
        entry["question"],
        str(entry["category"]),
        frozenset(keys & there),
        str(entry.get("answer", "")),
    )


def _beam(folder: Path) -> Iterator[Recording]:
    """Yield long chats with an assistant; gold items are message ids, questions test ten skills."""
    chats = (folder / "100K").glob("*/chat.json")
    for path in sorted(chats, key=lambda p: (len(p.parent.name), p.parent.name)):
        yield _beam_recording(path)


def _beam_recording(path: Path) -> Recording:
    with reading(path):
        sessions = list(_beam_sessions(read_json(path)))
    there = {line.key for session in sessions for line in session.lines}
    probing = path.parent / "probing_questions.json"
    with reading(probing):
        questions = [
            Question(entry["question"], kind, frozenset(_ids(entry.get("source_chat_ids"))) & there)
            for kind, entries in read_json(probing).items()
            for entry in entries
        ]
    return Recording(path.parent.name, sessions, [q for q in questions if q.gold])


def _beam_sessions(batches: list[dict[str, Any]]) -> Iterator[Session]:
    at = SOME_DAY
    for batch in batches:
        lines: list[Line] = []
        for message in (message for turns in batch["turns"] for message in turns):
            at = _beam_time(message) or at + BETWEEN_TURNS
            # Remove the generator's notes at the end of a message.
            text = fitting(re.sub(r"\s*->->\s*[\d,\s]*$", "", message["content"]))
            lines.append(Line(str(message["id"]), text, at, message["role"] == "user"))
        yield Session(str(batch.get("batch_number")), lines)


def _beam_time(message: dict[str, Any]) -> datetime | None:
    """Return a time given as 'March-15-2024'; None if invalid."""
    try:
        return datetime.strptime(message["time_anchor"], "%B-%d-%Y").replace(hour=9, tzinfo=UTC)
    except (KeyError, TypeError, ValueError):
        return None


def _ids(source: Any) -> Iterator[str]:
    """Yield every message id in a list, or in the lists of a dict."""
    for entry in source.values() if isinstance(source, dict) else source or ():
        if isinstance(entry, list | dict):
            yield from _ids(entry)
        elif str(entry).isdigit():
            yield str(entry)


def _realmem(folder: Path) -> Iterator[Recording]:
    """Yield a user's sessions by date; each question is asked before its session."""
    for path in sorted(folder.glob("*.json")):
        sessions: list[Session] = []
        with reading(path):
            for talk in read_json(path)["dialogues"]:
                earlier = {session.key for session in sessions}
                sessions.append(_realmem_session(talk, earlier))
        yield Recording(path.stem, sessions)


def _realmem_session(talk: dict[str, Any], earlier: set[str]) -> Session:
    day = datetime.fromisoformat(talk["current_time"][:10]).date()
    at = datetime.combine(day, time(9), UTC)
    turns = talk["dialogue_turns"]
    lines = [
        Line("", fitting(turn["content"]), at + position * BETWEEN_TURNS, turn["speaker"] == "User")
        for position, turn in enumerate(turns)
    ]
    questions = []
    for turn, answer in pairwise(turns):
        used = {str(key) for key in answer.get("memory_session_uuids") or ()}
        used |= {str(memory.get("session_uuid")) for memory in answer.get("memory_used") or ()}
        if turn.get("is_query") and used & earlier:
            questions.append(
                Question(turn["content"], str(turn.get("category_name")), frozenset(used & earlier))
            )
    return Session(str(talk["session_uuid"]), lines, questions)
