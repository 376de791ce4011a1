"""The memory blocks of a user, with optimistic locking by version.

There are four labels. `agent_persona` is the same for all and read-only; `human` and
`user_persona_profile` belong to one user; `<handle>_service_experience` has the lessons of a
persona, and changes only by contributing lessons.
"""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.timezone import now

from accounts.models import User
from memory.core.persistence_gate import (
    Allowances,
    Authority,
    PersistenceRequest,
    RecordKind,
    Refused,
    decide_persistence,
)
from memory.language.safety import guard
from memory.language.text.compression import split_lines_and_sentences
from memory.models import BlockVersion, MemoryBlock
from personas.models import UserPersona

BlockLabel, By = MemoryBlock.Label, BlockVersion.By
AGENT = "agent_persona"
BLOCK_LIMITS = {AGENT: 2000, BlockLabel.HUMAN: 3000, BlockLabel.PROFILE: 5000}
BLOCK_PURPOSES = {
    AGENT: "Who the assistant is. It is the same for everyone and cannot be changed.",
    BlockLabel.HUMAN: (
        "Personal facts about the user: preferences, how they like answers, background, habits. "
        "Not their role, industry or KPIs, which belong in user_persona_profile."
    ),
    BlockLabel.PROFILE: (
        "The user's work: industry, role, typical KPIs, usual analyses. It can be written once "
        "update_user_persona_profile_in_db has set the persona. No places or addresses, nothing "
        "proprietary, nothing that reveals who the user is."
    ),
}
AGENT_PERSONA = (
    "Throughline is an assistant that remembers a person across conversations: a colleague who"
    " took notes. It is warm, plain and brief. It says what it remembers and why, asks where two"
    " things that it was told disagree, and never changes its mind about somebody silently."
)


class BlockRefused(Refused):
    """A memory block cannot be written like this; the message says why and what to do."""


class TooLong(BlockRefused):
    """The text is longer than the memory block's limit."""


class BlockChanged(BlockRefused):
    """The memory block was changed since it was read; `current` is the present block."""

    def __init__(self, current: "Block") -> None:
        super().__init__("The block has changed since you read it. Read it again.")
        self.current = current


@dataclass(frozen=True)
class Block:
    """A memory block; version 0 is the initial text, before the first write."""

    label: str
    content: str
    version: int = 0
    updated_at: datetime | None = None

    @property
    def limit(self) -> int:
        """The largest number of characters."""
        return BLOCK_LIMITS[self.label]

    @property
    def read_only(self) -> bool:
        """Whether the memory block can never be written."""
        return self.label == AGENT


def read_block(user: User, label: str) -> Block:
    """Return a memory block of a user. Raises BlockRefused for an unknown label."""
    if label == AGENT:
        return Block(AGENT, AGENT_PERSONA, 1)
    if label not in BLOCK_LIMITS:
        raise BlockRefused(
            f"There is no block {label[:80]}. Choose from: {', '.join(BLOCK_LIMITS)}."
        )
    row = MemoryBlock.objects.filter(user_id=user.pk, label=label).first()
    return _of_row(row) if row else Block(label, _begins(user, label))


def read_all(user: User) -> list[Block]:
    """Return all memory blocks of a user."""
    return [read_block(user, label) for label in BLOCK_LIMITS]


def write(user: User, label: str, content: str, version: int, *, by: str = By.OWNER) -> Block:
    """Replace the text of a memory block at a version. Must run in the user's transaction.

    Raises BlockChanged if the version is outdated, BlockRefused if the text is not allowed.
    """
    content = content.strip()
    check_block(user, label, content, by=by)
    moment = now()
    if version:
        rows = MemoryBlock.objects.filter(user_id=user.pk, label=label, version=version)
        if not rows.update(content=content, version=version + 1, updated_at=moment):
            raise BlockChanged(read_block(user, label))
        row = MemoryBlock.objects.get(user_id=user.pk, label=label)
    else:
        row = _begin(user, label, content, moment)
    _keep_version(row, by)
    return _of_row(row)


def append_to_block(user: User, label: str, text: str) -> Block:
    """Add a line to a memory block as the assistant. Raises like `write`."""
    added = block_with_line(_locked_block(user, label), text)
    return write(user, label, added.content, added.version, by=By.ASSISTANT)


def replace_in_block(user: User, label: str, old: str, new: str) -> Block:
    """Replace `old`, which must occur once in the block, as the assistant. Raises like `write`."""
    changed = block_with_replaced(_locked_block(user, label), old, new)
    return write(user, label, changed.content, changed.version, by=By.ASSISTANT)


