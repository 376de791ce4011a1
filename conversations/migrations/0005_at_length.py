import django.db.models.deletion
import django.utils.timezone
import pgvector.django.halfvec
from django.conf import settings
from django.db import migrations, models

import accounts.database.ids
from accounts.database.isolation import row_security


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0004_privacy"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="archived_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="conversation",
            name="compact_summary",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="conversation",
            name="compacted_up_to",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="conversation",
            name="topics_up_to",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="message",
            name="milliseconds",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="message",
            name="steps",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="message",
            name="tokens_in",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="message",
            name="tokens_out",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="message",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "not begun"),
                    ("writing", "being written"),
                    ("done", "whole"),
                    ("cut", "ended half way"),
                    ("stopped", "stopped by the reader"),
                    ("failed", "nothing came"),
                    ("removed", "taken out by its owner"),
                ],
                default="done",
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="Topic",
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
                ("name", models.CharField(max_length=80)),
                ("key", models.CharField(max_length=80)),
                ("named_by_hand", models.BooleanField(default=False)),
                (
                    "embedding",
                    pgvector.django.halfvec.HalfVectorField(blank=True, dimensions=256, null=True),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ConversationTopic",
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
                ("weight", models.FloatField()),
                ("messages", models.PositiveIntegerField()),
                ("first_at", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="about",
                        to="conversations.conversation",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to="conversations.topic",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="topic",
            constraint=models.UniqueConstraint(fields=("user", "key"), name="one_topic_a_key"),
        ),
        migrations.AddIndex(
            model_name="conversationtopic",
            index=models.Index(fields=["user", "topic", "-last_at"], name="conversations_about"),
        ),
        migrations.AddIndex(
            model_name="conversationtopic",
            index=models.Index(fields=["conversation"], name="topics_of_conversation"),
        ),
        migrations.AddIndex(
            model_name="conversationtopic",
            index=models.Index(fields=["topic"], name="links_of_topic"),
        ),
        migrations.AddConstraint(
            model_name="conversationtopic",
            constraint=models.UniqueConstraint(
                fields=("user", "conversation", "topic"), name="one_topic_a_conversation"
            ),
        ),
        row_security("conversations_topic"),
        row_security("conversations_conversationtopic"),
    ]
