from django.db import migrations

from accounts.database.isolation import same_owner


class Migration(migrations.Migration):
    """What a message corrects was said by the same person."""

    dependencies = [("conversations", "0018_message_corrects")]

    operations = [same_owner("conversations_message", "corrects_id", "conversations_message")]
