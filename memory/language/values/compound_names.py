"""Names and pairs that are one thing though a small word stands in them."""

from __future__ import annotations

import re

from memory.language.lexicons import lexicon

# Pairs that are one thing: "gin and tonic" is one drink, "law and order" one series.
_PAIRS = lexicon.phrases("""
mac cheese, macaroni cheese, fish chips, rock roll, arts crafts, ham cheese, biscuits gravy,
guns roses, rick morty, tom jerry, simon garfunkel, steak eggs, steak fries, chicken waffles,
bacon eggs, ham eggs, cookies cream, dungeons dragons, law order, pride prejudice, gin tonic,
vodka tonic, rum coke, jack coke, whiskey coke, salt vinegar, surf turf, spaghetti meatballs,
rice beans, beans rice, chips salsa, chips dip, chips guac, pork beans, bread butter, drum bass,
rhythm blues, beauty beast, romeo juliet, war peace, crime punishment, sense sensibility,
parks recreation, parks rec, will grace, hall oates, florence machine, mumford sons, iron wine,
bed breakfast, track field, hide seek, sweet sour, hot sour soup, milk cookies, cookies milk,
wine cheese, cheese wine, cheese crackers, burger fries, burgers fries, soup salad, tea biscuits,
coffee cream, peaches cream, strawberries cream, oil vinegar, meat potatoes, shrimp grits,
corned beef cabbage, bangers mash, sausage peppers, starsky hutch, cagney lacey, bonnie clyde,
calvin hobbes, lilo stitch, fast furious, angels demons, cloak dagger, cops robbers,
cat mouse, snakes ladders, chutes ladders, black white movies, black white films, cut paste
""")
# Names whose small words would end any other value.
TITLES = re.compile(
    r"(?:the who|the office(?=\s*(?:$|[.,!?]))|"
    r"my little pony|the voice(?!\s+(?:of|in)\b)|new kids on the block|"
    r"panic at the disco|queens of the stone age|men in black|"
    r"orange is the new "
    r"black|how i met your mother|"
    r"once upon a time|alice in wonderland|alice in chains|singin'? in the rain|to kill a "
    r"mockingbird|gone with the wind|"
    r"back to the future|this is us|that 70s show|two and a half men|doctor who|dr\.? who|the "
    r"guess who|twenty one pilots|"
    r"they might be giants|the man in the high castle|lord of the rings|the lord of the rings|"
    r"game of thrones|"
    r"guardians of the galaxy|diary of a wimpy kid|catcher in the rye|the catcher in the rye|"
    r"anne of green gables|"
    r"wheel of fortune|call of duty|league of legends|world of warcraft|bring me the horizon|"
    r"system of a down|"
    r"who wants to be a millionaire|so you think you can dance|whose line is it anyway|it's "
    r"always sunny in philadelphia|"
    r"the fault in our stars|the girl with the dragon tattoo|cat in the hat|what we do in the "
    r"shadows|me before you|"
    r"under the dome|into the wild|into the woods|up in the air|out of africa|the lion,? the "
    r"witch and the wardrobe)\b",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"(?P<one>[a-z]+(?: [a-z]+)?) (?:and|n|&|'n'|n') (?:the )?"
    r"(?P<two>[a-z]+(?: (?:soup|movies|films|cabbage))?)\b"
    r"|peanut butter (?:and|n|&) jelly|r ?& ?b\b|r (?:and|n) b\b|rock ?'?n'? ?roll\b",
    re.IGNORECASE,
)


def pair(text: str, start: int, end: int) -> re.Match[str] | None:
    """A known title or a fixed pair at ``start``; the pair may have one word more before it."""
    title = TITLES.match(text, start, end)
    found = title or _PAIR.match(text, start, end)
    if title or not found or found["one"] is None:
        return found
    one, two = found["one"].lower(), found["two"].lower()
    return found if {f"{one} {two}", f"{one.split()[-1]} {two}"} & _PAIRS else None
