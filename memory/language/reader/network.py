"""The reader's network, run by onnxruntime: text in, marked values and sentences out.

The model is `reader.onnx`, described in `MODEL_CARD.md` and made by `training/`. Its metadata name
its labels. It is loaded once per process, when the first text is read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memory.language.reader.decoding import Floats, Names, Span, decode_spans, sigmoid, softmax

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

MODEL = Path(__file__).with_name("reader.onnx")
TOKENIZER = Path(__file__).with_name("tokenizer.json")

MOST_TOKENS = 128
"""Tokens of one pass, with the context before the text."""
MOST_CONTEXT = 40
"""Tokens of the context that are read, its last."""
_CLS, _SEP = 101, 102


def open_session(model: Path) -> InferenceSession:
    """Return a network that is ready to run, on one thread of the calling process."""
    # Read when it is imported. Without it, it gives the machine an id and reports each use.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # More threads would take processor time from other requests.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The arena grows with the longest text and is never freed.
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


@dataclass(frozen=True)
class ReadSentence:
    """A sentence, characters [start, end) of its text, with the network's judgements.

    `kind` is the most probable kind (see `training/README.md`). Probabilities: `kind_probability`;
    `worth`, that it is worth storing; `change`, that it says something changed; `private` by
    private matter; `alone`, that it can be understood by itself.
    """

    start: int
    end: int
    kind: str
    kind_probability: float
    worth: float
    change: float
    private: dict[str, float]
    alone: float


@dataclass(frozen=True)
class ReadText:
    """The network's reading of a text."""

    sentences: tuple[ReadSentence, ...]
    spans: tuple[Span, ...]

    def spans_in(self, start: int, end: int) -> tuple[Span, ...]:
        """Return the values that begin in characters [start, end)."""
        return tuple(span for span in self.spans if start <= span.start < end)

    def sentence_at(self, position: int) -> ReadSentence | None:
        """Return the sentence that contains a character; None if there is none."""
        return next((s for s in self.sentences if s.start <= position < s.end), None)


@dataclass(frozen=True)
class _Pass:
    """The input of one run: some sentences after their context."""

    ids: list[int]
    types: list[int]
    lead: int
    """Tokens before the first of the sentences."""
    offsets: list[tuple[int, int]]
    """Characters of each token of the sentences in the whole text."""
    sentences: list[tuple[int, int]]


class Network:
    """The reader's model with its tokenizer."""

    def __init__(self, model: Path = MODEL, tokenizer: Path = TOKENIZER) -> None:
        from tokenizers import Tokenizer

        self._session = open_session(model)
        self._tokenizer: Tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        meta = json.loads(self._session.get_modelmeta().custom_metadata_map["labels"])
        self._names = Names(meta["tags"], meta["statuses"])
        self.kinds: list[str] = meta["kinds"]
        self.private: list[str] = meta["private"]
        self.pair_labels: list[str] = meta["pairs"]

    def read(self, text: str, sentences: Sequence[tuple[int, int]], context: str = "") -> ReadText:
        """Return the reading of a text, in one run per hundred tokens or so.

        `sentences` are its sentences as [start, end); `context` is the text said just before it.
        """
        read_sentences: list[ReadSentence] = []
        spans: list[Span] = []
        for batch in self._passes(text, sentences, context):
            tags, statuses, sentence_rows = self._run(batch.ids, batch.types)[:3]
            rows = slice(batch.lead, batch.lead + len(batch.offsets))
            spans += decode_spans(text, batch.offsets, tags[rows], statuses[rows], self._names)
            read_sentences += self._sentences(batch, sentence_rows[rows])
        return ReadText(tuple(read_sentences), tuple(spans))

    def _run(self, ids: list[int], types: list[int]) -> list[Floats]:
        inputs = {
            "input_ids": np.array([ids], np.int64),
            "token_type_ids": np.array([types], np.int64),
            "attention_mask": np.ones((1, len(ids)), np.int64),
        }
        return [output[0].astype(np.float32) for output in self._session.run(None, inputs)]

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(text, add_special_tokens=False)

    def _passes(
        self, text: str, sentences: Sequence[tuple[int, int]], context: str
    ) -> Iterator[_Pass]:
        """Yield batches of whole sentences that fit, each with the text before as context.

        A sentence that is too long is cut.
        """
        before = self._encode(context).ids[-MOST_CONTEXT:] if context else []
        ids: list[int] = []
        offsets: list[tuple[int, int]] = []
        bounds: list[tuple[int, int]] = []
        for start, end in sentences:
            encoding = self._encode(text[start:end])
            room = MOST_TOKENS - 3 - len(before)
            own = encoding.ids[: MOST_TOKENS - 3 - MOST_CONTEXT]
            if ids and len(ids) + len(own) > room:
                yield _whole(before, ids, offsets, bounds)
                before, ids, offsets, bounds = ids[-MOST_CONTEXT:], [], [], []
            ids = [*ids, *own]
            places = encoding.offsets[: len(own)]
            offsets = [*offsets, *((left + start, right + start) for left, right in places)]
            bounds = [*bounds, (start, end)]
        if ids:
            yield _whole(before, ids, offsets, bounds)

    def _sentences(self, batch: _Pass, rows: Floats) -> Iterator[ReadSentence]:
        kinds = len(self.kinds)
        for start, end in batch.sentences:
            inside = [n for n, (left, right) in enumerate(batch.offsets) if start <= left < end]
            if not inside:
                continue
            mean = rows[inside].mean(0)
            kind, flags = softmax(mean[:kinds]), sigmoid(mean[kinds:])
            best = int(kind.argmax())
            yield ReadSentence(
                start, end, self.kinds[best], float(kind[best]), float(flags[0]), float(flags[1]),
                dict(zip(self.private, flags[2:-1].tolist(), strict=True)), float(flags[-1]),
            )  # fmt: skip


def _whole(
    before: list[int],
    ids: list[int],
    offsets: list[tuple[int, int]],
    bounds: list[tuple[int, int]],
) -> _Pass:
    lead = [_CLS, *before, _SEP] if before else [_CLS]
    types = [1] * (len(lead) if before else 0) + [0] * (len(ids) + 1 + (not before))
    return _Pass([*lead, *ids, _SEP], types, len(lead), offsets, bounds)


@lru_cache(maxsize=1)
def network() -> Network:
    """Return this process's network."""
    return Network()
