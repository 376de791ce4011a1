"""Examples of messages for new users, shown on an empty page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """An example message, and what it demonstrates."""

    label: str
    text: str


EXAMPLES = (
    Example("Tell me something", "I live in Bath and my sister Anna lives in Porto."),
    Example("Ask in another conversation", "Where does my sister live?"),
    Example("Update something", "I moved to Bristol last month."),
    Example("Plan something", "I have a dentist appointment on Friday at 2:30 pm."),
)
