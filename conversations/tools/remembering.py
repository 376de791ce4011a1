"""Tools that save, change or end facts and memories at the user's request.

Like all operations of a model (`memory.operations`) they are checked: the quoted words must be the
user's, in the message that is being answered. Refusals give the reason, so that the answer does not
claim that something was saved.
"""

from typing import Literal
from uuid import UUID

from pydantic import Field

from conversations.learning import noting
from conversations.models import Message
from conversations.tools import visibility
from conversations.tools.tool import Arguments, NotThere, Result, Tool, ToolContext, ToolRefused
from memory.operations.schema import Operation, Quote

_WHY = {
    "malformed": "The value or text is missing or too long.",
    "no such target": "No fact or memory has this id; search_memory returns the ids.",
    "not the person's": "The person did not say that in the message you answer.",
    "not said": "These are not the person's words: quote them exactly.",
    "told in confidence": "It was said in confidence, so it stays in this conversation.",
    "a secret": "Passwords, keys and card numbers are never saved.",
    "an order": "Instructions to the assistant are not saved as memories.",
    "older than what it changes": "The saved fact or memory is more recent than this.",
    "impossible day": "The day cannot be right.",
    "too unsure": "It is too uncertain to be saved.",
}


class Remembered(Result):
    """The outcome; `state` is active, waits (for approval) or stays (in this conversation)."""

    state: Literal["active", "waits", "stays"]
    text: str

    def in_words(self) -> str:
        """Return the result in words: 'noted', 'stays in this conversation'."""
        return {
            "active": "noted",
            "waits": "waiting for the person's approval",
            "stays": "stays in this conversation",
        }[self.state]


class RememberArguments(Arguments):
    """A fact (slot and value) or a memory to save."""

    quote: str = Field(description="The person's words in this message, copied exactly.")
    text: str = Field(
        "", description="For a memory: one plain sentence that can be understood on its own."
    )
    slot: str = Field(
        "", description="For a fact: its slot, such as name, employer, location, likes or diet."
    )
    value: str = Field("", description="For a fact: its value, as short as possible.")


class UpdateArguments(Arguments):
    """A known item, and its new value."""

    id: UUID = Field(description="Id of a fact or memory, as returned by a search.")
    quote: str = Field(description="The person's words in this message, copied exactly.")
    value: str = Field(
        "", description="New value of the fact, or new text of the memory; empty if it has ended."
    )
    reason: Literal["change", "correction", "refinement", "over"] = Field(
        "change",
        description="change: it was true until now. correction: it was never true. refinement:"
        " it is told more exactly. over: it is no longer true.",
    )


def remember(context: ToolContext, arguments: RememberArguments) -> Remembered:
    """Save a fact or a memory."""
    return _carry_out(
        context, "add", arguments.quote, slot=arguments.slot or "none", value=arguments.value,
        text=arguments.text,
    )  # fmt: skip


def update(context: ToolContext, arguments: UpdateArguments) -> Remembered:
    """Supersede or end a known fact or memory."""
    if arguments.reason == "over" or not arguments.value:
        return _carry_out(context, "end", arguments.quote, target=arguments.id)
    return _carry_out(
        context, "update", arguments.quote, target=arguments.id, value=arguments.value,
        text=arguments.value, reason=arguments.reason,
    )  # fmt: skip


def _carry_out(
    context: ToolContext,
    op: str,
    quote: str,
    *,
    target: UUID | None = None,
    slot: str = "none",
    value: str = "",
    text: str = "",
    reason: str = "none",
) -> Remembered:
    message = _asking(context)
    operation = Operation(
        op=op, target="", slot=slot, value=value, text=text, category="fact", reason=reason, day="",
        since="", scope="everywhere", sensitive="none", confidence=1.0,
        quotes=[Quote(line=noting.LINE, words=quote)],
    )  # fmt: skip
    noted = noting.note(message, operation, target)
    if noted.refused:
        raise ToolRefused(_WHY.get(noted.refused, "It cannot be saved."))
    if noted.text:
        return Remembered(state="waits" if noted.waits else "active", text=noted.text)
    return Remembered(state="stays", text=value or text)


def _asking(context: ToolContext) -> Message:
    """Return the user's message that is being answered. Raises NotThere if there is none."""
    rows = visibility.messages(context).filter(role=Message.Role.USER)
    message = rows.filter(pk=context.message_id).first() if context.message_id else None
    if message is None:
        raise NotThere("There is no message in which the person asks for this.")
    return message


TOOLS = (
    Tool(
        name="remember",
        purpose="Save what the person asks you to remember in this message.",
        arguments=RememberArguments,
        run=remember,
    ),
    Tool(
        name="update_memory",
        purpose="Change a fact or memory that the person says has changed or ended.",
        arguments=UpdateArguments,
        run=update,
    ),
)
