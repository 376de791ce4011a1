"""Whose tokens and sign-ins they are, the database knows as soon as it knows who asks."""

from typing import ClassVar

from django.db import migrations

from accounts.database.isolation import row_security_once_known


class Migration(migrations.Migration):
    """Two tables that were without a policy."""

    dependencies: ClassVar = [
        ("accounts", "0012_privacy"),
        ("usersessions", "0001_initial"),
    ]

    operations: ClassVar = [
        row_security_once_known("accounts_apitoken"),
        row_security_once_known("usersessions_usersession"),
    ]
