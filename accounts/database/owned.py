"""A row that belongs to one person, and the list of all tables that hold such rows."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import connection, models

from accounts.database.ids import new_id

# How many rows come at a time.
_PIECE = 500


class ExportedModel(models.Model):
    """Rows of which a person takes away the fields in `exported`, or none: see `not_exported`.

    `also_exported` are what `exported_rows` adds that is no column, each with its type of field.
    """

    exported: ClassVar[tuple[str, ...]] = ()
    also_exported: ClassVar[dict[str, str]] = {}
    not_exported: ClassVar[str] = ""

    class Meta:
        abstract = True

    @classmethod
    def owned(cls, user_id: UUID) -> "models.QuerySet[Self]":
        """Return the rows of a person."""
        return cls._default_manager.filter(user_id=user_id)

    @classmethod
    def exported_rows(cls, user_id: UUID) -> Iterator[dict[str, Any]]:
        """What a person takes away of this table, in the order of keys; in their open block."""
        yield from cls.owned(user_id).order_by("pk").values("id", *cls.exported).iterator(_PIECE)


class OwnedModel(ExportedModel):
    """Something that is kept of one person, behind row-level security.

    A table that is made of it needs `row_security` in the migration that makes it. A model says in
    `outlives_forgetting` why its rows stay when its owner forgets everything; without a reason they
    go. It has either `exported` or `not_exported`.
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


def export(user_id: UUID) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    """Yield what a person takes away: each table's label with its rows, in their open block."""
    for model in owned_models():
        if model.exported:
            yield model._meta.label_lower, model.exported_rows(user_id)


def clear(user_id: UUID, *, choices_too: bool = False) -> None:
    """Delete this person's rows in all of them but what outlives it, in their open block;
    with `choices_too` that as well.

    References are judged when the transaction ends: IntegrityError is raised then, where a row came
    meanwhile that points at one that went.
    """
    with connection.cursor() as cursor:
        for model in owned_models():
            if choices_too or not model.outlives_forgetting:
                table = connection.ops.quote_name(model._meta.db_table)
                cursor.execute(f"delete from {table} where user_id = %s", [user_id])  # noqa: S608
