"""A row that belongs to one person, and the list of all tables that hold such rows.

Whoever exports, counts or erases what is kept of a person asks here, and not each room by name.
"""

from typing import ClassVar
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import connection, models

from accounts.ids import new_id


class OwnedModel(models.Model):
    """Something that is kept of one person, behind row-level security.

    A table that is made of it needs `row_security` in the migration that makes it. A model says in
    `outlives_forgetting` why its rows stay when its owner forgets everything; without a reason they
    go.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # Most tables are only searched by a person together with something else; the others say so.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_index=False)

    outlives_forgetting: ClassVar[str] = ""

    class Meta:
        abstract = True


def owned_models() -> list[type[OwnedModel]]:
    """Every table that holds rows of a person, rooms below first."""
    return [model for model in apps.get_models() if issubclass(model, OwnedModel)]


def clear(user_id: UUID) -> None:
    """Delete this person's rows in all of them but what outlives it, in their open block.

    References are judged when the transaction ends: IntegrityError is raised then, where a row came
    meanwhile that points at one that went.
    """
    with connection.cursor() as cursor:
        for model in owned_models():
            if not model.outlives_forgetting:
                table = connection.ops.quote_name(model._meta.db_table)
                cursor.execute(f"delete from {table} where user_id = %s", [user_id])  # noqa: S608
