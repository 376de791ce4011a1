"""Which notes claim what nobody has checked; those that were kept before are looked at once."""

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from memory.language.safety.claims import Claim, find_claim

_CHOICES = [(claim.value, claim.value) for claim in Claim]
_NORMAL = 1
_MOST_TRUST = 0.5
_BATCH = 500


def look_at_all(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Mark what claims, and take it out of what is always in mind or preferred."""
    memories = apps.get_model("memory", "Memory").objects
    told = memories.only("pk", "content", "original", "priority", "trust")
    for memory in told.iterator(chunk_size=_BATCH):
        claim = find_claim(memory.original or memory.content)
        if claim is not None:
            memories.filter(pk=memory.pk).update(
                claim=claim.value,
                priority=min(memory.priority, _NORMAL),
                trust=min(memory.trust, _MOST_TRUST),
            )


class Migration(migrations.Migration):
    """A mark on each note."""

    dependencies: ClassVar = [("memory", "0022_precision")]

    operations: ClassVar = [
        migrations.AddField(
            "memory",
            "claim",
            models.CharField(blank=True, choices=_CHOICES, default="", max_length=12),
            preserve_default=False,
        ),
        migrations.RunPython(look_at_all, migrations.RunPython.noop),
    ]
