from django.db import migrations

from accounts.database.isolation import owned_key, same_owner

# Each table whose rows others name, and which column of which table names them.
NAMED = {
    "conversations_conversation": (
        "conversations_message.conversation_id",
        "conversations_conversationtopic.conversation_id",
        "memory_profilefact.source_conversation_id",
        "memory_mention.conversation_id",
        "memory_override.conversation_id",
        "memory_memory.source_conversation_id",
        "memory_passage.conversation_id",
    ),
    "conversations_message": (
        "conversations_note.message_id",
        "memory_profilefact.source_message_id",
        "memory_mention.message_id",
        "memory_override.message_id",
        "memory_memory.source_message_id",
        "memory_trustchange.message_id",
        "memory_passage.message_id",
    ),
    "conversations_topic": ("conversations_conversationtopic.topic_id",),
    "memory_profilefact": (
        "conversations_note.fact_id",
        "memory_profilefact.replaces_id",
        "memory_mention.fact_id",
        "memory_memory.ends_id",
        "memory_trustchange.fact_id",
        "memory_sharedfact.fact_id",
        "ledger_contradiction.old_fact_id",
        "ledger_contradiction.new_fact_id",
        "ledger_resolution.kept_id",
    ),
    "memory_memory": (
        "conversations_note.memory_id",
        "memory_memory.superseded_by_id",
        "memory_merge.kept_id",
        "memory_mergedmemory.memory_id",
        "memory_trustchange.memory_id",
    ),
    "memory_merge": ("memory_mergedmemory.merge_id",),
    "memory_override": ("conversations_note.override_id",),
    "memory_profileshare": ("memory_sharedfact.share_id",),
    "ledger_contradiction": (
        "conversations_note.contradiction_id",
        "ledger_resolution.contradiction_id",
    ),
}


class Migration(migrations.Migration):
    """Whatever tables a row names, it belongs to the person that they belong to."""

    dependencies = [
        ("conversations", "0007_demo_people"),
        ("ledger", "0003_decisions"),
        ("memory", "0022_precision"),
    ]

    operations = [
        *(owned_key(parent) for parent in NAMED),
        *(
            same_owner(*reference.split("."), parent)
            for parent, references in NAMED.items()
            for reference in references
        ),
    ]
