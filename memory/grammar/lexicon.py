"""Word lists: the closed classes that patterns alone cannot know.

Everything is lower case. The lists are hand-written and short on purpose: they decide the cases
where spelling gives no hint ("im nick" against "im tired"), not the ordinary ones.
"""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as prose."""
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.split(",") if part.strip())


MONTHS: dict[str, str] = {
    name: full
    for full in (
        "january february march april may june july august september october november december"
    ).split()
    for name in (full, full[:3], "sept" if full == "september" else full)
}

NUMBER_WORDS: dict[str, int] = {
    **{word: number for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen "
        "sixteen seventeen eighteen nineteen".split(), start=1)},
    **{word: 10 * number for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)},
}  # fmt: skip

GIVEN_NAMES = word_set("""
aaron abby abdul abigail adam adele adrian ahmed aisha alan albert alejandro alex alexander
alexandra alexis ali alice alicia alina alison allen amanda amelia amir amy ana andre andrea andreas
andrew andy angela anita ann anna anne anthony antonio anton arjun arthur ashley astrid audrey
austin barbara beatrice ben benjamin bernard beth betty bill billy bob bobby brad brandon brenda
brian bridget bruce bryan caleb calvin cameron carl carla carlos carmen carol caroline catherine
cathy cecilia charles charlie charlotte chen chloe chris christian christina christine christopher
cindy claire clara claudia colin connor craig crystal cynthia dan daniel daniela danielle danny dave
david deborah debra dennis derek diana diane diego dmitry dominic donald donna dorothy doug douglas
dylan ed eddie edgar edward eileen elena eli elias elijah elizabeth ella ellen emil emily emma eric
erica erik erin ethan eva evan evelyn fatima felix fernando fiona florian frances francesca francis
frank fred gabriel gabriela gary george gerald gina giulia gloria gordon graham greg gregory hannah
hans harold harry heather hector heidi helen helena henry hiroshi holly howard hugo ian ibrahim igor
ingrid irene isaac isabel isabella ivan jack jackie jacob jake james jamie jan jane janet janice
jared jasmine jason javier jean jeff jeffrey jen jennifer jenny jeremy jerry jesse jessica jill jim
jimmy joan joanna joe joel johan johannes john johnny jon jonas jonathan jordan jorge jose joseph
josh joshua juan juanita judith judy julia julian julie julien justin kai karen karl kate katherine
kathleen kathy katie keith kelly ken kenneth kenta kevin kim klaus kristen kyle lara larry laura
lauren laurence lea leah lena leo leon leonard lewis liam lily linda lisa logan louis louise luca
lucas lucia lucy luis luke lukas lydia madison magda manuel marco marcus margaret maria marie
marina mario marion marta martha martin martina mary mateo matt matthew matthias maurice max maya
megan mehmet melanie melissa mia michael michelle miguel mike mila mohamed mohammed molly monica
morgan muhammad nadia nancy naomi natalie natasha nathan neil nicholas nick nicky nicola nicole
nikhil nina noah nora oleg oliver olivia omar oscar owen pablo pamela patricia patrick paul paula
pedro peggy penny pete peter petra phil philip phillip pierre priya quentin rachel rafael rahul
raj ralph ramon raymond rebecca rekha renee ricardo richard rick rita rob robert roberta robin
rodrigo roger roland ron ronald rosa rosie ross roy russell ruth ryan sabrina sally sam samantha
samir samuel sandra sanjay sara sarah scott sean sebastian sergei sergio sharon shaun sheila shirley
simon sofia sonia sophia sophie stacy stan stefan stella stephanie stephen steve steven stuart
susan suzanne sven sylvia tamara tanya tara ted teresa terry theo theresa thomas tim timothy tina
tobias todd tom tommy tony tracy trevor tyler valentina valerie vanessa vera veronica vicky victor
victoria vincent virginia vladimir walter wang wanda wei wendy will william xavier yasmin yuki
yusuf zach zachary zoe
""")

OCCUPATIONS = word_set("""
accountant actor actress actuary administrator advisor adviser analyst anaesthetist animator
apprentice archaeologist architect archivist artist astronaut astronomer attorney auditor author
babysitter baker banker barber barista bartender biologist blogger bookkeeper bricklayer broker
builder butcher buyer captain carer caregiver carpenter cashier ceo cfo chauffeur chef chemist
chiropractor cleaner clerk coach coder comedian composer consultant contractor cook coordinator
copywriter counselor counsellor cto curator cyclist dancer dentist designer detective developer dev
dietitian diplomat director diver dj doctor driver ecologist economist editor electrician engineer
entrepreneur epidemiologist estimator executive farmer firefighter fireman fisherman florist founder
freelancer gardener geologist geophysicist guard guide hairdresser hairstylist handyman historian
hygienist illustrator inspector instructor interpreter intern investigator investor janitor jeweller
jeweler journalist judge laborer labourer landlord landscaper lawyer lecturer librarian lifeguard
linguist locksmith logistician machinist magician maid manager marine masseuse mathematician
mechanic medic meteorologist midwife miner minister model mortician musician nanny neurosurgeon nun
nurse nutritionist officer operator optician optometrist painter paralegal paramedic pastor
pathologist pediatrician pharmacist philosopher photographer physician physicist physiotherapist
pianist pilot planner plumber podcaster poet policeman policewoman politician postman postdoc potter
president priest principal producer professor programmer psychiatrist psychologist publicist rabbi
radiographer radiologist ranger realtor receptionist recruiter researcher retailer reporter roofer
sailor salesman salesperson saleswoman scientist screenwriter sculptor seamstress secretary senator
sergeant server shopkeeper singer sociologist soldier solicitor songwriter specialist statistician
stewardess streamer student stylist sculptor superintendent supervisor surgeon surveyor swe tailor
teacher tech technician technologist teller therapist trader trainer translator tutor undertaker
undergraduate undergrad usher vet veterinarian videographer waiter waitress welder woodworker writer
youtuber zookeeper sre pm botanist zoologist paleontologist dermatologist cardiologist oncologist
anesthesiologist gynecologist phlebotomist acupuncturist beautician cosmetologist esthetician
longshoreman pipefitter ironworker steelworker mailman carrier emt bailiff arborist beekeeper
trapper cowboy farmhand blacksmith cartoonist vlogger influencer mime juggler acrobat boxer athlete
jockey ballerina roadie bodyguard housekeeper bellhop concierge hostess host busser brewer dean
counselor aide oceanographer activist lobbyist ambassador imam chaplain embalmer coroner astrologer
planner trainee buyer realtor estimator groomer breeder sitter technician manicurist stenographer
typist toymaker winemaker welder grower blogger chemist programmer agent broker detailer installer
janitor copyeditor proofreader publicist columnist critic lyricist organist conductor cellist rn cna
lpn cop fireman firewoman policewoman sheriff deputy lumberjack logger astronaut bouncer busboy
dishwasher barback butler caterer choreographer clown collector conductor courier curator custodian
dealer decorator deejay dispatcher dogwalker walker drummer guitarist bassist violinist pianist
rapper vocalist programmer exec explorer filmmaker freelancer gambler hacker homemaker housewife
husbandry jeweler librarian lifeguard magician masseur mayor merchant milkman missionary monk mover
narrator novelist nutritionist orthodontist owner painter peddler performer plumber preacher psychic
publisher rancher receptionist referee reverend rider sculptor seller soldier spy sommelier
stockbroker stuntman substitute surfer swimmer tattooist telemarketer trucker ultrasound umpire
valet vendor veteran violist warden watchmaker weatherman wrestler yogi hygienist superhero
paramedic associate representative rep worker employee distributor founder
""") - word_set(
    "husbandry ultrasound rider collector gambler swimmer surfer veteran explorer owner"
)

# Words that follow "I'm" or "call me" and are never a name, however they are spelled.
NOT_NAMES = word_set("""
a an the in on at to of for from with by about into over under up down off out back here there home
away not no yes ok okay so very too just really quite pretty still also only always never ever
already almost currently now then today tonight tomorrow yesterday later soon again maybe perhaps
if when whenever while because since and or but that this these those it its my your his her our
their what who where why how which me you he she we they i im them us him some any all both either
one more most less much many few other another such same different like unlike
afraid alive alone amazed angry annoyed anxious ashamed asleep available awake aware awesome awful
bad bald beat better big bilingual black blessed blind blonde blue bored born brave broke broken
brown busy calm certain chill chilly cold confused content cool crazy curious cute dead deaf
depressed desperate different done down drunk dumb eager early easy empty engaged excited
exhausted famous fat fed female fine finished first fit foreign forever free fresh friendly full
funny furious gay glad gone good gonna gorgeous grateful great green grumpy guilty half happy hard
healthy high homeless honest hot hungry ill impressed injured innocent insane interested jealous
jet jobless kidding kind last late lazy left lesbian lonely lost lucky mad male married mean
mental middle mine multilingual naked nervous new nice nobody normal nothing numb obsessed okay old
older online open outta overweight overwhelmed paid pale patient perfect poor positive pregnant
proud queer quick quiet rather ready real relaxed responsible retired rich right rusty sad safe
scared serious shocked short shy sick silent silly single skinny sleepy slow small smart sober
sorry sort special stable straight stressed strong stubborn stuck stupid sure surprised tall
terrible terrified thankful thin thinking thirsty thrilled tired together torn touched true ugly
unable underwater unemployed unsure upset used vegan vegetarian pescatarian warm weak weird well
welcome wet white wide wise wondering worried worse worth wrong young younger yours
abroad ahead around asap anytime anyway lol haha hmm wow please thanks hi hello hey
mom mum dad mama papa baby babe sir madam boss dude bro sis darling honey sweetie
christian muslim jewish catholic hindu buddhist atheist agnostic protestant democrat republican
liberal conservative american british german french italian spanish english irish scottish
canadian mexican chinese japanese korean indian russian polish dutch swedish asian latino latina
hispanic african european australian brazilian turkish greek
monday tuesday wednesday thursday friday saturday sunday everyone everybody someone anyone nobody
something anything everything human ai bot user admin nowhere somewhere crap ass shit fuck
sagittarius capricorn aquarius pisces aries taurus gemini cancer leo virgo libra scorpio
introvert extrovert
""") - {"leo"}

LANGUAGES = word_set("""
afrikaans albanian amharic arabic armenian azerbaijani basque bengali bosnian bulgarian burmese
cantonese catalan chinese croatian czech danish dutch english esperanto estonian farsi filipino
finnish flemish french gaelic galician georgian german greek gujarati hausa hawaiian hebrew hindi
hungarian icelandic igbo indonesian irish italian japanese kannada kazakh khmer korean kurdish lao
latin latvian lithuanian macedonian malay malayalam maltese mandarin marathi mongolian nepali
norwegian pashto persian polish portuguese punjabi quechua romanian russian serbian sinhala slovak
slovene slovenian somali spanish swahili swedish tagalog tamil telugu thai tibetan turkish ukrainian
urdu uzbek vietnamese welsh xhosa yiddish yoruba zulu asl
""")

INDUSTRIES = _phrases("""
tech, technology, it, finance, banking, fintech, healthcare, health care, medicine, education,
marketing, advertising, sales, retail, hospitality, construction, real estate, insurance, law,
logistics, manufacturing, agriculture, farming, publishing, journalism, media, film, television, tv,
entertainment, fashion, music, gaming, video games, consulting, human resources, hr,
public relations, pr, customer service, cybersecurity, security, biotech, pharma, pharmaceuticals,
energy, oil and gas, renewables, aerospace, aviation, automotive, telecommunications, telecom,
transport, transportation, government, politics, public health, research, academia, data science,
software, software development, web development, machine learning, engineering, accounting,
e-commerce, ecommerce, social work, childcare, food service, the food industry, tourism, travel,
non-profit, nonprofits, the public sector, nursing, architecture, design, graphic design, biology
""")

WORKPLACES = word_set("""
agency airport bakery bank bar bookshop bookstore boutique brewery cafe café casino cinema clinic
college company daycare diner factory farm firm garage grocery gym hospital hotel kindergarten lab
laboratory library mall market mill mine museum nursery office pharmacy plant practice pub
restaurant salon school shelter shop spa startup start-up store studio supermarket theater theatre
university warehouse winery zoo station center centre preschool army navy military government
industry field office agency newspaper magazine railroad distributor distributorship bookstore diner
club theater home dealer dealership firm deli bistro buffet court courthouse church dealership
laundromat carwash aquarium arcade vineyard greenhouse nightclub gallery foundation charity bureau
department supermarket utility brokerage corporation chain franchise hospice prison jail embassy
nonprofit website channel network press publisher pizzeria parlor steakhouse cafeteria creamery
distillery circus carnival orchestra airline airlines railway outlet alley kennel stable stables
refinery shipyard dock docks academy institute preschool sanctuary stadium gym dojo nursery landfill
depot terminal plantation institution association union startup mcdonalds mcdonald walmart facility
resort spa ranch orchard lawyer doctor dentist vet orphanage
""")

# Kinds of home that tell where somebody lives without naming a place.
DWELLINGS = word_set("""
farm ranch island city town village suburbs suburb country countryside mountains mountain beach
coast woods forest desert apartment house condo mansion cabin boat houseboat trailer dorm dorms cave
castle neighborhood downtown lake ocean river wilderness prairie farmhouse cottage duplex penthouse
rv guesthouse townhouse commune barn burbs area tower campus
""")

REGION_NAMES: dict[str, str] = {
    short: name.replace("_", " ") for short, _, name in (pair.partition("=") for pair in (
        "al=alabama ak=alaska az=arizona ar=arkansas ca=california co=colorado ct=connecticut "
        "de=delaware fl=florida ga=georgia hi=hawaii id=idaho il=illinois in=indiana ia=iowa "
        "ks=kansas ky=kentucky la=louisiana me=maine md=maryland ma=massachusetts mi=michigan "
        "mn=minnesota ms=mississippi mo=missouri mt=montana ne=nebraska nv=nevada oh=ohio "
        "ok=oklahoma or=oregon pa=pennsylvania sc=south_carolina tn=tennessee tx=texas ut=utah "
        "vt=vermont va=virginia wa=washington wv=west_virginia wi=wisconsin wy=wyoming "
        "ny=new_york "
        "nj=new_jersey nh=new_hampshire nm=new_mexico nc=north_carolina nd=north_dakota "
        "sd=south_dakota ri=rhode_island bc=british_columbia on=ontario"
    ).split())
}  # fmt: skip

COUNTRIES = _phrases("""
argentina, australia, austria, bangladesh, belgium, bolivia, brazil, bulgaria, canada, chile, china,
colombia, croatia, cuba, czechia, denmark, egypt, england, estonia, ethiopia, finland, france,
georgia, germany, ghana, greece, hungary, iceland, india, indonesia, iran, iraq, ireland, israel,
italy, jamaica, japan, jordan, kenya, korea, south korea, latvia, lebanon, lithuania, luxembourg,
malaysia, malta, mexico, morocco, nepal, netherlands, the netherlands, new zealand, nigeria, norway,
pakistan, peru, philippines, the philippines, poland, portugal, romania, russia, saudi arabia,
scotland, serbia, singapore, slovakia, slovenia, south africa, spain, sri lanka, sweden, puerto
rico, dominican republic, guatemala, honduras, costa rica, panama, ecuador, haiti, barbados, the
bahamas, the states, states, america, europe, africa, asia, cambodia, zimbabwe, syria, afghanistan,
switzerland, taiwan, thailand, tunisia, turkey, uganda, uk, the uk, ukraine, united kingdom, the
united states, united states, usa, the usa, us, the us, uruguay, venezuela, vietnam, wales
""")

CITIES = _phrases("""
amsterdam, ankara, athens, atlanta, austin, baltimore, bangalore, bangkok, barcelona, beijing,
berlin, birmingham, boston, bristol, brooklyn, brussels, bucharest, budapest, buenos aires, cairo,
calgary, cape town, chennai, chicago, cleveland, cologne, copenhagen, dallas, delhi, denver,
detroit, dubai, dublin, edinburgh, florence, frankfurt, geneva, glasgow, hamburg, hanoi, helsinki,
hong kong, houston, istanbul, jakarta, johannesburg, karachi, kiev, kyiv, kyoto, la, lagos, las
vegas, leeds, lima, lisbon, liverpool, london, los angeles, lyon, madrid, manchester, manila,
melbourne, mexico city, miami, milan, minneapolis, montreal, moscow, mumbai, munich, nairobi,
nashville, new orleans, new york, new york city, nyc, oakland, osaka, oslo, ottawa, oxford, paris,
philadelphia, phoenix, pittsburgh, portland, prague, rio de janeiro, rome, rotterdam, salt lake
city, san diego, san francisco, san jose, sao paulo, seattle, seoul, sf, shanghai, sofia, stockholm,
stuttgart, sydney, taipei, tampa, tel aviv, tokyo, toronto, vancouver, venice, vienna, warsaw,
washington, washington dc, zagreb, zurich, alaska, albuquerque, anchorage, ann arbor, arlington,
asheville, aurora, bakersfield, baton rouge, beverly hills, boise, boulder, brisbane, buffalo,
burlington, cali, cambridge, cancun, charleston, charlotte, chattanooga, cincinnati, colorado
springs, columbus, corpus christi, dayton, des moines, durham, el paso, eugene, fargo, fort worth,
fort wayne, fresno, fort lauderdale, grand rapids, green bay, greensboro, hartford, hollywood,
honolulu, huntsville, indianapolis, jackson, jacksonville, jersey city, kansas city, knoxville,
lansing, lexington, lincoln, little rock, long beach, long island, louisville, lubbock, madison,
manhattan, marseille, memphis, mesa, milwaukee, mobile, naples, new delhi, new england, newark,
nice, norfolk, oklahoma city, omaha, orlando, pasadena, palm springs, perth, plano, providence,
queens, raleigh, reno, richmond, riverside, rochester, sacramento, saint louis, st louis, st .
louis, san antonio, santa barbara, santa cruz, santa fe, santa monica, sarasota, savannah,
scottsdale, scranton, shreveport, sicily, silicon valley, spokane, springfield, st petersburg,
syracuse, tacoma, tallahassee, the bay area, the bronx, the midwest, topeka, tucson, tulsa, virginia
beach, waco, wichita, yonkers, saint petersburg, ohio, quebec, alberta, nova scotia, bavaria,
tuscany, bali, puerto rico, dc, upstate new york, southern california, northern california, the east
coast, the west coast, the pacific northwest
""")

PLACES = CITIES | COUNTRIES | frozenset(REGION_NAMES.values())

KNOWN_ORGS = _phrases("""
google, microsoft, apple, amazon, meta, facebook, netflix, ibm, intel, oracle, nasa, peta, walmart,
target, costco, starbucks, mcdonalds, mcdonald's, tesla, nvidia, adobe, salesforce, uber, airbnb,
spotify, siemens, bosch, sap, bmw, toyota, sony, samsung, ikea, acme, deloitte, kpmg, accenture,
home depot, whole foods, best buy, burger king, del taco, taco bell, pizza hut, wendys, kfc, subway,
hollister, nike, adidas, macys, kroger, aldi, aldis, sears, verizon, comcast, twitter, monsanto,
disney, pixar, discovery channel, pepsi, coca cola, budweiser, boeing, fedex, ups, usps, chipotle,
chick fil a, gap, cvs, walgreens, lowes, kmart, publix, safeway, trader joes, dunkin donuts,
dominos, staples, wells fargo, bank of america, chase, geico, state farm, general motors, gm, at&t,
t mobile, tmobile, delta, southwest, cisco, dell, hp, lockheed martin, spacex, etsy, paypal, red
cross, unicef, goodwill, barnes and noble, panera, olive garden, applebees, ihop, dennys, waffle
house, sonic, arbys, dairy queen, five guys, papa johns, dollar tree, dollar general, family dollar,
tj maxx, marshalls, nordstrom, hot topic, american eagle, abercrombie, urban outfitters, zara, big
lots, jc penney, jcpenney, sams club, meijer, wegmans, heb, albertsons, winn dixie, food lion,
hilton, marriott, the irs, the cia, the dmv, the police, nestle, coke, coca-cola, hp, lg, honda,
ford, chevron, shell, gamestop, sephora, petco, petsmart, old navy, forever 21, the post office, the
government, the fbi
""")

VEHICLE_WORDS = word_set("""
car truck van motorcycle motorbike bike scooter suv sedan pickup jeep convertible minivan rv camper
hatchback coupe wagon bus vw bmw audi ford honda toyota tesla volvo mazda nissan kia hyundai subaru
mercedes porsche ferrari lamborghini fiat renault peugeot skoda seat chevy chevrolet dodge ram
lexus acura jaguar mini cadillac buick chrysler harley vespa yamaha kawasaki prius civic corolla
camry mustang camaro corvette golf passat polo focus fiesta beetle volkswagen bugatti
cars trucks boat boats yacht moped motorcycles bikes bicycle bicycles semi tractor convertibles rig
minivan minivans bentley maserati tacoma accord altima jetta suburban tahoe explorer mazda hearse
silverado chevelle malibu impala taurus sentra rav4 sienna crv escalade yukon durango camry
cherokee outback forester impreza miata supra celica tundra firebird infiniti hummer gmc pontiac
oldsmobile plymouth isuzu suzuki pinto scion honda's f350 motorhome campervan rolls-royce mopeds
scooters vans suvs jeeps dodge motorbikes limo limousine hotrod lowrider roadster sportscar
sailboat houseboat wrangler taurus f150 f-150 ducati pontiac saab
""")

# Vehicles that "my" alone makes one's own ("my golf" is a game, "my ram" an animal).
OWN_VEHICLES = VEHICLE_WORDS - word_set("golf ram mini seat focus fiesta polo explorer accord bus")

PET_WORDS = word_set("""
dog dogs cat cats puppy puppies kitten kittens hamster hamsters rabbit rabbits bunny bunnies parrot
parrots bird birds fish goldfish turtle turtles tortoise snake snakes lizard lizards gecko iguana
horse horses pony guinea ferret ferrets rat rats mouse mice chinchilla hedgehog parakeet cockatiel
canary budgie chicken chickens goat goats pig pigs spider tarantula frog labrador poodle beagle
corgi terrier retriever husky shepherd dachshund bulldog pug chihuahua dalmatian greyhound collie
spaniel rottweiler doberman dane schnauzer mutt pup doggo kitty pet pets doggy doggie doggies pups
kitties kittie kittens ponies poodles beagles labradors lab labs retrievers pitbull pitbulls
dalmatians huskies shepherds boxers pugs chihuahuas terriers bulldogs corgis iguanas lizards geckos
hermit crabs cow cows sheep llama llamas alpaca alpacas donkey donkeys ducks duck malamute malamutes
pom pomeranian yorkie boa python pythons axolotl puppys frogs geese hen hens rooster roosters piglet
piglets parakeets canaries cockatoo macaw gerbil gerbils
""") - word_set("fish hermit crabs lab labs boxers rat rats spider") | {"fish"}

# What "I have" says is owned, while "my hat" says little.
HAVEABLE = word_set("""
bike skateboard surfboard books cds records vinyl shoes clothes jewelry ring watch hats dress jeans
sweaters jacket dolls barbies toys robot drone plane airplane jet helicopter land acres property
castle vineyard orchard barn treehouse jacuzzi sauna grill kitchen microwave keyboard microphone
ukulele bass cello saxophone trumpet flute harmonica banjo sword swords knives rifle rifles kayak
canoe skis snowboard printer radio stereo speakers headphones cellphone hammock trampoline garage
tools plants roses blog website channel podcast brand label aquarium pond shed workshop billiards
estate mansions houses apartments companies businesses restaurants shops stores job jobs tablet
chickens crown cape costume bakery ranch gym theater projector console consoles comics paintings
""") - {"job", "jobs", "chickens", "ring", "watch"}

# What "my" and "I have" say is owned: things that tell something about a life.
OWNED = word_set("""
house home apartment condo mansion farm ranch garden yard greenhouse cabin cottage farmhouse
business company store shop restaurant salon bakery studio gallery brewery startup library
computer computers laptop laptops iphone phone smartphone ipad tablet tv television xbox
playstation ps4 nintendo console camera guitar guitars piano drums violin telescope telescopes
collection wheelchair suspenders trophies trophy medal medals gun guns helmet
pool hot-tub tent monitors kindle purse boots sneakers earrings necklace wig
""")

KIN = word_set("""
mother father mom mum dad sister sisters brother brothers son sons daughter daughters wife husband
partner spouse fiance fiancé fiancee fiancée girlfriend boyfriend grandmother grandfather grandma
grandpa aunt uncle cousin cousins niece nephew kid kids child children twin twins stepmother
stepfather stepson stepdaughter stepsister stepbrother grandson granddaughter grandson
grandchildren grandkids siblings sibling
""")
