"""Things that people like to eat, hear, watch and do, as alternatives for patterns.

Unlike :mod:`lexicons.lexicon`, which decides doubtful cases, these lists name what is noticed
when somebody merely mentions it: "had some ramen", "saw Metallica". Hand-written, lower case, the
longest wording of a thing first where one begins another.
"""

from __future__ import annotations

import re

Tree = dict[str, "Tree"]
_END = ""


def _alternatives(text: str) -> str:
    """A pattern for the comma-separated entries of a list; where one begins another, the longer.

    The entries share their beginnings, so that a word is compared letter by letter and not entry
    by entry: hundreds of names cost about as much as ten.
    """
    tree: Tree = {}
    for entry in (" ".join(part.split()) for part in text.split(",")):
        at = tree
        for letter in entry:
            at = at.setdefault(letter, {})
        at[_END] = {}
    return _pattern(tree)


def _pattern(tree: Tree) -> str:
    """The pattern of what may follow, letters before the end so that the longest entry wins."""
    ways = [re.escape(letter) + _pattern(rest) for letter, rest in sorted(tree.items()) if letter]
    joined = ways[0] if len(ways) == 1 and _END not in tree else f"(?:{'|'.join(ways)})"
    return "" if not ways else joined + ("?" if _END in tree else "")


FOODS = _alternatives("""
tempura, udon, wontons, fried rice, lo mein, chow mein, paella, tapas, tortellini, carbonara, pesto,
chili dogs, queso, tortillas, chicken nuggets, chicken tenders, mozzarella sticks, grilled cheese,
french toast, omelettes, filet mignon, pork chops, tilapia, crab legs, scallops, mussels, chowder,
fish and chips, collard greens, cornbread, brussels sprouts, jalapenos, coleslaw, blackberries,
cantaloupe, grapefruit, pomegranate, raisins, walnuts, potato chips, cheddar, brie, feta, mocha,
gatorade, calzones, anchovies, bibimbap, sauerkraut, schnitzel, pierogies, goulash, quiche, souffle,
fondue, baklava, sourdough, beef jerky, tater tots, hash browns, artichokes, chickpeas, toffee,
cotton candy, funnel cake, churros, empanadas, ceviche, edamame, bubble tea, mac n cheese,
cinnamon rolls, clams,
pizza, pizzas, taco, tacos, sushi, sashimi, pasta, spaghetti, lasagna, ravioli, gnocchi,
fettuccine, alfredo, risotto, burger, burgers, hamburger, hamburgers, cheeseburger, cheeseburgers,
hot dog, hot dogs, hotdogs, corn dogs, steak, steaks, shrimp, shrimps, crab, crabs, lobster,
lobsters, seafood, salmon, tuna, oysters, clams, calamari, sardines, chicken, turkey, bacon, egg,
eggs, omelet, omelets, omelette, cheese, chocolate, chocolates, cake, cakes, cupcake, cupcakes,
cheesecake, cookie, cookies, ice cream, gelato, sorbet, muffin, muffins, brownie, brownies, candy,
candies, fudge, caramel, granola, granola bar, granola bars, kale, salad, salads, mac and cheese,
macaroni, fries, french fries, nachos, burrito, burritos, quesadillas, enchiladas, fajitas,
tamales, chips, popcorn, donut, donuts, doughnuts, pancake, pancakes, waffle, waffles, crepes,
hummus, falafel, rice, noodles, ramen, pho, pad thai, dumplings, dim sum, egg rolls, spring rolls,
kimchi, tofu, tempeh, soup, soups, chowder, stew, chili, gumbo, jambalaya, sandwich, sandwiches,
wraps, gyros, kebabs, kebab, shawarma, curry, tikka masala, naan, samosas, coffee, espresso, latte,
lattes, cappuccino, frappuccino, tea, teas, green tea, iced tea, sweet tea, chai, matcha, beer,
beers, wine, red wine, white wine, champagne, whiskey, whisky, bourbon, scotch, vodka, gin and
tonic, gin and tonics, rum and coke, gin, tequila, margaritas, mojitos, martinis, cocktails, cider,
soda, sodas, coke, pepsi, root beer, ginger ale, mountain dew, dr pepper, sprite, lemonade,
kombucha, juice, orange juice, apple juice, milk, almond milk, soy milk, milkshake, milkshakes,
milk shakes, smoothie, smoothies, hot chocolate, hot cocoa, cocoa, energy drinks, red bull, pumpkin
spice, cheetos, doritos, oreos, skittles, snickers, reeses, twinkies, pop tarts, pretzel, pretzels,
pickles, watermelon, apples, banana, bananas, strawberry, strawberries, blueberries, raspberries,
cherries, peaches, mango, mangos, mangoes, grape, grapes, pineapple, pineapples, kiwis, coconuts,
lemons, avocado, avocados, guacamole, veggies, vegetables, broccoli, cauliflower, carrots, spinach,
asparagus, brussel sprouts, cabbage, onions, corn on the cob, peas, green beans, zucchini,
cucumbers, tomatoes, onion rings, garlic bread, peppers, mushrooms, eggplant, potato, potatoes,
mashed potatoes, sweet potatoes, yams, beans, lentils, bread, bagel, bagels, croissants, cereal,
oatmeal, porridge, yogurt, yoghurt, peanut butter, nutella, maple syrup, syrup, pie, pies, apple
pie, pudding, custard, tiramisu, macarons, jello, marshmallows, s'mores, chinese food, mexican
food, italian food, indian food, thai food, junk food, fast food, korean food, japanese food, greek
food, soul food, vegan food, spicy food, spicy foods, sea food, comfort food, takeout, barbecue,
barbeque, bbq, brisket, pulled pork, ribs, wings, chicken wings, hot wings, buffalo wings, chicken
nuggets, fried chicken, orange chicken, meat, meats, red meat, beef, pork, veal, venison, sausage,
sausages, bratwurst, ham, salami, pepperoni, beef jerky, meatloaf, meatballs, pot roast, roast
beef, casserole, casseroles, fish, fish sticks, caviar, escargot, brunch, sweets, desserts,
dessert, snacks, gummy bears, gummy worms, lollipops, licorice, ketchup, hot sauce, mayo, almonds,
peanuts, cashews, pistachios, sunflower seeds, trail mix, protein shakes, seaweed, quinoa,
couscous, poutine, borscht, pierogi
""")

