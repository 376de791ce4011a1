"""Word lists: the closed classes that patterns alone cannot know, a text file a list."""

from pathlib import Path


def load_lexicon(name: str) -> frozenset[str]:
    """The entries of `name`.txt: lower case, separated by commas, in one line or several."""
    text = Path(__file__).with_name(f"{name}.txt").read_text("utf-8")
    return frozenset(entry for part in text.split(",") if (entry := " ".join(part.split())))
