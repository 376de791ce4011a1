"""A piece belongs to a copy of the same person."""

from typing import ClassVar

from django.db import migrations

from accounts.database.isolation import owned_key, same_owner


class Migration(migrations.Migration):
    """It takes the place of the key that Django made."""

    dependencies: ClassVar = [("privacy", "0001_initial")]

    operations: ClassVar = [
        owned_key("privacy_export"),
        same_owner("privacy_exportpiece", "export_id", "privacy_export"),
    ]
