"""The base of models whose rows belong to a user, and the list of all these models."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import connection, models

from accounts.database.ids import new_id

# How many rows are fetched at a time.
_PIECE = 500


class ExportedModel(models.Model):
    """Rows whose fields in `exported` are part of exports; or none, see `not_exported`.

    `also_exported` are values that `exported_rows` adds, with their types.
    """

    exported: ClassVar[tuple[str, ...]] = ()
    also_exported: ClassVar[dict[str, str]] = {}
    not_exported: ClassVar[str] = ""

    class Meta:
        abstract = True

    @classmethod
    def owned(cls, user_id: UUID) -> "models.QuerySet[Self]":
        """Return the rows of a user."""
        return cls._default_manager.filter(user_id=user_id)

    @classmethod
    def exported_rows(cls, user_id: UUID) -> Iterator[dict[str, Any]]:
        """Yield the exported rows of a user by key, within `acting_as(user)`."""
        yield from cls.owned(user_id).order_by("pk").values("id", *cls.exported).iterator(_PIECE)


class OwnedModel(ExportedModel):
    """A row of one user, with row-level security.

    The migration that creates the table needs `row_security`. `outlives_forgetting` is the reason
    why rows stay when the user deletes everything; without a reason they are deleted. A model has
    either `exported` or `not_exported`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # Most tables have an index on the user with other columns; the others override this.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_index=False)

    outlives_forgetting: ClassVar[str] = ""

    class Meta:
        abstract = True


def owned_models() -> list[type[OwnedModel]]:
    """Return every model with rows of users, those of lower packages first."""
    return [model for model in apps.get_models() if issubclass(model, OwnedModel)]


def export(user_id: UUID) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    """Yield each table's label with its exported rows, within `acting_as(user)`."""
    for model in owned_models():
        if model.exported:
            yield model._meta.label_lower, model.exported_rows(user_id)


def clear(user_id: UUID, *, choices_too: bool = False) -> None:
    """Delete the user's rows in all tables except those with `outlives_forgetting`, within
    `acting_as(user)`; with `choices_too` in all.

    References are checked at the end of the transaction, which raises IntegrityError if a
    concurrent row refers to a deleted one.
    """
    with connection.cursor() as cursor:
        for model in owned_models():
            if choices_too or not model.outlives_forgetting:
                table = connection.ops.quote_name(model._meta.db_table)
                cursor.execute(f"delete from {table} where user_id = %s", [user_id])  # noqa: S608
