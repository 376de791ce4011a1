"""What a page says of something that the worker does with a file that was brought."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ProgressWords:
    """Its title, what else to know, the part at hand; `label` names the bar for who hears it.

    `cancelling` says what is cancelled, '' where it is too late.
    """

    title: str
    note: str
    label: str
    cancelling: str = ""
    part: str = ""
