"""A piece and a row belong to a file that the same person brought."""

from typing import ClassVar

from django.db import migrations

from accounts.database.isolation import owned_key, same_owner


class Migration(migrations.Migration):
    """It takes the place of the keys that Django made."""

    dependencies: ClassVar = [("privacy", "0006_imports")]

    operations: ClassVar = [
        owned_key("privacy_import"),
        same_owner("privacy_importpiece", "brought_id", "privacy_import"),
        same_owner("privacy_importedrow", "brought_id", "privacy_import"),
    ]
