"""Meaning as 256 numbers, made on this machine by WordLlama's word vectors; no network, no key."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import structlog

from accounts.support.best_effort import best_effort
from accounts.support.process_cache import once_per_process
from memory.language.text import EMBEDDING_DIMENSIONS

if TYPE_CHECKING:
    from wordllama.inference import WordLlamaInference

log = structlog.get_logger(__name__)
MODEL_NAME = "wordllama-l2-supercat-256"


@once_per_process
def _model() -> "WordLlamaInference":
    # Imported here: loading costs half a second that most commands need not pay.
    import wordllama

    # The wheel brings weights and tokenizer, but looks for the latter in a cache folder only.
    return wordllama.WordLlama.load(
        dim=EMBEDDING_DIMENSIONS,
        cache_dir=Path(wordllama.__file__).parent,
        disable_download=True,
    )


def token_vectors(text: str) -> npt.NDArray[np.float32] | None:
    """Return the model's vectors of a text's pieces, a row each; None, and a log line, where it
    fails.
    """
    # No kind of failure here may cost a person a note.
    with best_effort(lambda error: log.warning("not_embedded", error=type(error).__name__)):
        model = _model()
        tokens = model.tokenizer.encode(text, add_special_tokens=False).ids
        return np.asarray(model.embedding[tokens], np.float32)
    return None


def embed(text: str) -> list[float] | None:
    """Return the unit vector of a text, or None for a text without a known word.

    An embedding is an aid to finding, never a condition of keeping: on any failure the caller
    stores the row without one.
    """
    vector = embed_as_array(text)
    return None if vector is None else vector.tolist()


def embed_as_array(text: str) -> npt.NDArray[np.float32] | None:
    """Return the unit vector of a text as an array."""
    rows = token_vectors(text)
    if rows is None:
        return None
    vector: npt.NDArray[np.float32] = rows.sum(axis=0)
    length = np.linalg.norm(vector)
    # NaN compares false too: a zero or broken vector would spoil every search it meets.
    return vector / length if length > 1e-6 else None
