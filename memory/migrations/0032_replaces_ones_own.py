from django.db import migrations

from accounts.database.isolation import same_owner


class Migration(migrations.Migration):
    """A note takes the place of another of the same person."""

    dependencies = [("memory", "0031_operations")]

    operations = [same_owner("memory_memory", "replaces_id", "memory_memory")]
