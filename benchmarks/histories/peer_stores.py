"""One other store of memories, filled with recorded turns and asked recorded questions.

    python benchmarks/histories/peer_stores.py NAME FILE

runs with the packages of requirements/peers.txt alone. FILE is JSON: `embeddings` (where vectors
come from), `database` (a connection string of PostgreSQL with pgvector), `folder` (to write in) and
`dialogues`, each with `turns` (key and text) and `questions`. Prints JSON: for each question the
keys of the ten best turns, and how many milliseconds it took with the vector of the question.
"""

import json
import os
import sys
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from small_embeddings import MODEL, PASSAGE, QUERY

DIMENSIONS = 384
BEST = 10
Turns = Sequence[Sequence[str]]
# Fills a store with the turns of one dialogue, and returns how it is asked: the keys of the best.
Fill = Callable[[str, Turns], Callable[[str], list[str]]]


class Embeddings:
    """Vectors of the server that everybody in the comparison asks."""

    def __init__(self, url: str) -> None:
        self._url = f"{url}/embeddings"

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector a text that is kept."""
        made: list[list[float]] = []
        for start in range(0, len(texts), 64):
            made += self._ask([PASSAGE + text for text in texts[start : start + 64]])
        return made

    def query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self._ask([QUERY + text])[0]

    def _ask(self, texts: list[str]) -> list[list[float]]:
        body = json.dumps({"model": MODEL, "input": texts}).encode()
        request = urllib.request.Request(self._url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return [each["embedding"] for each in json.load(answer)["data"]]


@contextmanager
def chroma(embeddings: Embeddings, given: dict[str, Any]) -> Iterator[Fill]:
    import chromadb

    client = chromadb.PersistentClient(
        f"{given['folder']}/chroma", chromadb.Settings(anonymized_telemetry=False)
    )

    def fill(name: str, turns: Turns) -> Callable[[str], list[str]]:
        kept = client.create_collection(name, metadata={"hnsw:space": "cosine"})
        texts = [text for _, text in turns]
        kept.add(
            ids=[key for key, _ in turns],
            documents=texts,
            embeddings=embeddings.passages(texts),
        )
        return lambda question: kept.query(
            query_embeddings=[embeddings.query(question)], n_results=BEST
        )["ids"][0]

    yield fill


@contextmanager
def sqlite_vec(embeddings: Embeddings, given: dict[str, Any]) -> Iterator[Fill]:
    import apsw
    import sqlite_vec as extension

    connection = apsw.Connection(f"{given['folder']}/vectors.db")
    connection.enable_load_extension(True)
    connection.load_extension(extension.loadable_path())

    def fill(name: str, turns: Turns) -> Callable[[str], list[str]]:
        connection.execute(
            f"create virtual table {name} using vec0(key text primary key,"
            f" vector float[{DIMENSIONS}] distance_metric=cosine)"
        )
        vectors = embeddings.passages([text for _, text in turns])
        rows = zip(turns, vectors, strict=True)
        with connection:
            connection.executemany(
                f"insert into {name} values (?, ?)",
                [(key, extension.serialize_float32(vector)) for (key, _), vector in rows],
            )

        def ask(question: str) -> list[str]:
            vector = extension.serialize_float32(embeddings.query(question))
            rows = connection.execute(
                f"select key from {name} where vector match ? and k = {BEST} order by distance",
                (vector,),
            )
            return [key for (key,) in rows]

        return ask

    yield fill


@contextmanager
def langgraph(embeddings: Embeddings, given: dict[str, Any]) -> Iterator[Fill]:
    from langchain_core.embeddings import Embeddings as Interface
    from langgraph.store.base import PutOp
    from langgraph.store.postgres import PostgresStore

    class Ours(Interface):  # type: ignore[misc]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return embeddings.passages(texts)

        def embed_query(self, text: str) -> list[float]:
            return embeddings.query(text)

    index = {"dims": DIMENSIONS, "embed": Ours(), "fields": ["text"]}
    with PostgresStore.from_conn_string(given["database"], index=index) as store:
        store.setup()

        def fill(name: str, turns: Turns) -> Callable[[str], list[str]]:
            place = ("memories", name)
            for start in range(0, len(turns), 64):
                store.batch(
                    [PutOp(place, key, {"text": text}) for key, text in turns[start : start + 64]]
                )
            return lambda question: [
                item.key for item in store.search(place, query=question, limit=BEST)
            ]

        yield fill


@contextmanager
def mem0(embeddings: Embeddings, given: dict[str, Any]) -> Iterator[Fill]:
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": f"{given['folder']}/mem0"}
    from mem0 import Memory
    from mem0.embeddings.base import EmbeddingBase

    class Ours(EmbeddingBase):  # type: ignore[misc]
        def embed(self, text: str, memory_action: str | None = None) -> list[float]:
            is_query = memory_action == "search"
            return embeddings.query(text) if is_query else embeddings.passages([text])[0]

    # With infer off no language model is asked; it wants a key all the same.
    nothing = {"api_key": "none", "openai_base_url": "http://127.0.0.1:9/v1"}
    vectors = {"path": f"{given['folder']}/qdrant", "embedding_model_dims": DIMENSIONS}
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": vectors | {"on_disk": True}},
            "embedder": {"provider": "openai", "config": {"api_key": "none"}},
            "llm": {"provider": "openai", "config": nothing},
            "history_db_path": f"{given['folder']}/history.db",
        }
    )
    memory.embedding_model = Ours()

    def fill(name: str, turns: Turns) -> Callable[[str], list[str]]:
        for key, text in turns:
            memory.add(text, user_id=name, metadata={"key": key}, infer=False)

        def ask(question: str) -> list[str]:
            # Nothing is too far to be among the best, as with the others.
            matches = memory.search(question, top_k=BEST, threshold=0.0, filters={"user_id": name})
            return [each["metadata"]["key"] for each in matches["results"]]

        return ask

    yield fill


STORES = {"mem0": mem0, "LangGraph": langgraph, "Chroma": chroma, "sqlite-vec": sqlite_vec}


def main() -> None:
    """Measure one store, named on the command line."""
    name, file = sys.argv[1:]
    given = json.loads(Path(file).read_text(encoding="utf-8"))
    embeddings = Embeddings(given["embeddings"])
    ranked: list[list[str]] = []
    milliseconds: list[float] = []
    with STORES[name](embeddings, given) as fill:
        for place, dialogue in enumerate(given["dialogues"]):
            ask = fill(f"dialogue_{place}", dialogue["turns"])
            for question in dialogue["questions"]:
                began = perf_counter()
                ranked.append(ask(question))
                milliseconds.append((perf_counter() - began) * 1000)
    print(json.dumps({"ranked": ranked, "milliseconds": milliseconds}))


if __name__ == "__main__":
    main()
