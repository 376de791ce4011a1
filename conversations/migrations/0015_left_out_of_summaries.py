"""Messages of which something was erased are left out when their conversation is summed up."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """So far none is: summaries of earlier erasures stand as they are until they are made anew."""

    dependencies: ClassVar = [("conversations", "0014_temporary")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="message",
            name="left_out_of_summaries",
            field=models.BooleanField(default=False, db_default=False),
        ),
    ]
