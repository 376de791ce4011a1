from django.db import migrations, models


class Migration(migrations.Migration):
    """A conversation can be pinned to the top of the list."""

    dependencies = [("conversations", "0028_plan_marks_of_ones_own")]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="pinned_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
