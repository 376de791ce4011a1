"""Runs of white space as no more than a reader sees in them, for patterns that look past blanks.

Where places in the text matter, `masking.mask_text` hides long runs instead and keeps the length.
"""

import re

_RUN = re.compile(r"\s{2,}")


def evened(text: str) -> str:
    """The text with each run of white space as one blank, one line end or one empty line."""
    return _RUN.sub(_least, text)


def _least(run: re.Match[str]) -> str:
    return "\n" * min(2, run[0].count("\n")) or " "
