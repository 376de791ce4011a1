"""A small transformer for whole texts: sentence embeddings and trained classifiers.

`texts.onnx` has all-MiniLM-L6-v2 (Apache 2.0) with a low-rank adaptation (LoRA, Hu et al. 2021) and
two layers per task; `training/` makes it, `MODEL_CARD.md` of the reader describes it. onnxruntime
runs it, loaded once per process. Two texts are read together (a cross-encoder), so that "never
touched a cigarette" and "down to five a day" are distinguished.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import structlog

from accounts.support.best_effort import best_effort
from accounts.support.process_cache import once_per_process
from memory.language.reader.network import TOKENIZER, open_session
from memory.language.text.terms import Float32Array

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding

log = structlog.get_logger(__name__)
Texts = str | tuple[str, str]
SENTENCE_DIMENSIONS = 384
MODEL = Path(__file__).with_name("texts.onnx")
TASKS = ("sentences", "pairs", "answers")
"""Classifiers by their place in the network, from 1 on; 0 is the meaning alone."""

# Longer texts are cut, as in the training of the base model; the second is in characters.
_MOST_TOKENS, _MOST_LETTERS = 128, 400
# Texts per run.
_TOGETHER = 32
# Texts whose results are cached (6 MB of vectors).
_MOST_RECENT = 4096
# A separator that occurs in no message.
_BETWEEN = "\0"


def task_of(label: str) -> str:
    """Return the question of a label: "intent" for "intent/joy"; "" for classifiers with one."""
    return label.rpartition("/")[0]


class TextNetwork:
    """The transformer with its tokenizer."""

    def __init__(self, model: Path = MODEL, tokenizer: Path = TOKENIZER) -> None:
        from tokenizers import Tokenizer

        self._session: InferenceSession = open_session(model)
        self._tokenizer: Tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MOST_TOKENS)
        self.labels: dict[str, list[str]] = json.loads(
            self._session.get_modelmeta().custom_metadata_map["labels"]
        )

    def run(self, output: str, texts: Sequence[Texts]) -> Float32Array:
        """Return a row per text or pair: "vectors", or the logits of a task."""
        encodings = self._tokenizer.encode_batch(list(texts))
        task = TASKS.index(output) + 1 if output in TASKS else 0
        # Texts of similar length together need little padding.
        order = sorted(range(len(texts)), key=lambda place: len(encodings[place].ids))
        rows: dict[int, Float32Array] = {}
        for start in range(0, len(order), _TOGETHER):
            places = order[start : start + _TOGETHER]
            inputs = _padded([encodings[place] for place in places])
            (made,) = self._session.run([output], {**inputs, "task": np.array(task)})
            rows |= zip(places, made, strict=True)
        return np.array([rows[place] for place in range(len(texts))], np.float32)


def _padded(encodings: "Sequence[Encoding]") -> dict[str, npt.NDArray[np.int64]]:
    """Return tokens, types (1 in the second text) and mask, each (texts, longest)."""
    shape = (len(encodings), max(len(encoding.ids) for encoding in encodings))
    inputs = {
        name: np.zeros(shape, np.int64)
        for name in ("input_ids", "token_type_ids", "attention_mask")
    }
    for row, encoding in enumerate(encodings):
        size = len(encoding.ids)
        inputs["input_ids"][row, :size] = encoding.ids
        inputs["token_type_ids"][row, :size] = encoding.type_ids
        inputs["attention_mask"][row, :size] = 1
    return inputs


@once_per_process
def text_network() -> TextNetwork:
    """Return this process's network."""
    return TextNetwork()


class RecentVectors:
    """A cache of the vectors used last, by a digest of their text; no texts are stored."""

    def __init__(self, most: int) -> None:
        """Cache the vectors of at most so many texts."""
        self._most = most
        self._vectors: dict[bytes, Float32Array] = {}
        self._lock = threading.Lock()

    def find(
        self, texts: Sequence[str], make: Callable[[list[str]], Iterable[Float32Array]]
    ) -> list[Float32Array]:
        """Return a vector per text; `make` computes unknown ones, zeros on a failure."""
        keys = [_digest(text) for text in texts]
        known = {key: vector for key in keys if (vector := self._vectors.get(key)) is not None}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        known |= zip(new, make(list(new.values())) if new else (), strict=True)
        # Failures are not cached.
        self._put({key: vector for key, vector in known.items() if vector.any()})
        return [known[key] for key in keys]

    def _put(self, used: dict[bytes, Float32Array]) -> None:
        """Mark these vectors as used last, and drop the vectors unused for longest."""
        with self._lock:
            for key in used:
                self._vectors.pop(key, None)
            self._vectors |= used
            for key in list(self._vectors)[: max(0, len(self._vectors) - self._most)]:
                del self._vectors[key]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


_recent = RecentVectors(_MOST_RECENT)


def encode_sentence(text: str) -> Float32Array:
    """Return the unit vector of a text, SENTENCE_DIMENSIONS numbers; zeros on a failure."""
    return np.asarray(encode_sentences([text])[0], np.float32)


def encode_sentences(texts: Sequence[str]) -> Float32Array:
    """Return a unit vector per text, (texts, SENTENCE_DIMENSIONS); zeros on a failure."""
    vectors = _recent.find(texts, lambda new: _rows_or_zeros("vectors", new, SENTENCE_DIMENSIONS))
    return np.array(vectors, np.float32).reshape(-1, SENTENCE_DIMENSIONS)


def _rows_or_zeros(output: str, texts: Sequence[Texts], width: int) -> Float32Array:
    """Return a row per text; zeros if the network failed, so that no message is lost."""
    with best_effort(lambda error: log.warning("texts_not_read", error=type(error).__name__)):
        return text_network().run(output, texts)
    return np.zeros((len(texts), width), np.float32)


@dataclass(frozen=True)
class TextClassifier:
    """A classifier, one of TASKS. It may answer several questions.

    "intent/joy" and "private/ordinary" are labels of two questions; the probabilities of each
    question's labels sum to 1.
    """

    task: str
    recent: RecentVectors = field(default_factory=lambda: RecentVectors(_MOST_RECENT))

    def probabilities(self, texts: Sequence[Texts]) -> list[dict[str, float]]:
        """Return the probability of each label for each text or pair; empty dicts on a failure."""
        keys = [text if isinstance(text, str) else _BETWEEN.join(text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        rows = self.recent.find(
            list(by_key), lambda new: self._shares([_cut(by_key[key]) for key in new])
        )
        known = dict(zip(by_key, rows, strict=True))
        return [
            dict(zip(self.labels, known[key].tolist(), strict=True)) if known[key].any() else {}
            for key in keys
        ]

    @property
    def labels(self) -> list[str]:
        """The labels, grouped by question."""
        return text_network().labels[self.task]

    def _shares(self, texts: Sequence[Texts]) -> Float32Array:
        """Return a row per text: the probability of each label within its question, or zeros."""
        scores = _rows_or_zeros(self.task, texts, len(self.labels))
        if not scores.any():
            return scores
        grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
        questions = [task_of(label) for label in self.labels]
        same = np.equal.outer(questions, questions).astype(np.float32)
        return np.asarray(grown / (grown @ same), np.float32)


def _cut(texts: Texts) -> Texts:
    if isinstance(texts, str):
        return texts[:_MOST_LETTERS]
    return texts[0][:_MOST_LETTERS], texts[1][:_MOST_LETTERS]
