"""What triggers and traces write while an account goes, goes with it in the database itself."""

from typing import ClassVar

from django.db import migrations

from memory.namespaces.tables import gone_with_the_account


class Migration(migrations.Migration):
    """They take the place of the keys that Django made."""

    dependencies: ClassVar = [("memory", "0028_namespaces")]

    operations: ClassVar = [
        gone_with_the_account("memory_memorychange"),
        gone_with_the_account("memory_changecounter"),
        gone_with_the_account("memory_memoryoperation"),
    ]