KINDS_OF_FOOD = _alternatives("""
iced, hot, fried, french, green, sweet, chocolate, black, red, white, craft, fresh, grilled,
vanilla, almond, deep dish, cheese, pepperoni, strawberry, pumpkin, chicken, beef, spicy, fancy,
caramel, orange, diet, coconut, soy, homemade, home made, buttered, organic, baked, steamed,
blueberry, banana, garlic, dark, herbal, chai, turkey, veggie, vegan, frozen, raw, root, mint,
lemon, cherry, peach, mango, raspberry, cinnamon, peanut butter, bbq, barbecue, buffalo, pork,
fish, shrimp, lobster, crab, tuna, salmon, egg, bacon, ham, oatmeal, carrot, birthday, kettle,
tortilla, potato, tomato, chinese, mexican, italian, indian, thai, japanese, korean, greek, pesto,
stuffed, smoked, roasted, boiled, scrambled, poached, leftover, gourmet, artisan, imported, cheap,
domestic, light, cold, cold brew, gluten free, sugar free, whole wheat
""")

_ARTISTS = """
the beatles, beatles, metallica, nirvana, pearl jam, pink floyd, led zeppelin, iron maiden,
aerosmith, coldplay, radiohead, taylor swift, justin bieber, justin timberlake, britney spears,
lady gaga, katy perry, ed sheeran, bruno mars, beyonce, rihanna, eminem, kanye, kanye west, jay z,
drake, 2pac, tupac, snoop dogg, biggie, ice cube, dr dre, kendrick lamar, lil wayne, nicki minaj,
cardi b, post malone, travis scott, elvis, elvis presley, bob dylan, bob marley, johnny cash,
michael jackson, prince and the revolution, elton john, billy joel, david bowie, the rolling
stones, rolling stones, fleetwood mac, bon jovi, green day, blink 182, linkin park, foo fighters,
imagine dragons, maroon 5, one direction, backstreet boys, nsync, spice girls, kid rock, garth
brooks, dolly parton, willie nelson, tim mcgraw, blake shelton, luke bryan, carrie underwood,
kenny chesney, george strait, shania twain, faith hill, toby keith, jason aldean, florida georgia
line, keith urban, adele, sam smith, ariana grande, selena gomez, miley cyrus, demi lovato, shawn
mendes, harry styles, billie eilish, lana del rey, lorde, dua lipa, the weeknd, frank ocean,
childish gambino, alicia keys, john legend, mariah carey, whitney houston, celine dion, madonna,
cher, abba, queen the band, mozart, beethoven, bach, chopin, vivaldi, frank sinatra, ella
fitzgerald, louis armstrong, miles davis, john coltrane, u2, r.e.m., the cure, depeche mode, the
smiths, joy division, new order, duran duran, the police band, ac dc, acdc, ac/dc, guns n roses,
guns and roses, van halen, def leppard, motley crue, kiss the band, black sabbath, ozzy osbourne,
judas priest, megadeth, slayer, anthrax, pantera, slipknot, korn, limp bizkit, system of a down,
disturbed the band, avenged sevenfold, tool the band, nine inch nails, marilyn manson, rob zombie,
rammstein, kings of leon, arctic monkeys, the strokes, the killers, the white stripes, red hot
chili peppers, rage against the machine, soundgarden, alice in chains, stone temple pilots,
smashing pumpkins, weezer, the offspring, sum 41, good charlotte, fall out boy, my chemical
romance, panic at the disco, paramore, twenty one pilots, all time low, bring me the horizon,
mumford and sons, the lumineers, bon iver, vampire weekend, tame impala, gorillaz, daft punk, the
chemical brothers, skrillex, deadmau5, avicii, calvin harris, the grateful dead, grateful dead,
phish, dave matthews band, jimi hendrix, janis joplin, the doors, the who band, creedence
clearwater revival, lynyrd skynyrd, the eagles band, tom petty, bruce springsteen, neil young,
simon and garfunkel, the beach boys, stevie wonder, marvin gaye, aretha franklin, james brown, ray
charles, insane clown posse, jimmy buffett, waylon jennings, hank williams, merle haggard, patsy
cline, reba mcentire, kpop, k-pop, k pop, bts, blackpink, avett brothers
"""

