"""Things people might say, made from templates: made up, but with words as common and as rare as
in ordinary talk, so that an index meets both.
"""

import random
from collections.abc import Sequence

_PEOPLE = """
    sister brother mother father cousin aunt uncle neighbour colleague boss friend roommate partner
    grandmother grandfather nephew niece coach teacher dentist landlord trainer mentor barber
""".split()
_ACTIVITIES = """
    hiking swimming climbing painting knitting baking gardening fishing sailing skiing running
    cycling reading singing dancing camping surfing rowing fencing juggling pottery chess karate
    yoga photography calligraphy woodworking birdwatching beekeeping archery volunteering sewing
""".split()
_THINGS = """
    bicycle guitar piano violin camera laptop kitchen garden balcony sofa lamp kettle tent kayak
    telescope backpack notebook printer headset car scooter bookshelf mirror carpet blanket vase
    drill ladder aquarium fireplace fridge oven window roof fence mailbox umbrella suitcase ticket
    passport wallet necklace bracelet watch coat boots scarf helmet racket ball puzzle novel poem
    letter invoice contract deadline report budget meeting project server database spreadsheet
""".split()
_FOODS = """
    pasta pizza sushi curry soup salad bread cheese pancakes waffles dumplings noodles rice beans
    lentils tofu salmon shrimp steak chicken lasagna risotto tacos burrito falafel hummus olives
    apples pears plums cherries mango pineapple chocolate cookies muffins cake pie pudding honey
    coffee tea juice cider lemonade mustard garlic ginger pepper cinnamon vanilla pumpkin spinach
""".split()
_PLACES = """
    Porto Lisbon Madrid Seville Paris Lyon Nantes Berlin Hamburg Munich Vienna Graz Prague Brno
    Warsaw Krakow Budapest Athens Rome Turin Milan Naples Oslo Bergen Stockholm Malmo Helsinki
    Tallinn Riga Dublin Cork Glasgow Leeds Bristol Boston Denver Austin Seattle Toronto Montreal
    Lima Quito Bogota Santiago Tokyo Kyoto Seoul Hanoi Bangkok Sydney Perth Auckland Nairobi Cairo
""".split()
_FEELINGS = """
    happy nervous proud tired excited anxious relieved grateful curious annoyed calm surprised
    lonely hopeful bored confident embarrassed jealous thrilled worried overwhelmed cheerful
""".split()
_ANIMALS = """
    dog cat hamster rabbit parrot goldfish turtle horse pony kitten puppy lizard canary hedgehog
""".split()
_TIMES = (
    "yesterday",
    "today",
    "recently",
    "again",
    "last week",
    "last month",
    "last summer",
    "on Monday",
    "on Friday",
    "in March",
    "in October",
    "two weeks ago",
    "this morning",
    "since 2019",
    "for three years",
)
_VERBS = """
    bought sold repaired borrowed lost found cleaned painted ordered wanted noticed described
    finished started planned cancelled visited missed enjoyed hated tried learned forgot mentioned
""".split()
_TEMPLATES = (
    "I {verb} the {thing} with my {person} {time}",
    "My {person} {verb} a {thing} in {place} {time}",
    "We went {activity} near {place} {time} and I felt {feeling}",
    "I cooked {food} with {food} for my {person} {time}",
    "The {animal} of my {person} ran off with the {thing}",
    "Do you know a good place for {activity} in {place}?",
    "I have been {activity} with {name} {time}",
    "{name} from {place} gave me a {thing}, and I was {feeling}",
    "Can you help me with the {thing} for {name}?",
    "I prefer {food} over {food}, my {person} says the {thing} matters more",
    "That sounds lovely, was the {person} {feeling} about the {thing}?",
    "You could try {activity}, it helps when one feels {feeling}",
    "At work {name} {verb} the {thing} {time}, so the {thing} has to wait",
    "We moved from {place} to {place} {time} with the {animal}",
    "I am reading a {thing} about {activity} by {name}",
    "How was the {food} in {place}?",
    "Sure, here is a plan: first the {thing}, then the {thing}, and {activity} in the evening",
    "My {person} is allergic to {food} and {food}, so we made {food}",
)
_BEGINNINGS = """
    Har Mill Ash Oak Win Bel Cor Dun El Fal Gren Hol Ing Jar Kel Lun Mar Nor Ost Pen Quill Ros Stan
    Thorn Ul Ver Wal Yar Zell Brant Cald Drum Esk Finn Gar Heath Isk Kirk Lang Mos
""".split()
_ENDINGS = """
    brook ford ley wood ton field worth stead dale mere ridge well by wick shaw gate combe hurst
    bury den moor beck cliff lund holt
""".split()
_KINDS: dict[str, Sequence[str]] = {
    "person": _PEOPLE,
    "activity": _ACTIVITIES,
    "thing": _THINGS,
    "food": _FOODS,
    "place": _PLACES,
    "feeling": _FEELINGS,
    "animal": _ANIMALS,
    "time": _TIMES,
    "verb": _VERBS,
    "name": [first + last for first in _BEGINNINGS for last in _ENDINGS],
}

QUESTIONS = (
    "What did my sister buy?",
    "Where did we go hiking last summer?",
    "Which pet does my cousin have?",
    "When did I move to Porto?",
    "Who is Harbrook?",
    "What did I cook for my grandmother in October?",
    "What did Oakford say about the contract and the deadline of the project in Berlin?",
    "Does anyone in my family play an instrument?",
    "Which of my friends felt nervous after sailing near Lisbon two weeks ago?",
    "What should I drink in the morning?",
)


def sentences(count: int, seed: int = 1) -> list[str]:
    """`count` different remarks of one to three sentences; the same every time."""
    chance = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        parts = [_sentence(chance) for _ in range(chance.choice((1, 1, 1, 2, 2, 3)))]
        made.setdefault(" ".join(parts))
    return list(made)


def _sentence(chance: random.Random) -> str:
    text = chance.choice(_TEMPLATES)
    while "{" in text:
        kind = text[text.index("{") + 1 : text.index("}")]
        text = text.replace("{" + kind + "}", _word(chance, kind), 1)
    return text if text.endswith("?") else text + "."


def _word(chance: random.Random, kind: str) -> str:
    """Few words are common and most are rare, as in any talk."""
    words = _KINDS[kind]
    return words[min(int(chance.paretovariate(0.3)) - 1, 10**9) % len(words)]
