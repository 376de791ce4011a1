"""The models of memory, one module per topic."""

from memory.models.blocks import BLOCK_LENGTH, BlockVersion, MemoryBlock
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
from memory.models.lessons import (
    LESSON_LENGTH,
    ExperienceDay,
    Lesson,
    LessonReport,
    LessonSupport,
    LessonTally,
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
from memory.models.namespaces import (
    CHANGES_CHANNEL,
    KEY_LENGTH,
    ChangeCounter,
    MemoryChange,
    NamespaceConsent,
    NamespaceEntry,
    RegisteredNamespace,
)
from memory.models.operations import MemoryOperation
from memory.models.packing import unpack_json
from memory.models.passages import Passage
from memory.models.quality import Quality, SiteQuality
from memory.models.sharing import NAME_LENGTH, ProfileShare, SharedFact
from memory.models.vectors import EmbeddingModel, PassageVector, VectorProgress

__all__ = [
    "BLOCK_LENGTH",
    "CHANGES_CHANNEL",
    "CLAIMS",
    "CONTENT_LENGTH",
    "KEY_LENGTH",
    "LESSON_LENGTH",
    "NAME_LENGTH",
    "VALUE_LENGTH",
    "BlockVersion",
    "BlockedSlot",
    "ChangeCounter",
    "EmbeddingModel",
    "ExperienceDay",
    "FactQuerySet",
    "Lesson",
    "LessonReport",
    "LessonSupport",
    "LessonTally",
    "Memory",
    "MemoryBlock",
    "MemoryChange",
    "MemoryOperation",
    "MemoryQuerySet",
    "Mention",
    "Merge",
    "MergedMemory",
    "NamespaceConsent",
    "NamespaceEntry",
    "Override",
    "Passage",
    "PassageVector",
    "Precision",
    "ProfileFact",
    "ProfileShare",
    "Quality",
    "RegisteredNamespace",
    "SharedFact",
    "SiteQuality",
    "TrustChange",
    "VectorProgress",
    "key_of",
    "share",
    "unpack_json",
]
