from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Messages are found by the history that a client sends."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("conversations", "0031_imported_from_gemini"),
    ]

    operations = [
        migrations.AddField(
            model_name="message",
            name="history_key",
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="message",
            name="exchange_key",
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("history_key__isnull", False)),
                fields=["user", "history_key"],
                name="messages_by_history",
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("exchange_key__isnull", False)),
                fields=["user", "exchange_key"],
                name="messages_by_exchange",
            ),
        ),
    ]