_SHOWS = """
star wars, star trek, harry potter, lord of the rings, the hobbit, game of thrones, breaking bad,
better call saul, stranger things, the walking dead, walking dead, the big bang theory, big bang
theory, how i met your mother, the simpsons, simpsons, family guy, south park, rick and morty,
spongebob, spongebob squarepants, adventure time, bob's burgers, bobs burgers, futurama, american
horror story, law and order, criminal minds, ncis, csi, greys anatomy, grey's anatomy, the
bachelor, the bachelorette, survivor the show, american idol, the voice show, dancing with the
stars, project runway, top chef, chopped, the great british bake off, gilmore girls, gossip girl,
pretty little liars, vampire diaries, the vampire diaries, buffy the vampire slayer, doctor who,
dr who, sherlock, supernatural the show, the x files, x files, twin peaks, the sopranos, the wire,
mad men, house of cards, orange is the new black, black mirror, parks and recreation, seinfeld,
frasier, the office show, arrested development, it's always sunny, modern family, full house,
fuller house, i love lucy, golden girls, the golden girls, jeopardy, wheel of fortune, the price
is right, the twilight zone, twilight zone, dragon ball z, naruto, one piece anime, attack on
titan, pokemon, sailor moon, studio ghibli, my little pony, the avengers, iron man, batman movies,
superman movies, spiderman, wonder woman, guardians of the galaxy, the matrix, pulp fiction, fight
club, the godfather, forrest gump, titanic, the notebook, dirty dancing, pretty woman, sixteen
candles, the breakfast club, ghostbusters, back to the future, jurassic park, indiana jones, james
bond, toy story, finding nemo, the lion king, lion king, beauty and the beast, the little mermaid,
frozen the movie, twilight saga, the hunger games, hunger games, divergent, fifty shades, pride
and prejudice, jane eyre, anne of green gables, little women, to kill a mockingbird, the great
gatsby, catcher in the rye, lord of the flies, stephen king, agatha christie, jane austen, george
rr martin, terry pratchett, neil gaiman, dan brown, james patterson, nicholas sparks, john
grisham, john green, dr seuss, shakespeare, edgar allan poe, manga, marvel comics, marvel movies,
dc comics, x men, call of duty, world of warcraft, league of legends, overwatch, fortnite,
minecraft, the sims, skyrim, fallout 4, zelda, the legend of zelda, super mario, mario kart, grand
theft auto, candy crush, dungeons and dragons, magic the gathering, world of tanks, counter
strike, dota, halo game, final fantasy, animal crossing, stardew valley, assassins creed, dark
souls, candyland, monopoly, scrabble
"""
NAMES = _alternatives(f"{_ARTISTS},{_SHOWS}")
"""Music, films, series, books and games that are taken for nothing else."""

