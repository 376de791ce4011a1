"""The formats of other assistants, one module each."""
