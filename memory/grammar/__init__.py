"""The grammar behind extraction and questions, from the whole text down to one value.

Reading a sentence
    ``masking`` hides foreign words, ``clauses`` cuts, ``guards`` says what a clause may be used
    for (a question, a supposition, somebody else's words), ``predicates`` tells now from past,
    denied and unreal.

Saying what a clause means: one module a theme, each a tuple of families
    ``person``, ``living`` (places and homes), ``work`` and ``workplaces``, ``goals``, ``skills``
    and ``school``, ``home`` (animals, vehicles, things, relatives), ``favourites``, ``tastes`` and
    ``dislikes``, ``fondness`` and ``aversions`` (the same without the verb to like or hate),
    ``food``, ``media``, ``activities`` and ``habits``, ``style``; ``private`` keeps apart what is
    nobody's business.

Taking out the value
    ``readers`` (names, firms, phrases), ``lists`` (things that are liked; ``deeds``, ``pairs`` and
    ``unfit`` say where one ends, what is one and what is none), ``favoured``, ``pursuits``,
    ``belongings``, ``whereabouts``, ``jobs``.

Judging and writing down
    ``mentions`` (is a thing that is only named liked?), ``pastimes`` (is it the person's own?),
    ``wording`` (how a value is written).

Looking beyond the clause
    ``topics`` (what was last named), ``anaphora`` ("it", "mine", "I have two"), ``corrections``
    ("I meant ..."), ``candidates`` (what of all this holds).

Word lists
    ``lexicon`` decides doubtful cases ("im nick", "im tired"); ``vocabulary`` names food, music,
    films and pastimes that are noticed when merely mentioned. A new word goes there, a new wording
    into the module of its theme.

``questions``, ``sameness`` and ``granularity`` serve :mod:`memory.slots`; ``literals`` passes over
the families that a sentence cannot match.
"""
