"""The tool that deletes a turn after the user's approval."""

from typing import Any
from uuid import UUID

from pydantic import Field

from accounts.models import User
from conversations.deletion import message_deletion
from conversations.models import Message
from conversations.tools import visibility
from conversations.tools.arguments import OptionalId
from conversations.tools.tool import Arguments, NotThere, Result, Tool, ToolContext, ToolRefused

_SHOWN = 2_000
# How many messages back to look for the last statement.
_LOOKED_BACK = 50


class TakenOut(Result):
    """The deleted turn: its text, and what was learned only from it. `arguments` are the tool
    arguments of exactly this call. It cannot be undone.
    """

    done: bool
    arguments: dict[str, Any]
    id: UUID
    number: int
    text: str
    learned: list[str]

    def in_words(self) -> str:
        """Return the result in words: 'message 3 would be deleted', 'message 3 deleted'."""
        return f"message {self.number} {'deleted' if self.done else 'would be deleted'}"


class DeleteTurnArguments(Arguments):
    """The message to delete."""

    message_id: OptionalId = Field(
        None,
        description="Id of a message, as returned by a search. Leave it out for the last thing the "
        "person said before this message.",
    )


def would_take_out(context: ToolContext, arguments: DeleteTurnArguments) -> TakenOut:
    """Return what would be deleted; nothing is changed."""
    message = _get_message(context, arguments.message_id)
    deletion = message_deletion.preview(_owner(context), message_deletion.turn_of(message))
    return TakenOut(
        done=False,
        arguments={"message_id": str(message.pk)},
        id=message.pk,
        number=message.number,
        text=_short(message.content),
        learned=[_short(item.words) for item in deletion.learned.items],
    )


def take_out(context: ToolContext, arguments: DeleteTurnArguments) -> TakenOut:
    """Delete the turn and everything that was learned only from it."""
    preview = would_take_out(context, arguments)
    message = _get_message(context, preview.id)
    try:
        message_deletion.remove_turn(_owner(context), message, message_deletion.everything)
    except (message_deletion.BeingWritten, message_deletion.NotThere) as refused:
        raise ToolRefused(str(refused)) from None
    return preview.model_copy(update={"done": True})


def _owner(context: ToolContext) -> User:
    return User.objects.get(pk=context.user_id)


def _get_message(context: ToolContext, pk: UUID | None) -> Message:
    message = _find_message(context, pk) if pk else _latest_statement(context)
    if message is None:
        raise NotThere(
            "I can’t find a message with this id. It may already have been deleted; "
            "recall_memories returns the ids."
            if pk
            else "The person said nothing before this in this conversation."
        )
    return message


def _find_message(context: ToolContext, pk: UUID) -> Message | None:
    """Return a message that may be quoted here; if the user's message orders the deletion, also a
    confidential one; None if there is none.
    """
    own = Message.objects.for_user(context.user_id)
    asking = own.filter(pk=context.message_id).first() if context.message_id else None
    ordered = asking is not None and asking.reading.asks_to_forget
    rows = visibility.own_messages(context) if ordered else visibility.messages(context)
    return rows.filter(pk=pk).first()


def _latest_statement(context: ToolContext) -> Message | None:
    """Return the user's last statement before the asking message, or of the conversation if there
    is no such message. Orders, questions, and a yes or no do not count.
    """
    rows = Message.objects.for_user(context.user_id).exclude(state=Message.State.REMOVED)
    rows = rows.filter(conversation=context.conversation_id, role=Message.Role.USER)
    this = rows.filter(pk=context.message_id).first() if context.message_id else None
    if this is not None:
        rows = rows.filter(number__lt=this.number)
    for message in rows.order_by("-number")[:_LOOKED_BACK]:
        if not message.reading.states_nothing:
            return message
    return None


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


TOOLS = (
    Tool(
        name="forget_message",
        purpose="Delete one message, with its answer and what was learned only from it. The person "
        "is asked first. Use it for 'forget what I just said'.",
        arguments=DeleteTurnArguments,
        run=take_out,
        asks_first=True,
        foresee=would_take_out,
    ),
)
