"""What several tests of reading share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.language.text import transformer


@pytest.fixture
def no_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The weights of the transformer are not there."""
    transformer.weights.cache_clear()
    with monkeypatch.context() as gone:
        gone.setattr(transformer, "_folder", lambda: tmp_path)
        yield
    transformer.weights.cache_clear()
