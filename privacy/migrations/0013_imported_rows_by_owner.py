from django.db import migrations

from accounts.database.isolation import owned_key


class Migration(migrations.Migration):
    """What was imported before is found by a key that holds its owner."""

    dependencies = [("privacy", "0012_plain_deeds")]

    operations = [owned_key("privacy_importedrow")]
