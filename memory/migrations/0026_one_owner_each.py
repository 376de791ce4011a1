"""A version of a block, and the conversation behind a support, belong to one person each."""

from typing import ClassVar

from django.db import migrations

from accounts.database.isolation import same_owner


class Migration(migrations.Migration):
    """They take the place of the keys that Django made."""

    dependencies: ClassVar = [
        ("memory", "0025_personas"),
        ("conversations", "0011_learning_outcomes"),
    ]

    operations: ClassVar = [
        same_owner("memory_blockversion", "block_id", "memory_memoryblock"),
        same_owner("memory_lessonsupport", "conversation_id", "conversations_conversation"),
    ]
