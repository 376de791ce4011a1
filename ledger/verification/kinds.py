"""The kinds of rows that an erasure deletes or keeps, why, and advice about remaining rows.

Pages and API list these kinds in this order.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memory.core.tracing import TRACED_TABLES

# Singular and plural.
GOES = {
    "conversations": ("conversation", "conversations"),
    "messages": ("message", "messages"),
    "passages": ("search entry", "search entries"),
    "answers": (
        "other answer that quoted it",
        "other answers that quoted it",
    ),
    "facts": ("fact in your profile and timeline", "facts in your profile and timeline"),
    "notes": ("memory", "memories"),
    "proposals": ("memory waiting for you", "memories waiting for you"),
    "summaries": ("summary of a conversation", "summaries of conversations"),
    "long_summaries": (
        "summary of a long conversation (replaced by a new one)",
        "summaries of long conversations (replaced by new ones)",
    ),
    "here_only": ("fact used in one conversation only", "facts used in one conversation only"),
    "questions": ("conflict", "conflicts"),
    "shared_pages": ("shared page", "shared pages"),
    "places": ("place on a shared page", "places on shared pages"),
    "topics": ("topic", "topics"),
    "titles": ("conversation title that mentions it", "conversation titles that mention it"),
    "looks": ("search I ran (only its text)", "searches I ran (only their text)"),
    "blocks": ("memory block", "memory blocks"),
    "entries_hot": ("short-lived entry from another app", "short-lived entries from other apps"),
    "entries_warm": ("entry from another app", "entries from other apps"),
    "entries_cold": ("archived entry from another app", "archived entries from other apps"),
    "roles": ("role", "roles"),
    "lessons": ("lesson you supported", "lessons you supported"),
    "copies": ("copy of your data", "copies of your data"),
    "legacy": (
        "row from an earlier store (only its text)",
        "rows from earlier stores (only their text)",
    ),
    "lines": ("history entry (only its text)", "history entries (only their text)"),
}
STAYS = {
    "letters": (
        "Your own messages and my answers. I won’t quote them in other conversations or learn "
        "from them again."
    ),
    "letters_index": (
        "The search entries for these messages, used only in their own conversation."
    ),
    "elsewhere": "What you also said in other conversations.",
    "kept": "What you chose to keep, or also said in other conversations.",
    "other_lines": "Other facts with these words. You can erase each of them separately.",
    "names": "Names you gave to a conversation, a shared page, a token or your account.",
    "lessons": (
        "General lessons that others also support or read. If one of them is about you, report it."
    ),
    "to_staff": "What you wrote to staff about a role or a lesson.",
    "history": "Your history: when something changed and how, without its text.",
    "way_in": "Your sign-in: e-mail, password, name and API tokens.",
    "choices": "Your settings: what I may note, and which kinds of fact I never note.",
    "receipts": "Receipts like this one, without the text.",
    "backups": "Earlier backups until they are replaced, and copies you or others downloaded.",
}
_ENTRIES = next(table for table, about in TRACED_TABLES.items() if about == "namespaces")
# What the user can do about a remaining row, by table.
_REMEDIES = {
    "memory_memory": "Open Memories and erase the memory there.",
    "memory_profilefact": "Open your profile or timeline and erase the fact there.",
    "memory_memoryblock": "Open your role and edit the text about you at work.",
    "memory_blockversion": "Open your role and edit the text about you at work.",
    _ENTRIES: "Open Memory activity and withdraw your consent to this part.",
    "hot tier": "It will be deleted two hours after its last use.",
    "conversations_conversation": "Rename the conversation, or delete it.",
    "conversations_message": "Delete the message and its reply.",
    "privacy_exportpiece": "It will be deleted automatically within a few days.",
    "memory_profileshare": "Stop sharing the page.",
}
_ASK = "Ask the people who run this site to remove it, and tell them the table and row."


@dataclass(frozen=True)
class KindCount:
    """The count of one kind, with its label."""

    kind: str
    count: int
    words: str


@dataclass(frozen=True)
class KindThatStays:
    """A kind that stays, why, and how many if known."""

    kind: str
    count: int | None
    why: str


def counted(counts: Mapping[str, int]) -> list[KindCount]:
    """Return the kinds with a count above zero, in the order of `GOES`."""
    return [
        KindCount(kind, many, f"{many:,} {names[many != 1]}")
        for kind, names in GOES.items()
        if (many := counts.get(kind, 0))
    ]


def staying(kinds: Mapping[str, int | None]) -> list[KindThatStays]:
    """Return the kinds that stay, in the order of `STAYS`."""
    return [KindThatStays(kind, kinds[kind], why) for kind, why in STAYS.items() if kind in kinds]


def remedy(table: str) -> str:
    """Return the advice for a remaining row of a table."""
    return _REMEDIES.get(table, _ASK)


def added(*several: Mapping[str, int] | Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the sums of counts by kind, without zeros."""
    total: dict[str, int] = {}
    for counts in several:
        for kind, many in dict(counts).items():
            total[kind] = total.get(kind, 0) + many
    return {kind: many for kind, many in total.items() if many}
