from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0035_withdrawn_notes"),
    ]

    operations = [
        migrations.AddField(
            model_name="memory",
            name="written_by",
            field=models.CharField(blank=True, default="", max_length=80),
        ),
    ]
