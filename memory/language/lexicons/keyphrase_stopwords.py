"""Words that cannot name what a talk is about, or not by themselves.

Hand-written and closed: everything that is not here may be a subject. Beside `terms.STOPWORDS` of
`memory`, which holds the words that say nothing at all.
"""

from memory.language.lexicons import load_lexicon
from memory.language.lexicons.lexicon import word_set

# A subject ends where one of these stands: deeds that everybody does, praise, how and how much.
BREAKS = load_lexicon("breaks")

# Words that may stand before a subject and are none: what sort it is of.
SORTS = load_lexicon("sorts")

# Names of what everything has: a subject only beside another word ("support group", "trip plan").
VAGUE = load_lexicon("vague")

# They count and measure; no subject holds one, and none goes on across it.
UNITS = load_lexicon("units")

# How people are addressed, and what they call out.
CALLS = word_set("""
alhamdulillah bang bu dude god goodness gosh hooray ibu insha inshallah madam mas mba mbak miss
mister mrs omg pak san sensei sir ssi
""")

# After these a plain word is a deed, not a thing: "I garden", "to garden".
BEFORE_A_DEED = load_lexicon("before_a_deed")

# What stands alone after these describes something: "was surreal".
BEFORE_A_TRAIT = word_set("""
is are was were be been being am so very too really super more most less quite pretty feel
feels felt seem seems look looks sound sounds it's that's they're i'm you're we're he's she's
""")

# Other forms of words that break a subject, and yet things themselves: "search" and "searches".
STILL_THINGS = load_lexicon("still_things")

# "camping trip", "cooking class": what is done there names it.
OUTINGS = word_set("trip class classes club group team course lesson lessons project plan")

# Of what sort, after a hyphen: "long-term", "high-quality".
AFTER_A_HYPHEN = word_set("term quality depth class time scale level end age day friendly")

# Neither adverbs nor past tenses, though they end like one.
NO_ADVERB = word_set("family italy july reply supply assembly jelly belly lily bully rally")
NO_PAST = word_set("bed red weed feed seed speed breed shed sled hundred sacred wed ted")

# They say nothing by themselves, and begin the name of a place: "New York".
OPENS_A_NAME = word_set("new great grand san los las santa saint")
