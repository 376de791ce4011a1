"""What several tests of reading share."""

from unittest.mock import Mock

import pytest

from memory.language.text.text_network import TextNetwork


@pytest.fixture
def no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network of texts cannot be run."""
    monkeypatch.setattr(TextNetwork, "run", Mock(side_effect=FileNotFoundError))
