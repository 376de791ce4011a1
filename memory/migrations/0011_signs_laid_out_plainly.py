from django.db import migrations

from memory.language.text import EMBEDDING_DIMENSIONS

# A value of fewer than 127 bytes is packed by default, and has to be copied to be compared: of a
# search among 25,000 signs that was a third of the time. Laid out plainly they take no more room,
# because what follows them in the index begins at a multiple of four bytes either way. The column
# is made anew, since rows that are there would keep theirs packed; its values follow from the
# embedding. The index goes with the column.
PLAINLY = f"""
    alter table memory_passage
        drop column signs,
        add column signs bit({EMBEDDING_DIMENSIONS}) storage plain generated always as
            (binary_quantize(embedding)::bit({EMBEDDING_DIMENSIONS})) stored
"""
INDEX = """
    create index passages_by_meaning on memory_passage (user_id, place)
        include (signs, conversation_id, number)
"""


class Migration(migrations.Migration):
    # So that the new rows can be vacuumed, without which an index is not read alone. Each step may
    # be repeated after an interruption.
    atomic = False

    dependencies = [("memory", "0010_indexes_by_person")]

    operations = [
        migrations.RunSQL(PLAINLY, migrations.RunSQL.noop),
        migrations.RunSQL(INDEX, migrations.RunSQL.noop),
        migrations.RunSQL("vacuum analyze memory_passage", migrations.RunSQL.noop),
    ]
