"""Receipts of erasures."""

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.database.ids
from accounts.database.isolation import row_security


class Migration(migrations.Migration):
    """Their owner's alone, like all that is kept of a person."""

    dependencies: ClassVar = [
        ("ledger", "0003_decisions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=accounts.database.ids.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("fact", "One fact"),
                            ("conversation", "One conversation"),
                            ("everything", "Everything"),
                        ],
                        max_length=12,
                    ),
                ),
                ("subject", models.UUIDField()),
                ("slot", models.CharField(blank=True, max_length=40)),
                ("counts", models.JSONField()),
                ("search", models.JSONField()),
                ("at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "-at"], name="erasures_of_a_person")],
            },
        ),
        row_security("ledger_erasure"),
    ]
