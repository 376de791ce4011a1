"""How exactly the ends of a fact were told: to the day, the month or the year."""

from typing import ClassVar

from django.db import migrations, models

_CHOICES = [("day", "to the day"), ("month", "to the month"), ("year", "to the year")]


class Migration(migrations.Migration):
    """The day is what was kept of every time so far."""

    dependencies: ClassVar = [("memory", "0021_sharing")]

    operations: ClassVar = [
        migrations.AddField(
            "profilefact",
            "from_precision",
            models.CharField(choices=_CHOICES, default="day", max_length=5),
        ),
        migrations.AddField(
            "profilefact",
            "to_precision",
            models.CharField(choices=_CHOICES, default="day", max_length=5),
        ),
    ]
