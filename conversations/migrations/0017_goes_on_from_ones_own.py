from django.db import migrations

from accounts.database.isolation import same_owner


class Migration(migrations.Migration):
    """What a note goes on from was said by the person whose note it is."""

    dependencies = [("conversations", "0016_goes_on_from")]

    operations = [
        same_owner("conversations_learningoutcome", "goes_on_from_id", "conversations_message")
    ]
