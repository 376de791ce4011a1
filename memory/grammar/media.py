"""Families about what somebody plays, hears, watches, reads and eats."""

from __future__ import annotations

import re

from memory.grammar import lists, pursuits, readers
from memory.grammar.activities import own_pastime
from memory.grammar.family import IMPLIED, WEAK, Family, family

_PLAY = (
    r"(?:play|played since|have been playing|have played|'ve been playing|been playing|do play)"
    r"\s+"
    r"(?:the\s+|some\s+|a lot of\s+|lots of\s+|a little\s+|my\s+|on\s+(?:the|my)\s+)*"
    r"(?!with\b|it\b|them\b|in\b|a (?:role|part)\b|around\b|for\b|along\b|that\b|outside\b|"
    r"every\b|"
    r"against\b|at\b|to\b|when\b|and\b|as\b|out\b|hard\b|too\b|dead\b|fetch\b|one\b|together\b)"
)


_LISTEN = (
    r"(?:listen(?:ing)?|jam(?:ming)?(?: out)?|rock(?:ing)?(?: out)?|blast(?:ing)?)"
    r"\s+(?:mostly\s+|only\s+|"
    r"a lot\s+|alot\s+)?to\s+(?:some\s+|a lot of\s+|lots of\s+|the\s+(?=music)|my\s+|mostly\s+|"
    r"only\s+|"
    r"old\s+)*(?!you\b|it\b|them\b|him\b|her\b|that\b|people\b|this\b|music\s+(?:while|when|and)"
    r"\b)"
)


_WATCH = (
    r"(?:watch(?:ing)?|binge(?:[- ]watch)?(?:ing)?)\s+(?:some\s+|a lot of\s+|lots of\s+|the\s+|"
    r"my\s+|old\s+|"
    r"too much\s+|all\s+)*(?!it\b|them\b|him\b|her\b|that\b|out\b|over\b|your\b|you\b|kids?\b|"
    r"children\b|"
    r"what\b|how\b|people\b|for\b|my\b|this\b|grand\w+\b|and\b|more\b|with\b|on\b|in\b|people\b|"
    r"is\b)"
)


_READ = (
    r"reading\s+(?:some\s+|a lot of\s+|lots of\s+|the\s+|my\s+|a\s+|an\s+|old\s+)*(?!it\b|"
    r"that\b|about\b|"
    r"your\b|you\b|this\b|for\b|to\b|in\b|is\b|and\b|up\b|on\b|right\b|now\b|at\b|while\b|"
    r"good\b|book\b|"
    r"something\b|with\b|here\b)"
)


def _still_eaten(match: re.Match[str]) -> bool:
    """Whether a meal is neither over for good nor only refused."""
    text = match.string
    start = max(text.rfind(mark, max(0, match.start() - 60), match.start()) for mark in ".!?") + 1
    around = text[max(start, match.start() - 60) : match.end() + 30]
    return not re.search(
        r"\b(?:used? to|not|never|don t|don't|cannot|can't|hate|allerg\w+|quit|stop\w*|avoid|"
        r"sick|gross|if|you|should|kid)\b",
        around,
        re.IGNORECASE,
    )


_DISH = (
    r"(?:pizzas?|tacos|sushi|pasta|spaghetti|lasagna|burgers?|hamburgers?|cheeseburgers?|hot "
    r"dogs?|steaks?|shrimp|crabs?|lobster|seafood|"
    r"salmon|tuna|chicken|turkey|bacon|eggs?|omelets?|cheese|chocolate|cakes?|cupcakes?|"
    r"cheesecake|cookies|ice cream|muffins?|brownies|candy|"
    r"granola|kale|salads?|mac and cheese|macaroni|fries|nachos|burritos?|chips|popcorn|donuts?|"
    r"pancakes|waffles|hummus|rice|noodles|ramen|"
    r"soup|sandwich(?:es)?|coffee|espresso|tea|beers?|wine|whiskey|scotch|vodka|soda|coke|pepsi|"
    r"juice|lattes?|cappuccino|milk|smoothies?|"
    r"hot cocoa|dr pepper|sprite|lemonade|kombucha|pumpkin spice|cheetos|doritos|pretzels|"
    r"pickles|watermelon|apples|bananas?|strawberries|"
    r"mangos?|grapes|avocados?|veggies|vegetables|broccoli|potatoes|beans|bread|bagels?|cereal|"
    r"oatmeal|yogurt|peanut butter|pie|"
    r"(?:chinese|mexican|italian|indian|thai|junk|fast|korean|japanese|greek|soul|vegan|spicy) "
    r"food|barbecue|bbq|ribs|wings|meat|fish|curry|eggplant|"
    r"meatloaf|brunch|sweets|snacks|gummy worms|jerky)"
)


_KINDS_OF_DISH = (
    r"(?:(?:iced|hot|fried|french|green|sweet|chocolate|black|red|white|craft|fresh|grilled|"
    r"vanilla|almond|deep dish|cheese|"
    r"pepperoni|strawberry|pumpkin|apple|chicken|beef|spicy|fancy|caramel|orange|diet|coconut|"
    r"soy|home ?made|buttered|organic|"
    r"baked|steamed|blueberry|banana|garlic|dark|herbal|chai|turkey|veggie|vegan|frozen|raw|"
    r"root)\s+)?"
)


