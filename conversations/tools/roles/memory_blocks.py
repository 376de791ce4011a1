"""Tools for memory blocks: reading, and writing after the user has approved the exact text. A
block's text is part of every later prompt, so nothing is written unseen.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from django.conf import settings
from django.urls import reverse
from pydantic import Field, StringConstraints

from accounts.models import User
from conversations.models import Message
from conversations.tools import visibility
from conversations.tools.roles.personas import DISCOVER
from conversations.tools.tool import Arguments, Result, Tool, ToolContext, ToolRefused
from memory.core.persistence_gate import RecordKind
from memory.lessons.cohort import COHORT_PURPOSE, cohort_block
from memory.lessons.contribution import LessonSource, NotShared, check_lesson, contribute_lesson
from memory.lessons.guard import ShareVerdict
from memory.manager import (
    BLOCK_LIMITS,
    BLOCK_PURPOSES,
    Block,
    BlockLabel,
    BlockRefused,
    append_to_block,
    block_with_line,
    block_with_replaced,
    check_block,
    read_block,
    replace_in_block,
)
from memory.models import BLOCK_LENGTH
from personas import membership
from personas.models import Persona

# How many of the user's latest messages a lesson must not quote.
_MESSAGES = 60
_LABELS = f"Label of the block: {', '.join(BLOCK_LIMITS)}, or {Persona.block_label_of('<handle>')}."


def _one_line(length: int) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=1, max_length=length)


class WhichBlock(Arguments):
    """The label of a block."""

    label: Annotated[str, _one_line(120)] = Field(description=_LABELS)


class Content(Result):
    """A memory block: its text and purpose. `used` of `limit` characters are filled."""

    label: str
    purpose: str
    content: str
    used: int
    limit: int
    read_only: bool

    def in_words(self) -> str:
        """Return the result in words: '312 characters'."""
        return visibility.count_in_words(self.used, "character")


def read(context: ToolContext, wanted: WhichBlock) -> Content:
    """Return one memory block: the user's own, the assistant's, or a shared one."""
    user = User.objects.get(pk=context.user_id)
    shared = _shared(user, wanted.label)
    if shared is None:
        with _as_refused_call():
            own = read_block(user, wanted.label)
        content, limit, read_only = own.content, own.limit, own.read_only
        purpose = BLOCK_PURPOSES[wanted.label]
    else:
        content, read_only = cohort_block(shared), False
        limit, purpose = settings.COHORT["block_characters"], COHORT_PURPOSE
    return Content(
        label=wanted.label,
        purpose=purpose,
        content=content,
        used=len(content),
        limit=limit,
        read_only=read_only,
    )


# --- Writing -------------------------------------------------------------------------------------


class Change(Result):
    """The new text of a block, after (`done`) or before approval. `arguments` are the tool
    arguments of exactly this call.
    """

    done: bool
    arguments: dict[str, Any]
    label: str
    text: str
    link: str

    def in_words(self) -> str:
        """Return the result in words: 'written down', 'would be shared with others in
        your role'.
        """
        shared = Persona.handle_of(self.label)
        what = "shared with others in your role" if shared else "written down"
        return what if self.done else f"would be {what}"


class AppendArguments(WhichBlock):
    """A line to append to a block."""

    text: Annotated[str, _one_line(BLOCK_LENGTH)] = Field(
        description="Text to add: one or two sentences. A shared block takes only general "
        "lessons: no names, places, numbers or companies, and nothing that the "
        "person said word for word."
    )


class ReplaceArguments(WhichBlock):
    """Text in a block of the user, and its replacement."""

    old: Annotated[str, _one_line(BLOCK_LENGTH)] = Field(
        description="Words to replace; they occur exactly once in the block."
    )
    new: str = Field(
        "",
        max_length=BLOCK_LENGTH,
        description="Words to put in their place; empty to delete them.",
    )


def would_append(context: ToolContext, arguments: AppendArguments) -> Change:
    """Return what would be appended or shared; nothing is changed."""
    user = _writer(context)
    shared = _shared(user, arguments.label)
    if shared is None:
        _check(user, block_with_line(_own(user, arguments.label), arguments.text))
        return _change(arguments, arguments.text, done=False)
    with _as_refused_call():
        verdict = check_lesson(user, shared, arguments.text, messages=_own_messages(context))
    return _change(arguments, _passed(verdict).text, done=False)


def append(context: ToolContext, arguments: AppendArguments) -> Change:
    """Append a line to a block of the user, or contribute a lesson to a shared block."""
    user = _writer(context)
    shared = _shared(user, arguments.label)
    with _as_refused_call():
        if shared is None:
            _own(user, arguments.label)
            append_to_block(user, arguments.label, arguments.text)
            return _change(arguments, arguments.text, done=True)
        made = contribute_lesson(
            user,
            shared,
            arguments.text,
            source=LessonSource.MODEL,
            messages=_own_messages(context),
            conversation_id=context.conversation_id,
        )
    return _change(arguments, _passed(made.verdict).text, done=True)


def would_replace(context: ToolContext, arguments: ReplaceArguments) -> Change:
    """Return the text after the replacement; nothing is changed."""
    user = _writer(context)
    with _as_refused_call():
        _check(user, block_with_replaced(_own(user, arguments.label), arguments.old, arguments.new))
    return _change(arguments, f"{arguments.old} → {arguments.new or 'nothing'}", done=False)


def replace(context: ToolContext, arguments: ReplaceArguments) -> Change:
    """Replace text in a block of the user."""
    user = _writer(context)
    with _as_refused_call():
        _own(user, arguments.label)
        replace_in_block(user, arguments.label, arguments.old, arguments.new)
    return _change(arguments, arguments.new, done=True)


def _writer(context: ToolContext) -> User:
    """Return the asking user. Raises ToolRefused if nothing may be stored for the user now."""
    user = User.objects.get(pk=context.user_id)
    visibility.refuse_where_nothing_is_kept(context, RecordKind.BLOCK)
    return user


def _shared(user: User, label: str) -> Persona | None:
    """Return the user's persona with a shared block of this label; None if there is none."""
    handle = Persona.handle_of(label)
    if not handle:
        return None
    shared = [
        user_persona.persona
        for user_persona in membership.of(user.pk)
        if user_persona.persona.handle == handle
    ]
    if not shared:
        raise ToolRefused(
            f"Only its members can read {label}. Call {DISCOVER}: the person is asked first."
        )
    return shared[0]


