"""The tables of memory, one module a theme."""

from memory.models.facts import (
    VALUE_LENGTH,
    BlockedSlot,
    FactQuerySet,
    Mention,
    Override,
    Precision,
    ProfileFact,
    key_of,
    share,
)
from memory.models.memories import (
    CLAIMS,
    CONTENT_LENGTH,
    Memory,
    MemoryQuerySet,
    Merge,
    MergedMemory,
    TrustChange,
)
from memory.models.passages import Passage
from memory.models.quality import Quality, SiteQuality
from memory.models.sharing import NAME_LENGTH, ProfileShare, SharedFact

__all__ = [
    "CLAIMS",
    "CONTENT_LENGTH",
    "NAME_LENGTH",
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
    "Precision",
    "ProfileFact",
    "ProfileShare",
    "Quality",
    "SharedFact",
    "SiteQuality",
    "TrustChange",
    "key_of",
    "share",
]