PASTIMES = _alternatives("""
ice hockey, speed skating, boogie boarding, longboarding, snowshoeing, beach volleyball,
off roading, mudding, hip hop dancing, spin class, card making, beading, needlework, journaling,
blogging,
restoring cars, fixing cars, car shows, art galleries, larping, renaissance fairs, arm wrestling,
water aerobics, powerlifting, magic the gathering, pokemon go, tarot, astrology, dog shows,
mountain biking, trail running, weight lifting, weightlifting, lifting weights, power lifting,
bodybuilding, body building, calisthenics, aerobics, spinning classes, kickboxing, mma, jiu jitsu,
judo, taekwondo, fencing, archery, paintball, laser tag, target shooting, skeet shooting, rock
climbing, bouldering, mountain climbing, hang gliding, paragliding, bungee jumping, sky diving,
skydiving, base jumping, parkour, roller skating, rollerblading, roller derby, ice skating, figure
skating, sledding, wakeboarding, water skiing, jet skiing, windsurfing, kite surfing, paddle
boarding, paddleboarding, canoeing, rafting, white water rafting, boating, scuba, snorkelling,
deep sea fishing, fly fishing, ice fishing, bass fishing, deer hunting, duck hunting, backpacking,
geocaching, bird watching, birdwatching, stargazing, star gazing, metal detecting, gold panning,
foraging, beekeeping, horseback riding, horse riding, horse racing, dirt biking, motocross, atv
riding, four wheeling, drag racing, street racing, go karting, car racing, racing cars, auto
racing, rodeo, bull riding, line dancing, salsa dancing, swing dancing, ballroom dancing, tap
dancing, belly dancing, break dancing, square dancing, pole dancing, hula hooping, cheer leading,
gymnastics, trampolining, quilting, cross stitching, cross stitch, embroidery, needlepoint,
weaving, macrame, origami, calligraphy, wood working, woodworking, wood carving, whittling,
carpentry, blacksmithing, metalworking, glass blowing, jewelry making, candle making, soap making,
ceramics, sculpture, watercolors, water colors, oil painting, sketching, doodling, adult coloring
books, photo editing, film making, filmmaking, vlogging, podcasting, creative writing,
songwriting, song writing, fan fiction, poetry slams, improv, stand up comedy, standup comedy,
community theater, musical theater, musicals, broadway shows, broadway musicals, magic tricks,
juggling, karaoke, open mic nights, djing, beatboxing, classical music, electronic music, edm,
techno, house music, dubstep, punk rock, indie rock, indie music, heavy metal, death metal,
grunge, blues music, bluegrass, gospel music, r and b, reggae, salsa music, latin music, show
tunes, romantic comedies, rom coms, romcoms, horror films, horror movies, scary movies, action
movies, sci fi movies, disney movies, documentaries, soap operas, telenovelas, reality shows,
reality tv, game shows, cooking shows, crime shows, true crime, murder mysteries, cartoons,
sitcoms, k dramas, kdramas, stand up, card games, board games, video games, video gaming, computer
games, online games, mobile games, role playing games, table top games, tabletop games, jigsaw
puzzles, sudoku, crossword puzzles, word games, word searches, checkers, backgammon, dominoes,
billiards, mahjong, blackjack, slot machines, gambling, casinos, fantasy football, pinball, arcade
games, escape rooms, stamp collecting, coin collecting, collecting stamps, collecting coins,
antiquing, thrifting, thrift stores, garage sales, yard sales, flea markets, couponing, home
improvement, home decorating, interior decorating, landscaping, flower arranging, model trains,
model airplanes, robotics, meditation, meditating, sunbathing, people watching, sleeping in,
daydreaming, road trips, road tripping, sight seeing, theme parks, amusement parks, roller
coasters, rollercoasters, water parks, music festivals, farmers markets, wine tasting, craft beer,
home brewing, homebrewing, barbecuing, grilling, baking bread, cake decorating, mixology,
volleyball, badminton, racquetball, pickleball, water polo, cricket, lacrosse, field hockey,
rugby, ultimate frisbee, frisbee, disc golf, mini golf, kickball, dodgeball, ping pong, table
tennis, cornhole, horseshoes, bobsledding, formula 1, formula one, ufc, wwe, pro wrestling, boxing
matches, marathons, half marathons, triathlons, track and field, cross country running, crossfit,
zumba, pilates, tai chi, yoga classes, hot yoga, nature walks, long walks, walks on the beach,
walking on the beach, bike riding, bike rides, dog walking, learning languages, learning new
languages, genealogy, history books, astronomy, physics books, conspiracy theories, ghost hunting,
urban exploration, coding, web development, asmr, fashion design, nail art, hair styling, shoe
shopping, window shopping, salsa, tango, flamenco, bachata, clamming, crabbing, river tubing,
capoeira, curling, darts, snooker, croquet, bocce, shuffleboard, euchre, cribbage, solitaire,
birding,
butterfly collecting, rock hounding, rock collecting, beachcombing, beach combing, shell collecting,
seashell collecting, treasure hunting, storm chasing, train spotting, plane spotting, ham radio,
model building, model cars, 3d printing, miniature painting, war games, wargaming, warhammer,
ventriloquism, puppetry, drumming, upholstery, furniture making, refinishing furniture,
diy projects, upcycling,
bonsai, terrariums, houseplants, succulents, composting, canning, cheese making,
bread baking, wine making, winemaking, coffee roasting, fish keeping, dog training, dog agility,
barrel racing, dressage, falconry, bow hunting, bowhunting, trap shooting, knife making,
leatherworking, leather working, tie dye, screen printing, stained glass, mosaics, diamond painting,
paint by numbers, coloring books, bookbinding, letter writing, graffiti, street art,
makeup tutorials, clubbing, bar hopping, pub crawls, trivia nights, comedy clubs,
magic shows, slacklining, unicycling, spelunking, caving, canyoneering, ice climbing,
mountaineering, orienteering, spin classes, aerial silks, muay thai, krav maga, kung fu,
tae kwon do, aikido, synchronized swimming, cliff jumping, cliff diving, fly tying, audiobooks,
audio books, comic conventions, comic con, anime conventions, cosplaying, reenacting,
civil war reenactments, family history, estate sales, storytelling, doodling, crafting, rapping,
freestyling, beekeeping, bee keeping, horse shows, monster trucks, demolition derbies
""")
"""Pastimes known by name, beyond those a pattern of :mod:`patterns.likes.activities` spells out."""
