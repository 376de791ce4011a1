import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# An index on the person alone is joined with a narrower one and read from end to end for it. Each
# of these tables has one that leads with the person and narrows further.
OF_A_PERSON = models.ForeignKey(
    db_index=False,
    on_delete=django.db.models.deletion.CASCADE,
    to=settings.AUTH_USER_MODEL,
)


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0003_memories"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="override",
            index=models.Index(fields=["user", "conversation"], name="overrides_of_a_conversation"),
        ),
        migrations.AlterField(model_name="profilefact", name="user", field=OF_A_PERSON),
        migrations.AlterField(model_name="mention", name="user", field=OF_A_PERSON),
        migrations.AlterField(model_name="override", name="user", field=OF_A_PERSON),
    ]
