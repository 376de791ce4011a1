from django.contrib.auth.hashers import check_password
from django.db import migrations

ADDRESSES = ("nick@example.org", "ada@example.org", "mira@example.org")
PASSWORD = "throughline-demo"  # noqa: S105 - printed at start


def mark_the_demo_people(apps, schema_editor):
    """Known by their password: somebody else may have signed up with such an address."""
    for user in apps.get_model("accounts", "User").objects.filter(email__in=ADDRESSES):
        if check_password(PASSWORD, user.password):
            user.is_demo = True
            user.save(update_fields=["is_demo"])


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0006_latest_first"),
        ("accounts", "0006_tokens_and_demo"),
    ]

    operations = [migrations.RunPython(mark_the_demo_people, migrations.RunPython.noop)]
