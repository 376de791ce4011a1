"""What is no value of a list: words that name nothing, and what is not to be noted."""

from __future__ import annotations

import re

from memory.language.lexicons import lexicon

# Pronouns and fillers that stand where a thing would: "I like it", "I love how you ...".
NOTHING = lexicon.word_set("""
you your u it its that this these those them him her his he she they we us me my mine our what how
when why who where if the there here one ones same being having getting everything anything nothing
something someone everyone people lot alot both all such to so much more most very thing genres
kinds types sorts many place color colour things stuff idea way ya too myself yourself each other
another theirs yours hers ours along now not neither either know see think say hear ask tell be talk
chat sound life kind bit get waste been never dearly deeply truly seriously honestly
living listening going hobby hobbies hobbie funny nice sure sorry
easy seems sounds cause especially even
""")
UNFIT = re.compile(
    r"\b(?:hair|beard|eyes|skin|nails|legs|nose|teeth|single|married|divorced|adopt\w+|virgin|"
    r"nigg\w*|fagg?\w*|retards?|sex\w*|porn\w*|nud(?:e|es|ity)|fuck\w*|dicks?|cock|pussy|boobs|"
    r"tits|kill\w*|suicid\w*|"
    r"die|dying|bj|blow ?jobs?|hook ?ups?|my (?:kids?|child\w*|wife|husband|mom|mum|dad|mother|"
    r"father|sister|brother|son|daughter|parents|boyfriend|girlfriend|therapist|doctor))\b",
    re.IGNORECASE,
)
