from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0019_plain_deeds")]

    operations = [
        migrations.AddField(
            model_name="work",
            name="failed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
