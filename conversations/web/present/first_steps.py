"""What an empty page offers somebody who is new: examples of what is remembered."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A message to begin with, and what it shows."""

    label: str
    text: str


EXAMPLES = (
    Example("Tell me something", "I live in Bath and my sister Anna lives in Porto."),
    Example("Ask in another conversation", "Where does my sister live?"),
    Example("Update something", "I moved to Bristol last month."),
    Example("Plan something", "I have a dentist appointment on Friday at 2:30 pm."),
)