def _own(user: User, label: str) -> Block:
    """Return the user's own writable block with this label. Raises ToolRefused."""
    if label == BlockLabel.PROFILE and not membership.of(user.pk):
        raise ToolRefused(
            f"{label} cannot be written until the person has a persona. Call {DISCOVER} with its "
            "handle; they are asked, and once they say yes it can."
        )
    if Persona.handle_of(label):
        raise ToolRefused("A shared lesson cannot be rewritten. Append a better one instead.")
    with _as_refused_call():
        return read_block(user, label)


def _check(user: User, block: Block) -> None:
    with _as_refused_call():
        check_block(user, block.label, block.content)


def _own_messages(context: ToolContext) -> list[str]:
    """Return the user's messages of this conversation, which a lesson must not quote."""
    rows = Message.objects.for_user(context.user_id).filter(role=Message.Role.USER)
    here = rows.filter(conversation=context.conversation_id).order_by("-number")
    return list(here.values_list("content", flat=True)[:_MESSAGES])


def _passed(verdict: ShareVerdict) -> ShareVerdict:
    if not verdict.accepted:
        raise ToolRefused(f"Not shared. {verdict.why}")
    return verdict


def _change(wanted: WhichBlock, text: str, *, done: bool) -> Change:
    page = "memory:cohort" if Persona.handle_of(wanted.label) else "memory:blocks"
    return Change(
        done=done,
        arguments=wanted.model_dump(mode="json"),
        label=wanted.label,
        text=text,
        link=reverse(page),
    )


@contextmanager
def _as_refused_call() -> Iterator[None]:
    """Turn refusals of a block or lesson into ToolRefused with the same message."""
    try:
        yield
    except (BlockRefused, NotShared) as refused:
        raise ToolRefused(str(refused)) from None


TOOLS = (
    Tool(
        name="read_memory_block",
        purpose="Read a memory block: about the person (human), their work (user_persona_profile), "
        "or lessons from others in their role.",
        arguments=WhichBlock,
        run=read,
    ),
    Tool(
        name="append_memory_block",
        purpose="Add a line to a memory block, or a general lesson to the block that the "
        "person's role shares. The person sees it first and says yes or no.",
        arguments=AppendArguments,
        run=append,
        asks_first=True,
        foresee=would_append,
    ),
    Tool(
        name="replace_memory_block",
        purpose="Replace words in one of the person's own memory blocks. The person sees "
        "the change first and says yes or no.",
        arguments=ReplaceArguments,
        run=replace,
        asks_first=True,
        foresee=would_replace,
    ),
)
