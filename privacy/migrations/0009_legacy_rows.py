import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import accounts.database.ids
from accounts.database.isolation import row_security


class Migration(migrations.Migration):
    dependencies = [
        ("privacy", "0008_deeds_of_imports"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LegacyRow",
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
                ("source", models.CharField(max_length=200)),
                ("table", models.CharField(max_length=80)),
                ("original_id", models.CharField(max_length=200)),
                ("place", models.PositiveIntegerField(default=0)),
                ("checksum", models.CharField(max_length=64)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("conversation", "a conversation"),
                            ("messages", "messages"),
                            ("read", "a value that is still to be compared"),
                            ("fact", "a fact"),
                            ("agreed", "a value that was known"),
                            ("disputed", "a value against another, with a conflict"),
                            ("note", "a memory"),
                            ("same_note", "a memory that was known"),
                            ("earlier", "a memory that is no longer in use"),
                            ("topic", "a topic"),
                            ("topic_link", "the topic of a conversation"),
                            ("summary", "the summary of a conversation"),
                            ("trust", "a line of the history of trust"),
                            ("withheld", "nothing, because it may not be noted"),
                            ("empty", "nothing, because it has no words"),
                            ("kept", "nothing; kept as it was"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "made",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=100),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                (
                    "joined",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=100),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("conversation", models.UUIDField(blank=True, null=True)),
                ("said_at", models.DateTimeField(blank=True, null=True)),
                ("slot", models.CharField(blank=True, max_length=40)),
                ("value", models.CharField(blank=True, max_length=500)),
                ("why", models.CharField(blank=True, max_length=40)),
                ("original", models.JSONField(default=dict)),
                ("schema_version", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("brought_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("redacted_at", models.DateTimeField(blank=True, null=True)),
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
                "indexes": [
                    models.Index(fields=["user", "source", "table"], name="legacy_rows_of_a_file"),
                    models.Index(fields=["user", "conversation"], name="legacy_rows_of_a_talk"),
                ],
            },
        ),
        row_security("privacy_legacyrow"),
    ]
