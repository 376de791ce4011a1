"""Built-in embeddings with 256 dimensions by WordLlama's word vectors; no network, no key."""

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
    # Imported here, because it takes half a second that most commands do not need.
    import wordllama

    # The wheel contains weights and tokenizer, but looks for the tokenizer in a cache folder only.
    return wordllama.WordLlama.load(
        dim=EMBEDDING_DIMENSIONS,
        cache_dir=Path(wordllama.__file__).parent,
        disable_download=True,
    )


def token_vectors(text: str) -> npt.NDArray[np.float32] | None:
    """Return the vectors of a text's tokens as rows; None on a failure, which is logged."""
    # A failure must never prevent storing a memory.
    with best_effort(lambda error: log.warning("not_embedded", error=type(error).__name__)):
        model = _model()
        tokens = model.tokenizer.encode(text, add_special_tokens=False).ids
        return np.asarray(model.embedding[tokens], np.float32)
    return None


def embed(text: str) -> list[float] | None:
    """Return the unit vector of a text; None without a known word or on a failure.

    Callers then store the row without an embedding.
    """
    vector = embed_as_array(text)
    return None if vector is None else vector.tolist()


def embed_as_array(text: str) -> npt.NDArray[np.float32] | None:
    """Return the unit vector of a text as an array, or None."""
    rows = token_vectors(text)
    if rows is None:
        return None
    vector: npt.NDArray[np.float32] = rows.sum(axis=0)
    length = np.linalg.norm(vector)
    # Also for NaN: a zero or invalid vector would break every search.
    return vector / length if length > 1e-6 else None
