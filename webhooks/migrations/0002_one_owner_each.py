"""A delivery goes to an endpoint of the same person."""

from typing import ClassVar

from django.db import migrations

from accounts.database.isolation import same_owner


class Migration(migrations.Migration):
    """It takes the place of the key that Django made."""

    dependencies: ClassVar = [("webhooks", "0001_initial")]

    operations: ClassVar = [
        same_owner("webhooks_webhookdelivery", "endpoint_id", "webhooks_webhookendpoint")
    ]
