"""What was learned from a message is named so: "note" means what is kept beside the profile."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("conversations", "0010_model_health")]

    operations = [
        migrations.RenameModel("Note", "LearningOutcome"),
        migrations.AlterField(
            "learningoutcome",
            "message",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="outcomes",
                to="conversations.message",
            ),
        ),
    ]
