"""The tables of memory, one module a theme."""

from memory.models.facts import (
    VALUE_LENGTH,
    BlockedSlot,
    FactQuerySet,
    Mention,
    Override,
    ProfileFact,
    key_of,
    share,
)
from memory.models.memories import (
    CONTENT_LENGTH,
    Memory,
    MemoryQuerySet,
    Merge,
    MergedMemory,
    TrustChange,
)
from memory.models.passages import Passage
from memory.models.quality import Quality, SiteQuality

__all__ = [
    "CONTENT_LENGTH",
    "VALUE_LENGTH",
    "BlockedSlot",
    "FactQuerySet",
    "Memory",
    "MemoryQuerySet",
    "Mention",
    "Merge",
    "MergedMemory",
    "Override",
    "Passage",
    "ProfileFact",
    "Quality",
    "SiteQuality",
    "TrustChange",
    "key_of",
    "share",
]
