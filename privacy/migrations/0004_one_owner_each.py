"""A piece belongs to a file that the same person brought."""

from typing import ClassVar

from django.db import migrations

from accounts.database.isolation import owned_key, same_owner


class Migration(migrations.Migration):
    """It takes the place of the key that Django made."""

    dependencies: ClassVar = [("privacy", "0003_restores")]

    operations: ClassVar = [
        owned_key("privacy_restore"),
        same_owner("privacy_restorepiece", "restore_id", "privacy_restore"),
    ]
