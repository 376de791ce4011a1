"""Which stretches of a message are pasted, claimed, withheld or for its conversation only."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Null says that a message has not been read for it: it is read when it is quoted."""

    dependencies: ClassVar = [("conversations", "0008_one_owner_each")]

    operations: ClassVar = [
        migrations.AddField("message", "stretches", models.JSONField(blank=True, null=True)),
    ]
