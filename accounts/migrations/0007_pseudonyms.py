from typing import ClassVar

from django.contrib.postgres.functions import RandomUUID
from django.db import migrations, models

from accounts.database.isolation import PSEUDONYM, row_security

# Whoever makes the tables is bound by the wall and the trigger as well, where they are no superuser.
OPEN = """
    drop policy accounts_auditevent_owner on accounts_auditevent;
    alter table accounts_auditevent no force row level security;
    alter table accounts_auditevent disable row level security;
    alter table accounts_auditevent disable trigger accounts_auditevent_stands;
"""
CLOSE = "alter table accounts_auditevent enable trigger accounts_auditevent_stands;"
# Of the staff who are gone already, the line keeps a name that nobody bears.
FILL = """
    update accounts_auditevent e set
        pseudonym = u.audit_pseudonym,
        actor = case when e.actor is null then null else coalesce(
            (select s.audit_pseudonym from accounts_user s where s.id = e.actor),
            gen_random_uuid()) end
    from accounts_user u where u.id = e.user_id;
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0006_tokens_and_demo")]

    operations: ClassVar = [
        # The database's default is another for each row that is there.
        migrations.AddField(
            model_name="user",
            name="audit_pseudonym",
            field=models.UUIDField(db_default=RandomUUID(), editable=False, unique=True),
        ),
        migrations.RunSQL(OPEN),
        migrations.AddField(
            model_name="auditevent", name="pseudonym", field=models.UUIDField(null=True)
        ),
        migrations.RunSQL(FILL),
        migrations.RunSQL(CLOSE),
        migrations.RemoveIndex(model_name="auditevent", name="audit_of_a_person"),
        migrations.RemoveIndex(model_name="auditevent", name="audit_of_a_subject"),
        migrations.RemoveField(model_name="auditevent", name="user"),
        migrations.AlterField(
            model_name="auditevent", name="pseudonym", field=models.UUIDField(editable=False)
        ),
        migrations.AddIndex(
            model_name="auditevent",
            index=models.Index(fields=["pseudonym", "-at"], name="audit_of_a_person"),
        ),
        migrations.AddIndex(
            model_name="auditevent",
            index=models.Index(fields=["pseudonym", "subject"], name="audit_of_a_subject"),
        ),
        row_security("accounts_auditevent", owner="pseudonym", person=PSEUDONYM),
    ]
