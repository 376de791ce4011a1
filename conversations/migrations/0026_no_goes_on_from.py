from django.db import migrations

from accounts.database.isolation import same_owner

_OWNED = same_owner("conversations_learningoutcome", "goes_on_from_id", "conversations_message")


class Migration(migrations.Migration):
    """A note can be understood by itself, so no message says of whom it speaks."""

    dependencies = [("conversations", "0025_model_connection")]

    operations = [
        # Dropped by itself, so that it is there again when the field is.
        migrations.RunSQL(
            sql="""
                alter table conversations_learningoutcome
                    drop constraint conversations_learningoutcome_goes_on_from_id_owned
            """,
            reverse_sql=_OWNED.sql,
        ),
        migrations.RemoveField(model_name="learningoutcome", name="goes_on_from"),
    ]
