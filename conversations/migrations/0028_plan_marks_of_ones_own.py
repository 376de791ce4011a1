from django.db import migrations

from accounts.database.isolation import same_owner


class Migration(migrations.Migration):
    """What is done or put off was planned by the same person."""

    dependencies = [("conversations", "0027_plan_marks")]

    operations = [
        same_owner("conversations_planmark", "message_id", "conversations_message"),
        same_owner("conversations_planmark", "memory_id", "memory_memory"),
    ]
