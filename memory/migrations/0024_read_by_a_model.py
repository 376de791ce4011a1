"""What a language model read out of somebody's words says so itself."""

from typing import ClassVar

from django.db import migrations, models

_CHOICES = [
    (origin, origin) for origin in ("typed", "pasted", "tool", "assistant", "imported", "model")
]


class Migration(migrations.Migration):
    """Of what was noted so far it is not known who read it."""

    dependencies: ClassVar = [("memory", "0023_claims")]

    operations: ClassVar = [
        migrations.AlterField(
            name,
            "origin",
            models.CharField(choices=_CHOICES, default="typed", max_length=10),
        )
        for name in ("memory", "profilefact")
    ]