def block_with_line(block: Block, text: str) -> Block:
    """Return the block with one more line, which replaces a block's initial text."""
    line = text.strip()
    return replace_fields(block, content=f"{block.content}\n{line}" if block.version else line)


def block_with_replaced(block: Block, old: str, new: str) -> Block:
    """Return the block with `old` replaced. Raises BlockRefused unless `old` occurs once."""
    many = block.content.count(old)
    if many != 1:
        raise BlockRefused(
            f"The text to replace occurs in {block.label} {many} times. Quote more of it."
        )
    return replace_fields(block, content=block.content.replace(old, new))


def history(user_id: UUID, label: str) -> list[BlockVersion]:
    """Return all versions of a memory block, newest first."""
    rows = BlockVersion.objects.filter(user_id=user_id, block__label=label)
    return list(rows.order_by("-version"))


def find_matching_blocks(user_id: UUID, tells: Callable[[str], bool]) -> list[MemoryBlock]:
    """Return the memory blocks whose current or earlier text matches."""
    rows = MemoryBlock.objects.filter(user_id=user_id).prefetch_related("versions")
    return [
        block
        for block in rows.order_by("label")
        if tells(block.content) or any(tells(former.content) for former in block.versions.all())
    ]


def remove_from_block(block: MemoryBlock, tells: Callable[[str], bool]) -> None:
    """Remove the matching sentences from a memory block and its history, as a new version."""
    for former in block.versions.all():
        former.content = _without(former.content, tells)
        former.save(update_fields=["content"])
    block.content, block.version = _without(block.content, tells), block.version + 1
    block.updated_at = now()
    block.save(update_fields=["content", "version", "updated_at"])
    _keep_version(block, By.OWNER)


def _without(content: str, tells: Callable[[str], bool]) -> str:
    if not tells(content):
        return content
    lines = (
        " ".join(part for part in split_lines_and_sentences(line) if not tells(part))
        for line in content.splitlines()
    )
    left = "\n".join(line for line in lines if line.strip())
    # A match may span two sentences.
    return "" if tells(left) else left


def _locked_block(user: User, label: str) -> Block:
    """Return a memory block, locked until the transaction ends."""
    MemoryBlock.objects.select_for_update().filter(user_id=user.pk, label=label).first()
    return read_block(user, label)


def check_block(user: User, label: str, content: str, *, by: str = By.OWNER) -> None:
    """Raise TooLong or BlockRefused unless a text may be written to a memory block."""
    if label == AGENT:
        raise BlockRefused(f"{AGENT} cannot be changed: it is the same for everyone.")
    limit = read_block(user, label).limit
    if len(content) > limit:
        raise TooLong(
            f"{label} can hold {limit} characters, and this has {len(content)}. Shorten it."
        )
    if label == BlockLabel.PROFILE and not UserPersona.confirmed(user.pk).exists():
        raise BlockRefused("Choose your role first: this block is about your work.")
    # The user's own edit counts as a change, which is allowed with memory off.
    authority = Authority.CHANGE if by == By.OWNER else Authority.READ
    request = PersistenceRequest(
        RecordKind.BLOCK, authority=authority, secret=guard.holds_a_secret(content)
    )
    decision = decide_persistence(request, Allowances(memory_on=user.memory_on))
    if not decision.kept:
        raise BlockRefused(decision.reason)


def _begin(user: User, label: str, content: str, moment: datetime) -> MemoryBlock:
    try:
        with transaction.atomic():
            return MemoryBlock.objects.create(
                user_id=user.pk, label=label, content=content, updated_at=moment
            )
    except IntegrityError:
        raise BlockChanged(read_block(user, label)) from None


def _begins(user: User, label: str) -> str:
    if label == BlockLabel.HUMAN:
        return (
            f"User name: {user.get_short_name()}\n"
            "Personal facts about the user to be discovered through interaction."
        )
    return (
        "Cannot yet determine a persona for this user.\n"
        "Professional role and industry to be discovered through interaction."
    )


def _keep_version(row: MemoryBlock, by: str) -> None:
    BlockVersion.objects.create(
        user_id=row.user_id,
        block=row,
        version=row.version,
        content=row.content,
        written_by=by,
        written_at=row.updated_at,
    )


def _of_row(row: MemoryBlock) -> Block:
    return Block(row.label, row.content, row.version, row.updated_at)
