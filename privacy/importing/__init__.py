"""Importing from elsewhere: exports of other assistants, and lists of memories.

Files are untrusted: `reading` limits and recognises them; `conversation_formats` and
`memory_formats` turn them into the dataclasses of `shapes`. An upload is counted first (`requests`,
`counting`); once the user accepts, the worker writes and learns from it, or undoes it (`making`,
`writing`). Facts and memories about the user are decided on in `deciding`.
"""
