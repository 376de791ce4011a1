"""Bringing what people have elsewhere: exports of other assistants, and lists of memories.

A file is anybody's: `reading` bounds it and finds out what it is; `conversation_formats` and
`memory_formats` read it into the plain shapes of `shapes`. It is looked at first (`requests`,
`counting`), and after its owner's yes the worker writes it, reads it, or takes it out again
(`making`, `writing`). What it says of its owner is decided in `deciding`.
"""
