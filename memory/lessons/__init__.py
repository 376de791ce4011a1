"""Lessons shared by the members of a persona, and the guard against personal content."""

import lazy_loader as lazy

# What is offered stands in `__init__.pyi`, and is imported when it is asked for.
__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
