"""Kinds of things, and what belongs to each: 'pets' are dogs and cats. General knowledge, pure.

Who asks for instruments is answered by a sentence with a violin, which has no word of the question.
What belongs to a kind is either ordinary words, or names and titles that stand near certain words.
"""

from dataclasses import dataclass

from accounts.made_once import made_once
from memory.language.text import terms

# The words for a kind, and what belongs to it; several words are one thing with a blank.
_THINGS = {
    "instrument": """violin, viola, cello, clarinet, piano, keyboard, guitar, ukulele, bass, drum,
        flute, trumpet, trombone, saxophone, harp, oboe, banjo, harmonica, accordion, organ, fiddle,
        mandolin, recorder, tuba, horn, sitar, bagpipe""",
    "martial art": """karate, judo, taekwondo, kickboxing, boxing, jiu jitsu, aikido, kung fu, krav
        maga, muay thai, fencing, wrestling, capoeira, tai chi""",
    "sport|exercise|workout|training": """running, jogging, swimming, hiking, biking, cycling, yoga,
        pilates, tennis, badminton, squash, soccer, football, basketball, baseball, softball,
        volleyball, handball, hockey, rugby, cricket, golf, bowling, skiing, snowboarding, skating,
        skateboarding, surfing, sailing, rowing, kayaking, canoeing, climbing, bouldering,
        gymnastics, weightlifting, weights, strength training, circuit training, crossfit, aerobics,
        zumba, dancing, boxing, kickboxing, karate, judo, taekwondo, fencing, archery, triathlon,
        marathon, riding, diving, polo, table tennis, ping pong, walking, stretching""",
    "art|craft": """painting, drawing, sketching, pottery, sculpture, photography, knitting, sewing,
        crocheting, embroidery, weaving, collage, woodworking, carving, calligraphy, origami,
        abstract art, watercolor, print, mural, stained glass""",
    "hobby|pastime|interest": """reading, writing, cooking, baking, gardening, fishing, hunting,
        gaming, video games, board games, chess, puzzles, movies, watching films, cinema, music,
        singing, traveling, travelling, volunteering, meditation, journaling, photography, hiking,
        camping, birdwatching, bird watching, collecting, astronomy, coding, poetry, blogging,
        podcasts, crafting, crafts, theater, acting, improv""",
    "activity": """picnic, museum, beach, park, camping, hiking, road trip, roadtrip, festival,
        concert, workshop, game night, barbecue, zoo, playground, campfire, marshmallows, pottery,
        painting, shopping, spa, movie night, dinner, volunteering, charity, gym, horseback riding,
        stargazing, skydiving, rafting""",
    "pet|animal|creature": """dog, puppy, cat, kitten, bird, parrot, budgie, canary, fish, goldfish,
        hamster, guinea pig, rabbit, bunny, turtle, tortoise, snake, lizard, gecko, iguana, ferret,
        mouse, rat, gerbil, horse, pony, donkey, goat, sheep, cow, pig, chicken, hen, duck, goose,
        spider, tarantula, frog, hedgehog, dolphin, whale, elephant, bear, deer, fox, squirrel,
        tiger, lion, monkey, penguin, butterfly, bee, owl, eagle, hawk, hummingbird""",
    "event|gathering|occasion|celebration": """festival, parade, conference, workshop, race,
        marathon, concert, meeting, fair, competition, contest, exhibition, exhibit, art show, trade
        show, talent show, fashion show, gala, ceremony, wedding, party, birthday, graduation,
        march, rally, protest, fundraiser, fundraising, tournament, auction, convention, retreat,
        reunion, speech, support group, poetry reading, book reading, seminar, course, class,
        launch, grand opening, premiere, picnic, game night, charity, food drive, toy drive,
        donation drive, networking event, summer camp, hackathon, open mic, tour, gathering,
        mentoring program, mentorship program, campaign, cleanup, hike""",
    "food|dish|meal|snack|recipe|cuisine": """pizza, pasta, lasagna, spaghetti, rice, sushi, ramen,
        noodle, curry, soup, stew, salad, sandwich, burger, steak, chicken, fish, salmon, tuna,
        shrimp, lobster, beef, pork, lamb, bacon, egg, omelette, pancake, waffle, taco, burrito,
        stir fry, roast, risotto, dumpling, bread, toast, cheese, yogurt, fruit, vegetable, apple,
        banana, berry, strawberry, blueberry, raspberry, mango, grapes, orange, lemon, coconut,
        avocado, tomato, potato, fries, beans, tofu, hummus, falafel, popcorn, chips, nuts, almond,
        peanut, oatmeal, cereal, cake, pie, cookie, brownie, muffin, ice cream, chocolate, tart,
        pudding, cupcake, donut, croissant, smoothie, parfait, kebab, casserole, chili, honey, jam,
        Italian, Chinese, Mexican, Indian, Thai, Japanese, Ethiopian, Greek""",
    "dessert|sweet|treat|baked goods": """cake, cheesecake, pie, cookie, brownie, muffin, ice cream,
        chocolate, tart, pudding, cupcake, donut, croissant, mousse, parfait, sorbet, gelato,
        pastry, candy, tiramisu, macaron, fudge, cobbler, custard, banana split, sundae""",
    "drink|beverage": """coffee, tea, water, milk, juice, soda, lemonade, beer, wine, cocktail,
        smoothie, hot chocolate, whiskey, gin, rum, vodka, cider, espresso, latte, kombucha""",
    "music|genre|music style": """rock, pop, jazz, classical, folk, country, blues, metal, punk,
        rap, hip hop, reggae, soul, electronic, techno, indie, opera, gospel, disco, funk""",
    "dance|dance style": """ballet, salsa, tango, waltz, hip hop, contemporary, jazz, tap, ballroom,
        swing, flamenco, breakdance, foxtrot, rumba, modern""",
    "relative|family member": """mother, mom, mum, father, dad, sister, brother, wife, husband, son,
        daughter, grandmother, grandma, grandfather, grandpa, aunt, uncle, cousin, niece, nephew,
        twin, stepmother, stepfather""",
    "job|profession|occupation|career": """teacher, nurse, doctor, engineer, lawyer, accountant,
        banker, chef, cook, waiter, waitress, barista, cashier, driver, pilot, writer, author,
        journalist, editor, designer, artist, musician, actor, programmer, developer, manager,
        consultant, analyst, scientist, researcher, counselor, therapist, psychologist, dancer,
        coach, trainer, mechanic, electrician, plumber, carpenter, farmer, gardener, hairdresser,
        photographer, librarian, professor, soldier, police, firefighter, politician, salesman""",
    "language": """English, German, French, Spanish, Italian, Portuguese, Dutch, Danish, Swedish,
        Norwegian, Finnish, Polish, Czech, Russian, Ukrainian, Greek, Turkish, Arabic, Hebrew,
        Hindi, Urdu, Bengali, Chinese, Mandarin, Cantonese, Japanese, Korean, Vietnamese, Thai,
        Latin, sign language""",
    "plant|flower|tree|vegetable": """rose, tulip, lily, daisy, sunflower, orchid, lavender, violet,
        peony, poppy, cactus, succulent, fern, ivy, basil, mint, rosemary, thyme, parsley, tomato,
        pepper, cucumber, carrot, bean, pea, pumpkin, zucchini, lettuce, spinach, potato, onion,
        garlic, strawberry, oak, pine, maple, birch, willow, palm""",
    "color|colour": """red, blue, green, yellow, orange, purple, violet, pink, brown, black, white,
        grey, gray, gold, silver, turquoise, beige""",
    "vehicle|car": """car, bike, bicycle, motorcycle, motorbike, scooter, truck, van, bus, boat,
        canoe, train, tram, convertible, camper, Toyota, Honda, Ford, Tesla, Volvo, BMW, Audi,
        Mercedes, Jeep, Subaru, Volkswagen, Renault, Fiat, Ferrari""",
    "illness|allergy|condition|injury|health problem": """asthma, diabetes, allergy, allergic, flu,
        fever, cold, migraine, headache, anxiety, depression, arthritis, insomnia, eczema, broken,
        sprained, ankle, knee, back pain, heart, stress, nuts, gluten, lactose, pollen, dust, fur,
        dairy""",
    "school subject|subject|field|degree": """mathematics, math, physics, chemistry, biology,
        history, geography, art, music, literature, psychology, economics, law, medicine, nursing,
        engineering, computer science, philosophy, sociology, counseling, education, marketing,
        business, finance, design, political science, journalism""",
    "cause|issue|area|problem": """education, healthcare, health, mental health, infrastructure,
        environment, climate, poverty, homelessness, hunger, veterans, schools, housing, crime,
        safety, equality, rights, animals, children, unemployment, pollution""",
    "clothes|clothing|garment|accessory": """shirt, blouse, dress, skirt, trousers, jeans, jacket,
        coat, sweater, hoodie, hat, scarf, gloves, shoes, boots, sneakers, socks, suit, tie, belt,
        ring, necklace, bracelet, earrings, watch, bag, backpack""",
    "game|video game|board game": """chess, checkers, poker, monopoly, scrabble, catan, risk, cards,
        charades, dominoes, zelda, mario, minecraft, fortnite, tetris, pokemon""",
    "genre|kind of film|movie genre": """comedy, romance, romantic, romcom, action, thriller,
        horror, drama, dramas, sci-fi, science fiction, fantasy, mystery, documentary, superhero,
        animated, historical, adventure, western, crime""",
}
# Names, told from each other by a capital letter.
_NAMED = {
    "country|european country|place|destination|holiday|vacation": """Argentina, Australia, Austria,
        Belgium, Brazil, Bulgaria, Cambodia, Canada, Chile, China, Colombia, Croatia, Cuba, Cyprus,
        Denmark, Egypt, England, Estonia, Ethiopia, Finland, France, Germany, Ghana, Greece,
        Hungary, Iceland, India, Indonesia, Iran, Iraq, Ireland, Israel, Italy, Jamaica, Japan,
        Kenya, Korea, Latvia, Lebanon, Lithuania, Malaysia, Malta, Mexico, Morocco, Nepal,
        Netherlands, Nigeria, Norway, Pakistan, Peru, Philippines, Poland, Portugal, Romania,
        Russia, Scotland, Serbia, Singapore, Slovakia, Slovenia, Spain, Sweden, Switzerland, Taiwan,
        Tanzania, Thailand, Tunisia, Turkey, Uganda, Ukraine, Uruguay, Vietnam, Wales""",
    "state|us state|place|destination": """Alabama, Alaska, Arizona, Arkansas, California, Colorado,
        Connecticut, Delaware, Florida, Georgia, Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas,
        Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota, Mississippi,
        Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New York, North
        Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina,
        South Dakota, Tennessee, Texas, Utah, Vermont, Virginia, Washington, Wisconsin, Wyoming,
        East Coast, West Coast, Pacific Northwest""",
    "city|town|place|destination": """Amsterdam, Athens, Atlanta, Austin, Baltimore, Bangkok,
        Barcelona, Beijing, Belgrade, Berlin, Bogota, Boston, Brussels, Budapest, Cairo, Chicago,
        Cologne, Copenhagen, Dallas, Delhi, Denver, Detroit, Dubai, Dublin, Edinburgh, Florence,
        Frankfurt, Geneva, Glasgow, Hamburg, Helsinki, Hong Kong, Houston, Istanbul, Jakarta, Kyiv,
        Kyoto, Las Vegas, Leipzig, Lima, Lisbon, Liverpool, London, Los Angeles, Lyon, Madrid,
        Manchester, Manila, Melbourne, Miami, Milan, Minneapolis, Montreal, Moscow, Mumbai, Munich,
        Nairobi, Naples, Nashville, New Orleans, New York, Orlando, Osaka, Oslo, Ottawa, Oxford,
        Paris, Philadelphia, Phoenix, Portland, Porto, Prague, Rio, Rome, San Diego, San Francisco,
        Santiago, Seattle, Seoul, Shanghai, Singapore, Stockholm, Sydney, Tampa, Tokyo, Toronto,
        Turin, Vancouver, Venice, Vienna, Warsaw, Washington, Zurich, Dresden, Hanover, Stuttgart,
        Dusseldorf, Düsseldorf, Bremen, Bonn, Nuremberg, Dortmund, Freiburg, Heidelberg, Kiel,
        Mainz, Potsdam, Rostock, Weimar, Erfurt, Chemnitz, Görlitz, Aachen, Münster, Lübeck,
        Salzburg, Graz, Innsbruck, Linz, Basel, Bern, Lausanne, Lucerne, Antwerp, Ghent, Bruges,
        Rotterdam, Utrecht, Marseille, Bordeaux, Toulouse, Lille, Strasbourg, Valencia, Seville,
        Granada, Malaga, Bilbao, Bologna, Palermo, Genoa, Verona, Trieste, Krakow, Gdansk, Wroclaw,
        Poznan, Brno, Bratislava, Ljubljana, Zagreb, Dubrovnik, Sarajevo, Bucharest, Riga, Tallinn,
        Vilnius, Gothenburg, Malmö, Aarhus, Reykjavik, Birmingham, Bristol, Leeds, Cardiff, Galway,
        Belfast, Newcastle, Sheffield, Cambridge, Brighton, Glasgow, Marrakesh, Casablanca, Lagos,
        Accra, Johannesburg, Cape Town, Tel Aviv, Jerusalem, Beirut, Amman, Bangalore, Kolkata,
        Chennai, Hanoi, Saigon, Taipei, Shenzhen, Guangzhou, Buenos Aires, Montevideo, Quito,
        Havana, Mexico City, Calgary, Brisbane, Perth, Adelaide, Auckland, Wellington,
        Philadelphia, Pittsburgh, Cleveland, Cincinnati, Columbus, Houston, Phoenix, Denver""",
}
# Kinds whose things have a name of their own, and words that stand near it. The sign tells a title
# in quotation marks from a name.
_NEAR = {
    "book|novel|story|author|series": ("title", "book novel read reading author story series"),
    "movie|film|show|series": ("title", "movie film watch watched show series seen saw"),
    "song|track|tune|album": ("title", "song album track listen sing tune"),
    "game|video game|board game": ("title", "game play played playing"),
    "band|artist|musician|singer|composer|musical artist": (
        "name",
        "band concert singer song music musician artist performed listen classical gig",
    ),
    "pet name": ("name", "pet dog puppy cat kitten bird parrot hamster rabbit turtle horse"),
    "child name|kid name|son|daughter": ("name", "son daughter kid child baby"),
    "friend|colleague|neighbor|people": ("name", "friend buddy pal colleague neighbor roommate"),
}


