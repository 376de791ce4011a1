"""Bringing earlier stores into a person's memory: SQLite files of two forms, which are only read.

`stores` finds, reads and copies the files; `running` goes through them batch by batch, and
`conversation_rows` and `memory_rows` say what a row becomes. `settling` compares values,
`validating` compares both ways, `undoing` takes out what was brought. Rows are only ever added, so
that taking out what was brought leaves the rest as it was.
"""
