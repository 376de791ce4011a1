"""The grammar behind extraction and questions.

``lexicon`` holds word lists, ``masking`` hides foreign words, ``clauses``, ``guards`` and
``predicates`` read the sentence, ``readers``, ``jobs`` and ``lists`` take out values, ``person``,
``work``, ``skills``, ``tastes`` and ``private`` are the families, ``questions`` and ``sameness``
serve :mod:`memory.slots`.
"""
