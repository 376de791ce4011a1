"""What a text says, read by rules: no database, no Django, no language model.

``reading``
    One text, read once, with all that is asked about it.
``engine``
    From the text to clauses: ``masking`` hides what its writer only shows, ``clauses`` cuts,
    ``clause_guards`` says what a clause may be used for, ``predicates`` tells now from past, denied
    and unreal; ``coreference`` finds what "it" stands for; ``matching`` tries the patterns.
``patterns``
    What a clause means, a module a theme. A new wording goes here, a new word into ``lexicons``.
``values``
    Taking the value out of the text: where it ends, how it is written, what it equals.
``queries``, ``dates``, ``safety``, ``text``
    What is asked, when, what must not be noted or obeyed, and texts as numbers.
"""

import lazy_loader as lazy

# What is offered stands in `__init__.pyi`, and is imported when it is asked for.
__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