@dataclass(frozen=True)
class Kind:
    """What belongs to a kind: `things` as words, each with whether it is written as a name.

    `near`: the words that names (`titles`: in quotation marks) of it stand beside.
    """

    things: dict[tuple[str, ...], bool]
    near: tuple[str, ...] = ()
    titles: bool = False


def kind_of(asked: str) -> Kind | None:
    """The kind that a question asks for, by the last of its nouns that names one.

    `asked` is what stands between 'which' and the verb: 'outdoor activities', 'musical artists'.
    """
    words = [singular(word) for word in terms.words(asked)]
    for length in (3, 2, 1):
        for first in range(len(words) - length, -1, -1):
            found = _kinds().get(" ".join(words[first : first + length]))
            if found is not None:
                return found
    return None


@made_once
def _kinds() -> dict[str, Kind]:
    made: dict[str, Kind] = {}
    for table, named in ((_THINGS, False), (_NAMED, True)):
        for heads, listed in table.items():
            things = {
                tuple(one.lower().split()): named or one[0].isupper() for one in _each(listed)
            }
            for head in heads.split("|"):
                before = made.get(head, Kind({}))
                made[head] = Kind({**before.things, **things})
    for wide, narrow in _WIDER.items():
        things = {thing: named for one in narrow for thing, named in made[one].things.items()}
        made[wide] = Kind({**made[wide].things, **things})
    for heads, (sign, near) in _NEAR.items():
        for head in heads.split("|"):
            before = made.get(head, Kind({}))
            made[head] = Kind(before.things, tuple(near.split()), sign == "title")
    return made


def named(head: str) -> Kind:
    """The kind of that name."""
    return _kinds()[head]


# Kinds of what people do, which they also say as verbs.
DOING = ("activity", "sport", "hobby", "art")
# Kinds that hold others.
_WIDER = {
    "hobby": ("art", "sport"),
    "activity": ("hobby", "art", "sport"),
    "interest": ("hobby", "art", "sport"),
    "pastime": ("hobby", "art", "sport"),
}


def _each(listed: str) -> list[str]:
    return [" ".join(one.split()) for one in listed.split(",") if one.strip()]


def singular(word: str) -> str:
    """'puppy' for 'puppies'."""
    for ending, puts in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("xes", "x")):
        if word.endswith(ending) and word not in ("movies", "series"):
            return word[: -len(ending)] + puts
    return word[:-1] if word.endswith("s") and word not in ("series", "clothes", "goods") else word
