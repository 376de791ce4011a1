"""Migrating earlier stores into a user's memory: SQLite files of two schemas, only read.

`stores` finds, reads and copies the files; `running` processes them in batches; `conversation_rows`
and `memory_rows` convert rows; `settling` compares values; `validating` compares store and
database; `undoing` removes what was migrated. Migrating only adds rows, so undoing leaves all other
data as it was.
"""
