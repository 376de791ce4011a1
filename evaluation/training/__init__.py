"""Training what reads texts, from the examples in `evaluation/examples`."""

from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"
