"""People whom other software creates, behind the policies of both their creator and themselves."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.database.ids
from accounts.database.isolation import deletable_by, row_security


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_plain_labels"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_sub_user",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.CreateModel(
            name="SubUser",
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
                ("external_id", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="created_as",
                        to=settings.AUTH_USER_MODEL,
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
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "external_id"), name="sub_user_once_a_creator"
                    )
                ],
            },
        ),
        row_security("accounts_subuser"),
        deletable_by("accounts_subuser", "person_id"),
    ]
