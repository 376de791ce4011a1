"""Bringing earlier stores into a person's memory: SQLite files of two forms, which are only read.

`stores` finds and reads the files, and `rows` reads the columns of a row. `running` goes through
them batch by batch: `conversation_rows`, `memory_rows` and `topic_rows` make what a row becomes, by
the gates in `memories`, and `batches` writes it. `settling` compares values, `reporting` counts,
`validating` compares both ways, `undoing` takes out what was brought, `backups` copies the files,
and `redacting` follows what its owner erases.

Rows are only ever added: nothing that was there before is changed, so that taking out what was
brought leaves the rest as it was.
"""