_MEAL = (
    r"(?:just\s+)?(?:eat(?:ing|en)?|ate|had|have|having|drink(?:ing)?|drank|sipping(?:\s+on)?|"
    r"munching(?:\s+on)?|snacking(?:\s+on)?|cook(?:ing|ed)?|"
    r"mak(?:e|ing)|made|bak(?:e|ing)|craving|crave|ordering|ordered|order|grabb(?:ed|ing)|"
    r"finished|enjoying|sipped|pop(?:ping)?|use|grill(?:ing)?|get|getting)\s+"
    r"(?:up\s+|about\s+)?(?:(?:a|an|the|my|some|a lot of|lots of|too much|too many|more|a bunch "
    r"of|a cup of|a glass of|a bowl of|a huge glass of|a slice of|nothing but|"
    r"of|all|our|their|his|your|this|a nice|nice|big|huge|little|enough|way|mostly|only|out)"
    r"\s+)*"
)


# Names of music that nobody takes for anything else.
_ARTISTS = (
    r"(?:the beatles|beatles|metallica|nirvana|pearl jam|pink floyd|led zeppelin|iron maiden|"
    r"aerosmith|coldplay|radiohead|"
    r"taylor swift|justin bieber|justin timberlake|britney spears|lady gaga|katy perry|ed "
    r"sheeran|bruno mars|beyonce|rihanna|"
    r"eminem|kanye(?: west)?|jay z|drake|2pac|tupac|snoop dogg|elvis(?: presley)?|bob dylan|bob "
    r"marley|johnny cash|michael jackson|"
    r"elton john|david bowie|the rolling stones|rolling stones|fleetwood mac|bon jovi|green day|"
    r"blink 182|linkin park|foo fighters|"
    r"imagine dragons|maroon 5|one direction|backstreet boys|kid rock|garth brooks|dolly parton|"
    r"willie nelson|tim mcgraw|"
    r"blake shelton|luke bryan|carrie underwood|adele|mozart|beethoven|bach|frank sinatra|"
    r"madonna|u2|ac ?dc|guns (?:and|n) roses|"
    r"van halen|kings of leon|arctic monkeys|the strokes|red hot chili peppers|rage against the "
    r"machine|nine inch nails|kpop|bts)"
)

FAMILIES: tuple[Family, ...] = (
    family(
        "interests.play", "verb be", _PLAY, lists.nouns, modes="now", trust=IMPLIED, confidence=0.8
    ),
    family(
        "likes.listen", "verb be", _LISTEN, lists.nouns, modes="now", trust=WEAK, confidence=0.75
    ),
    family(
        "likes.meal",
        "verb be",
        rf"{_MEAL}(?=(?:(?!for\b|to\b|with\b|of\b|in\b)[\w-]+\s+){{0,2}}?{_DISH}\b)(?!to\b|"
        rf"for\b|in\b|with\b|no\b|shop\b|"
        rf"store\b|when\b|it\b|that\b|them\b|me\b|any\b|on\b|at\b|him\b|her\b|rid\b)",
        lists.nouns,
        modes="now past unreal",
        kind="statement",
        trust=0.55,
        confidence=0.65,
        check=_still_eaten,
    ),
    family(
        "likes.dish",
        "given",
        rf"\b(?={_KINDS_OF_DISH}{_DISH}\b(?!\s+(?:distributor|company|shop|store|factory|bread|"
        rf"industry|joint|restaurant|trucks?|maker|lab|eye)\b))(?!fish\b|get\b)",
        pursuits.named(_KINDS_OF_DISH + _DISH),
        trust=0.55,
        confidence=0.6,
        check=own_pastime,
    ),
    family(
        "likes.artist",
        "given",
        rf"\b(?={_ARTISTS}\b)",
        pursuits.named(_ARTISTS),
        trust=0.60,
        confidence=0.65,
        check=own_pastime,
    ),
    family(
        "likes.colour_worn",
        "given",
        r"\b(?:paint(?:ed|ing)?|dyed?|wear(?:ing)?|coloring)\s+(?:(?!not\b|never\b)"
        r"[\w']+\s+){0,5}?(?=(?:lime green|red|blue|green|yellow|orange|purple|pink|black|teal|"
        r"turquoise)\b)",
        readers.choice(
            r"(?:lime green|red|blue|green|yellow|orange|purple|pink|black|teal|"
            r"turquoise)\b"
        ),
        trust=0.55,
        confidence=0.6,
        check=own_pastime,
    ),
    family("likes.watch", "verb be", _WATCH, lists.nouns, modes="now", trust=WEAK, confidence=0.7),
    family("likes.reading", "verb be", _READ, lists.nouns, modes="now", trust=0.6, confidence=0.65),
    family(
        "likes.consume",
        "verb",
        r"(?:eat|drink|consume|order|live off of|live on|survive on|have|sip on|crave)\s+(?:a "
        r"lot of\s+|lots of\s+|"
        r"mostly\s+|only\s+|too much\s+|too many\s+|tons of\s+|plenty of\s+|my\s+|some\s+)*"
        r"(?!it\b|them\b|out\b|that\b|a\b|an\b|the\b|what\b|at\b|in\b|on\b|too\b|healthy\b|"
        r"meat\b|so\b|"
        r"to\b|lunch\b|dinner\b|breakfast\b|less\b|more\b|anything\b|everything\b|food\b|all\b|"
        r"alone\b|"
        r"with\b|there\b|when\b|like\b|well\b|right\b|clean\b|here\b|no\b|any\b|organic\w*\b|"
        r"and\b|of\b)",
        lists.nouns,
        modes="now",
        trust=WEAK,
        confidence=0.7,
        check=lambda m: not m[0].lower().startswith("have"),
    ),
)
