"""A step of an answer: a tool call, its outcome, and both as text."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

from conversations.deletion.derived_texts import ERASED

State = Literal["done", "failed", "asked", "declined", "overtaken"]


@dataclass(frozen=True)
class Step:
    """A step as stored with the answer and shown on the page.

    found: the result in a few words, or why the call failed. state: 'asked' if it waits for the
    user's approval (`arguments` are used then), 'declined' by the user, 'overtaken' by a newer
    request.
    """

    tool: str
    arguments: dict[str, Any]
    state: State
    found: str
    milliseconds: int

    def as_kept(self) -> dict[str, Any]:
        """Return the step as a dict for the JSON column."""
        return asdict(self)

    @classmethod
    def from_kept(cls, kept: dict[str, Any]) -> Self:
        """Return the step from its dict in the JSON column."""
        return cls(**kept)

    @property
    def mark(self) -> str:
        """The digest of tool and arguments that an approval must name, so that only what was shown
        is executed.
        """
        named = json.dumps([self.tool, self.arguments], sort_keys=True)
        return hashlib.sha256(named.encode()).hexdigest()[:16]

    @property
    def is_emptied(self) -> bool:
        """Whether its text was erased."""
        return not self.arguments and self.found == ERASED

    def went(self, state: State, result: str, milliseconds: int) -> Self:
        """Return the step with the state after the user's decision."""
        return replace(self, state=state, found=result, milliseconds=milliseconds)


# --- Wording -------------------------------------------------------------------------------------

RECORDED = "recorded_answer"
"""The tool of a step that says of an answer that nobody wrote it now: it was recorded before."""

# Description of a call: (with search words, without).
_DEEDS = {
    RECORDED: ("Used an answer recorded for this demo",) * 2,
    "find_personal_variables": ("Searched your profile for “{}”", "Looked at your profile"),
    "list_available_personas": ("Looked up the roles",) * 2,
    "read_memory_block": ("Read a memory block",) * 2,
    "update_user_persona_profile_in_db": ("Asked about your work",) * 2,
    "get_conversation_details": ("Looked at a conversation",) * 2,
    "get_conversation_summary": ("Summarised a conversation",) * 2,
    "get_conversations_by_topic": (
        "Searched for conversations about “{}”",
        "Looked through our conversations by topic",
    ),
    "get_topic_statistics": ("Counted how often “{}” came up", "Counted what we talk about"),
    "get_topics_by_conversation": ("Looked up what a conversation was about",) * 2,
    "get_user_conversations": (
        "Searched the list of our conversations for “{}”",
        "Looked at the list of our conversations",
    ),
    "get_upcoming_plans": (
        "Looked up plans for “{}”",
        "Looked up your plans",
    ),
    "memory_export": ("Gathered what I know about you",) * 2,
    "memory_insights": ("Counted what I know about you",) * 2,
    "recall_memories": ("Searched our conversations for “{}”", "Searched our conversations"),
    "recall_memories_with_time": (
        "Searched that time for “{}”",
        "Looked at what was said at that time",
    ),
    "search_memory": ("Searched your memories for “{}”", "Looked at your memories"),
    "search_conversations": ("Searched our conversations for “{}”", "Searched our conversations"),
}
# Steps that need approval: (the question, text when done, text when not done).
_ASKED = {
    "append_memory_block": ("Keep this?", "Kept it", "Not kept"),
    "replace_memory_block": ("Change this?", "Changed it", "Not changed"),
    "forget_fact": ("Forget this?", "Forgotten", "Not forgotten"),
    "forget_message": (
        "Delete this message and its reply?",
        "Message deleted",
        "Message not deleted",
    ),
    "memory_cleanup": ("Tidy up your memories?", "Memories tidied up", "Memories not tidied up"),
}
# Approval of these writes something instead of deleting.
_WRITES = frozenset({"append_memory_block", "replace_memory_block"})
# Arguments that say what to look for, most informative first.
_LOOKED_FOR = ("words", "query", "text", "topic", "about", "title", "slot", "when")
_LONGEST = 60


def deed(step: Step) -> str:
    """Return a description of what was done, tried or asked."""
    if step.tool in _ASKED:
        question, done, not_done = _ASKED[step.tool]
        return {"asked": question, "done": done}.get(step.state, not_done)
    if step.state in ("asked", "declined", "overtaken"):
        return f"Should I go ahead with “{_plain_name(step)}”?"
    if step.tool not in _DEEDS:
        return f"Tried “{_plain_name(step)}”" if step.state == "failed" else _plain_name(step)
    with_words, without = _DEEDS[step.tool]
    looked_for = _looked_for(step)
    return with_words.format(looked_for) if looked_for else without


def takes_away(step: Step) -> bool:
    """Return whether approval would remove something, rather than add."""
    return step.tool not in _WRITES


def outcome(step: Step) -> str:
    """Return the outcome in a word or two."""
    if step.state == "declined" and step.is_emptied:
        return "since deleted"
    words = {
        "failed": "didn’t work",
        "asked": "waiting for you",
        "declined": "not changed",
        "overtaken": "you asked for something else",
    }
    return words.get(step.state, step.found)


def duration(milliseconds: int) -> str:
    """Return a short duration as text with non-breaking spaces."""
    if milliseconds < 1000:
        return "under a second"
    return f"{milliseconds / 1000:.1f}\N{NO-BREAK SPACE}s"


def _looked_for(step: Step) -> str:
    for name in _LOOKED_FOR:
        value = step.arguments.get(name)
        if isinstance(value, str) and value:
            return value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}…"
    return ""


def _plain_name(step: Step) -> str:
    return step.tool.replace("_", " ").strip().capitalize() or "Something"
