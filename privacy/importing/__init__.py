"""Bringing what people have elsewhere: exports of other assistants, and lists of memories.

A file is anybody's: `reading` bounds it and finds out what it is, one module of `formats` reads it
into the plain shapes of `shapes`. It is looked at first (`requests`), and written by the worker
after its owner's yes (`making`, `writing`, `learning`). `undoing` takes all of it out again.
"""
