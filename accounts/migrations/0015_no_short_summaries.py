"""Work that waits for the short summaries of earlier versions goes: nobody does it any more."""

from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from accounts.database.isolation import acting_as_worker


def withdraw(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Everybody's, whoever may have claimed it."""
    # Whoever makes the tables is bound by the policies as well, where they are no superuser.
    with acting_as_worker():
        apps.get_model("accounts", "Work").objects.filter(kind="summarise").delete()


class Migration(migrations.Migration):
    """Rows alone; the tables stay as they are."""

    dependencies: ClassVar = [("accounts", "0014_retention")]

    operations: ClassVar = [migrations.RunPython(withdraw, migrations.RunPython.noop)]
