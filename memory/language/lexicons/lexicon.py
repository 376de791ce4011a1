"""Word lists: the closed classes that patterns alone cannot know.

Everything is lower case. The lists are hand-written and short on purpose: they decide the cases
where spelling gives no hint ("im nick" against "im tired"), not the ordinary ones.
"""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as prose."""
    return frozenset(text.split())


def phrases(text: str) -> frozenset[str]:
    """The entries of a list that is written with commas, in one line or several."""
    return frozenset(" ".join(part.split()) for part in text.split(",") if part.strip())


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
alexandra alexis ali alice alicia alina alison allen amanda amelia amir amy ana andre andrea
andreas andrew andy angela anita ann anna anne anthony antonio anton arjun arthur ashley astrid
audrey austin barbara beatrice ben benjamin bernard beth betty bill billy bob bobby brad brandon
brenda brian bridget bruce bryan caleb calvin cameron carl carla carlos carmen carol caroline
catherine cathy cecilia charles charlie charlotte chen chloe chris christian christina christine
christopher cindy claire clara claudia colin connor craig crystal cynthia dan daniel daniela
danielle danny dave david deborah debra dennis derek diana diane diego dmitry dominic donald donna
dorothy doug douglas dylan ed eddie edgar edward eileen elena eli elias elijah elizabeth ella
ellen emil emily emma eric erica erik erin ethan eva evan evelyn fatima felix fernando fiona
florian frances francesca francis frank fred gabriel gabriela gary george gerald gina giulia
gloria gordon graham greg gregory hannah hans harold harry heather hector heidi helen helena henry
hiroshi holly howard hugo ian ibrahim igor ingrid irene isaac isabel isabella ivan jack jackie
jacob jake james jamie jan jane janet janice jared jasmine jason javier jean jeff jeffrey jen
jennifer jenny jeremy jerry jesse jessica jill jim jimmy joan joanna joe joel johan johannes john
johnny jon jonas jonathan jordan jorge jose joseph josh joshua juan juanita judith judy julia
julian julie julien justin kai karen karl kate katherine kathleen kathy katie keith kelly ken
kenneth kenta kevin kim klaus kristen kyle lara larry laura lauren laurence lea leah lena leo leon
leonard lewis liam lily linda lisa logan louis louise luca lucas lucia lucy luis luke lukas lydia
madison magda manuel marco marcus margaret maria marie marina mario marion marta martha martin
martina mary mateo matt matthew matthias maurice max maya megan mehmet melanie melissa mia michael
michelle miguel mike mila mohamed mohammed molly monica morgan muhammad nadia nancy naomi natalie
natasha nathan neil nicholas nick nicky nicola nicole nikhil nina noah nora oleg oliver olivia
omar oscar owen pablo pamela patricia patrick paul paula pedro peggy penny pete peter petra phil
philip phillip pierre priya quentin rachel rafael rahul raj ralph ramon raymond rebecca rekha
renee ricardo richard rick rita rob robert roberta robin rodrigo roger roland ron ronald rosa
rosie ross roy russell ruth ryan sabrina sally sam samantha samir samuel sandra sanjay sara sarah
scott sean sebastian sergei sergio sharon shaun sheila shirley simon sofia sonia sophia sophie
stacy stan stefan stella stephanie stephen steve steven stuart susan suzanne sven sylvia tamara
tanya tara ted teresa terry theo theresa thomas tim timothy tina tobias todd tom tommy tony tracy
trevor tyler valentina valerie vanessa vera veronica vicky victor victoria vincent virginia
vladimir walter wang wanda wei wendy will william xavier yasmin yuki yusuf zach zachary zoe abel
abbie addison agnes aiden ailsa albie alec alfie alfred alfredo allan allie alma alvin amaya amber
anders angel angie anika anja annabelle anne-marie annette annie antoine anya aria ariana ariel
arnold arturo asher aubrey ava avery bailey barb barbie barbra barney barry basil becca becky
bella belle bernadette bernice bert bertha bess bianca blake blanche bonnie boris bradley brady
brandi brandy bree brenna brent brett brianna brigitte brittany brittney brock bruno bryce buddy
byron cara carly carmela carrie carter casey cassandra cassie cedric celeste celia chad chandra
chantal chelsea cherie cheryl chester chip christa christy claude clayton cleo cliff clifford
clint clive clyde cody colette colleen conor constance cora corey courtney curtis dale damian
damon dana daphne darius darlene darren darryl dawn dean deanna deb debbie dee delia delilah della
denise desiree devin devon dina dirk dixie dolly dolores dominique don donny dora doreen doris
dustin dwayne dwight earl ebony eddy edith edna edwin effie elaine eleanor eleni elise elisa ellie
elliot elliott elmer elsa elsie elton elvira emilia emilio emmett emmanuel enrique ernest ernesto
esme esmeralda estelle esther ethel etta eugene eunice eve everett fabian fay faye felicia
felicity fergus fern finn finley flora florence floyd forrest francine franco frankie franklin
freddie freddy frederick freya frida fritz gabby gail garrett gavin gemma gene genevieve geoff
geoffrey georgia georgie georgina geraldine gertrude gilbert gilda ginger ginny giovanni gladys
glen glenda glenn grace gracie grant greta griffin gus guy gwen hal hank harley harriet harvey
haley hayden hayley hazel hermione herbert herman hilary hilda homer hope horace howie hugh
humphrey imogen ines inga ira iris irina irma irving isaiah isla ismael issac itzel ivy jackson
jaclyn jacqueline jacques jada jaden jamal jana janelle janette janie janine jasper jay jayden
jayne jeanette jeanne jeannie jed jeffery jenna jennie jerome jess jessie jewel jimena joann
joanne joaquin jocelyn jody johanna joni josefina josephine josie joy joyce juana judd jules
juliana juliet julius june justine kara karla kasey katelyn katharine kathryn katrina kay kayla
kaylee keira kelsey kendra kendall kenny kent keri kerry kieran killian kirk kirsten kirsty krista
kristin kristina kristy kurt lana lance larissa latoya laurel lauri laurie laverne lawrence leanne
lee leigh leila len lenny leona leonardo leroy leslie lester leticia lexi liana libby lidia lila
lillian lilly lindsay lindsey lindy lionel lloyd lola lonnie lora loraine lorena lorenzo loretta
lori lorna lorraine lottie lou louie lourdes lowell luciana lucille luisa lulu luna luther lyle
lyn lynda lynn lynne mabel mack mackenzie maddie maddy mae maeve maggie malcolm malik mallory
mandy marc marcel marcela marcella marcia marge margie margo margot marguerite marian mariana
marianne maribel marilyn marisa marissa marjorie marlene marsha marshall marvin maryann mason
mathew matilda maude maureen mavis maxine may mckenzie meg meghan melinda melody melvin mercedes
meredith merle mickey milan mildred miles milo milton mindy minnie miranda miriam misty mitch
mitchell moe mohammad moira mollie mona monique monty morris moses muriel myra myrtle mya myles
nan nanette nate natalia nathaniel ned nell nellie nelson nettie nicolas nicki nigel nikita nikki
niles nita noel noelle nolan norm norma norman norris octavia odessa olga olive ollie opal ophelia
ora orlando orville oswald otis otto pam paige parker pascal pat patsy patti patty pauline pearl
penelope percy perry philippa phoebe phyllis polly preston priscilla quinn rachael rae ramona
randal randall randy raquel raul ravi raymundo reba reggie regina reginald reid reina renata rene
reuben rex rhoda rhonda ricky riley ripley robbie robby roberto robyn rocco rochelle rocky
roderick rodney rolf roman ronda ronnie rory roscoe rose roseanne rosemary rowan roxanne ruben
ruby rudy rufus rupert russ rusty sadie salvador salvatore sammy sasha saul savannah scarlett
seamus selena selina serena sergey seth shane shania shannon shari shauna shawn shawna shelby
sheldon shelia shelley shelly sheri sherman sherri sherry sidney silvia simone sky skylar skyler
sol sondra sonja sonny spencer stacey stacie stanley stefanie stevie stewart sue summer sunny
susanna susanne susie suzy sybil sydney tabitha tamika tammy tania tanner tasha tatiana taylor
terrance terrence terri tess tessa thea thelma theodore tia tiana tiffany tilly timmy toby tomas
toni tonya tori tracey traci tricia trina trinity trisha tristan trudy tucker tyra tyrone ulysses
uma ursula val valeria vance vaughn velma verna vernon vicki vickie vince vinnie viola violet
virgil vivian vivienne wade wallace wally walt warren wayne wendell wes wesley weston whitney
wilbur wilfred willa willard willie willis willow wilma winifred winnie winston woody wyatt xander
yolanda yvette yvonne zane zelda zoey zoya deepak anil sunil vijay rohan rohit amit ankit neha
pooja anjali kavya lakshmi aarav ananya ishaan meera nisha rajesh ramesh suresh sanjana tanvi
vikram yash zara hassan hussein khalid layla leyla mariam nasser salma tariq youssef zainab kofi
kwame ama amara chidi emeka ngozi chioma ade femi tunde oluwaseun thabo sipho zanele makena
wanjiru akira aiko haruto hana kenji mei naoki rin sakura takashi yuto minho jisoo soo-jin wei-
ling xiao ling jun hao mateusz piotr agnieszka katarzyna krzysztof tomasz ewa zofia jakub ondrej
jiri lenka pavel petr milos dragan ivana jelena bjorn lars magnus freja nils oskar aino eero jukka
mikko pekka tuomas aoife ciara niamh siobhan eoin sinead gareth rhys cerys
""")

OCCUPATIONS = word_set("""
accountant actor actress actuary administrator advisor adviser analyst anaesthetist animator
apprentice archaeologist architect archivist artist astronaut astronomer attorney auditor author
babysitter baker banker barber barista bartender biologist blogger bookkeeper bricklayer broker
builder butcher buyer captain carer caregiver carpenter cashier ceo cfo chauffeur chef chemist
chiropractor cleaner clerk coach coder comedian composer consultant contractor cook coordinator
copywriter counselor counsellor cto curator cyclist dancer dentist designer detective developer
dev dietitian diplomat director diver dj doctor driver ecologist economist editor electrician
engineer entrepreneur epidemiologist estimator executive farmer firefighter fireman fisherman
florist founder freelancer gardener geologist geophysicist guard guide hairdresser hairstylist
handyman historian hygienist illustrator inspector instructor interpreter intern investigator
investor janitor jeweller jeweler journalist judge laborer labourer landlord landscaper lawyer
lecturer librarian lifeguard linguist locksmith logistician machinist magician maid manager marine
masseuse mathematician mechanic medic meteorologist midwife miner minister model mortician
musician nanny neurosurgeon nun nurse nutritionist officer operator optician optometrist painter
paralegal paramedic pastor pathologist pediatrician pharmacist philosopher photographer physician
physicist physiotherapist pianist pilot planner plumber podcaster poet policeman policewoman
politician postman postdoc potter president priest principal producer professor programmer
psychiatrist psychologist publicist rabbi radiographer radiologist ranger realtor receptionist
recruiter researcher retailer reporter roofer sailor salesman salesperson saleswoman scientist
screenwriter sculptor seamstress secretary senator sergeant server shopkeeper singer sociologist
soldier solicitor songwriter specialist statistician stewardess streamer student stylist
superintendent supervisor surgeon surveyor swe tailor teacher tech technician technologist teller
therapist trader trainer translator tutor undertaker undergraduate undergrad usher vet
veterinarian videographer waiter waitress welder woodworker writer youtuber zookeeper sre pm
botanist zoologist paleontologist dermatologist cardiologist oncologist anesthesiologist
gynecologist phlebotomist acupuncturist beautician cosmetologist esthetician longshoreman
pipefitter ironworker steelworker mailman carrier emt bailiff arborist beekeeper trapper cowboy
farmhand blacksmith cartoonist vlogger influencer mime juggler acrobat boxer athlete jockey
ballerina roadie bodyguard housekeeper bellhop concierge hostess host busser brewer dean aide
oceanographer activist lobbyist ambassador imam chaplain embalmer coroner astrologer trainee
groomer breeder sitter manicurist stenographer typist toymaker winemaker grower agent detailer
installer copyeditor proofreader columnist critic lyricist organist conductor cellist rn cna lpn
cop firewoman sheriff deputy lumberjack logger bouncer busboy dishwasher barback butler caterer
choreographer clown collector courier custodian dealer decorator deejay dispatcher dogwalker
walker drummer guitarist bassist violinist rapper vocalist exec explorer filmmaker gambler hacker
homemaker housewife husbandry masseur mayor merchant milkman missionary monk mover narrator
novelist orthodontist owner peddler performer preacher psychic publisher rancher referee reverend
rider seller spy sommelier stockbroker stuntman substitute surfer swimmer tattooist telemarketer
trucker ultrasound umpire valet vendor veteran violist warden watchmaker weatherman wrestler yogi
superhero associate representative rep worker employee distributor plasterer glazier tiler
scaffolder foreman forewoman joiner cobbler upholsterer draftsman cartographer toxicologist
virologist immunologist microbiologist geneticist biochemist entomologist anthropologist
criminologist neurologist urologist podiatrist orderly caretaker sonographer dietician doula
headteacher schoolteacher preschooler headmaster headmistress academic ghostwriter playwright
scriptwriter harpist saxophonist trumpeter keyboardist beatboxer comic stuntwoman weathergirl
newscaster anchorman anchorwoman presenter broadcaster correspondent photojournalist webmaster
sysadmin dba tester qa gamedev devops cofounder co-founder businessman businesswoman
businessperson industrialist grocer greengrocer fishmonger confectioner chocolatier cheesemaker
brewmaster distiller vintner mixologist barkeep waitstaff dressmaker milliner weaver knitter
goldsmith silversmith gunsmith luthier farrier shepherd stablehand aquarist horticulturist
groundskeeper forester woodcutter trawlerman whaler deckhand skipper bosun navigator steward
flight-attendant attendant aircrew motorman cabbie cabdriver teamster expediter stocker bagger
packer picker assembler millwright lineman assessor adjuster underwriter auctioneer appraiser
landlady windowcleaner exterminator chimney-sweep bodybuilder footballer cricketer golfer gymnast
skateboarder snowboarder figure-skater runner bookie croupier doorman porter bellboy bellman
registrar bursar treasurer assistant pa docent prosecutor magistrate notary barrister constable
trooper marshal sniper gunner airman airwoman corporal lieutenant colonel major general admiral
seaman infantryman paratrooper cadet governor congressman congresswoman councillor councilman mp
consul spokesperson speechwriter evangelist deacon vicar bishop coo cio cpo au-pair homecare
gravedigger lumberman tiktoker gamer
""") - word_set(
    "husbandry ultrasound rider collector gambler swimmer surfer veteran explorer owner "
    "preschooler "
    "cabin runner gamer major general academic comic skateboarder snowboarder orderly head knitter "
    "cadet minister shepherd picker speaker runner golfer qa tester"
) | word_set("minister tester")

# Names that are first of all words: after a mere "I'm" they need their capital.
WORD_NAMES = word_set("""
guy hope joy summer miles norm chip sunny sky rocky rusty misty rich frank mason hunter christian
dean king duke prince star angel precious ginger buddy art may mark woody dale val sol rob pat
chase lance grant baker cook dallas austin florence georgia harley jackson jordan madison mercedes
milan orlando savannah sofia sydney virginia charlotte eugene winter autumn dolly barbie olive
pearl nan bailey gene china india asia paris london brooklyn israel kenya
""")

# Figures that people joke to be; "I'm Batman" is no introduction.
FIGURES = word_set("""
batman superman spiderman spider-man ironman iron-man hulk thor loki zeus hercules santa dracula
frankenstein sherlock hamlet romeo juliet gandalf frodo yoda voldemort dumbledore hermione potter
cinderella rapunzel elsa shrek godzilla pikachu mario luigi bowser kratos neo rambo rocky tarzan
zorro robin-hood god jesus satan lucifer moses buddha allah napoleon caesar cleopatra einstein
legend ishmael groot wolverine deadpool catwoman supergirl
""") - {"mario", "hermione", "elsa", "rocky", "moses", "juliet", "potter"}

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
introvert extrovert whatever whoever whichever wherever anytime names maybe back when if asap crazy
nuts weird lazy stupid later old-fashioned bro dude man girl sir
""") - {"leo"}

LANGUAGES = word_set("""
afrikaans albanian amharic arabic armenian azerbaijani basque bengali bosnian bulgarian burmese
cantonese catalan chinese croatian czech danish dutch english esperanto estonian farsi filipino
finnish flemish french gaelic galician georgian german greek gujarati hausa hawaiian hebrew hindi
hungarian icelandic igbo indonesian irish italian japanese kannada kazakh khmer korean kurdish lao
latin latvian lithuanian macedonian malay malayalam maltese mandarin marathi mongolian nepali
norwegian pashto persian polish portuguese punjabi quechua romanian russian serbian sinhala slovak
slovene slovenian somali spanish swahili swedish tagalog tamil telugu thai tibetan turkish
ukrainian urdu uzbek vietnamese welsh xhosa yiddish yoruba zulu asl
""")

INDUSTRIES = phrases("""
tech, technology, it, finance, banking, fintech, healthcare, health care, medicine, education,
marketing, advertising, sales, retail, hospitality, construction, real estate, insurance, law,
logistics, manufacturing, agriculture, farming, publishing, journalism, media, film, television,
tv, entertainment, fashion, music, gaming, video games, consulting, human resources, hr, public
relations, pr, customer service, cybersecurity, security, biotech, pharma, pharmaceuticals,
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
newspaper magazine railroad distributor distributorship club home dealer dealership deli bistro
buffet court courthouse church laundromat carwash aquarium arcade vineyard greenhouse nightclub
gallery foundation charity bureau department utility brokerage corporation chain franchise hospice
prison jail embassy nonprofit website channel network press publisher pizzeria parlor steakhouse
cafeteria creamery joint distillery circus carnival orchestra airline airlines railway outlet alley
kennel stable stables refinery shipyard dock docks academy institute sanctuary stadium dojo
landfill depot terminal plantation institution association union mcdonalds mcdonald walmart
facility resort ranch orchard orphanage kennels planetarium observatory pawnshop thrift barbershop
florist dispensary hatchery slaughterhouse cannery sawmill foundry quarry oilfield rig powerplant
datacenter callcenter headquarters precinct firehouse consulate ministry municipality council
parliament senate bookies betting lounge tavern saloon brasserie trattoria canteen kiosk stall
superstore hypermarket drugstore bakeshop patisserie chocolatier jeweler jeweller icu ward
infirmary sanatorium rehab printers printer newsroom hostel motel inn lodge opera ballet ymca ngo
thinktank labs seminary parish pound reserve waterpark profit parlour lawyer vet doctor
dentist diocese
""")

# Kinds of home that tell where somebody lives without naming a place.
DWELLINGS = word_set("""
farm ranch island city town village suburbs suburb country countryside mountains mountain beach
coast woods forest desert apartment house condo mansion cabin boat houseboat trailer dorm dorms
cave castle neighborhood downtown lake ocean river wilderness prairie farmhouse cottage duplex
penthouse rv guesthouse townhouse commune barn burbs area tower campus basement attic van tent hut
shack palace treehouse bunker jungle swamp valley hills bay harbor sea seaside shore tropics
ghetto projects bungalow chalet lodge estate igloo monastery convent hostel motel camper shelter
bus beachfront waterfront foothills outback reservation homestead sailboat yacht farmland farmlands
woodland woodlands wetlands
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

COUNTRIES = phrases("""
argentina, australia, austria, bangladesh, belgium, bolivia, brazil, bulgaria, canada, chile,
china, colombia, croatia, cuba, czechia, denmark, egypt, england, estonia, ethiopia, finland,
france, georgia, germany, ghana, greece, hungary, iceland, india, indonesia, iran, iraq, ireland,
israel, italy, jamaica, japan, jordan, kenya, korea, south korea, latvia, lebanon, lithuania,
luxembourg, malaysia, malta, mexico, morocco, nepal, netherlands, the netherlands, new zealand,
nigeria, norway, pakistan, peru, philippines, the philippines, poland, portugal, romania, russia,
saudi arabia, scotland, serbia, singapore, slovakia, slovenia, south africa, spain, sri lanka,
sweden, puerto rico, dominican republic, guatemala, honduras, costa rica, panama, ecuador, haiti,
barbados, the bahamas, the states, states, america, europe, africa, asia, cambodia, zimbabwe,
syria, afghanistan, switzerland, taiwan, thailand, tunisia, turkey, uganda, uk, the uk, ukraine,
united kingdom, the united states, united states, usa, the usa, us, the us, uruguay, venezuela,
vietnam, wales
""")

CITIES = phrases("""
amsterdam, ankara, athens, atlanta, austin, baltimore, bangalore, bangkok, barcelona, beijing,
berlin, birmingham, boston, bristol, brooklyn, brussels, bucharest, budapest, buenos aires, cairo,
calgary, cape town, chennai, chicago, cleveland, cologne, copenhagen, dallas, delhi, denver,
detroit, dubai, dublin, edinburgh, florence, frankfurt, geneva, glasgow, hamburg, hanoi, helsinki,
hong kong, houston, istanbul, jakarta, johannesburg, karachi, kiev, kyiv, kyoto, la, lagos, las
vegas, leeds, lima, lisbon, liverpool, london, los angeles, lyon, madrid, manchester, manila,
melbourne, mexico city, miami, milan, minneapolis, montreal, moscow, mumbai, munich, nairobi,
nashville, new orleans, new york, new york city, nyc, oakland, osaka, oslo, ottawa, oxford, paris,
philadelphia, phoenix, pittsburgh, portland, prague, rio de janeiro, rome, rotterdam, salt lake
city, san diego, san francisco, san jose, sao paulo, seattle, seoul, sf, shanghai, sofia,
stockholm, stuttgart, sydney, taipei, tampa, tel aviv, tokyo, toronto, vancouver, venice, vienna,
warsaw, washington, washington dc, zagreb, zurich, alaska, albuquerque, anchorage, ann arbor,
arlington, asheville, aurora, bakersfield, baton rouge, beverly hills, boise, boulder, brisbane,
buffalo, burlington, cali, cambridge, cancun, charleston, charlotte, chattanooga, cincinnati,
colorado springs, columbus, corpus christi, dayton, des moines, durham, el paso, eugene, fargo,
fort worth, fort wayne, fresno, fort lauderdale, grand rapids, green bay, greensboro, hartford,
hollywood, honolulu, huntsville, indianapolis, jackson, jacksonville, jersey city, kansas city,
knoxville, lansing, lexington, lincoln, little rock, long beach, long island, louisville, lubbock,
madison, manhattan, marseille, memphis, mesa, milwaukee, mobile, naples, new delhi, new england,
newark, nice, norfolk, oklahoma city, omaha, orlando, pasadena, palm springs, perth, plano,
providence, queens, raleigh, reno, richmond, riverside, rochester, sacramento, saint louis, st
louis, st . louis, san antonio, santa barbara, santa cruz, santa fe, santa monica, sarasota,
savannah, scottsdale, scranton, shreveport, sicily, silicon valley, spokane, springfield, st
petersburg, syracuse, tacoma, tallahassee, the bay area, the bronx, the midwest, topeka, tucson,
tulsa, virginia beach, waco, wichita, yonkers, saint petersburg, ohio, quebec, alberta, nova
scotia, bavaria, tuscany, bali, puerto rico, dc, upstate new york, southern california, northern
california, the east coast, the west coast, the pacific northwest
""")

PLACES = CITIES | COUNTRIES | frozenset(REGION_NAMES.values())

KNOWN_ORGS = phrases("""
google, microsoft, apple, amazon, meta, facebook, netflix, ibm, intel, oracle, nasa, peta,
walmart, target, costco, starbucks, mcdonalds, mcdonald's, tesla, nvidia, adobe, salesforce, uber,
airbnb, spotify, siemens, bosch, sap, bmw, toyota, sony, samsung, ikea, acme, deloitte, kpmg,
accenture, home depot, whole foods, best buy, burger king, del taco, taco bell, pizza hut, wendys,
kfc, subway, hollister, nike, adidas, macys, kroger, aldi, aldis, sears, verizon, comcast,
twitter, monsanto, disney, pixar, discovery channel, pepsi, coca cola, budweiser, boeing, fedex,
ups, usps, chipotle, chick fil a, gap, cvs, walgreens, lowes, kmart, publix, safeway, trader joes,
dunkin donuts, dominos, staples, wells fargo, bank of america, chase, geico, state farm, general
motors, gm, at&t, t mobile, tmobile, delta, southwest, cisco, dell, hp, lockheed martin, spacex,
etsy, paypal, red cross, unicef, goodwill, barnes and noble, panera, olive garden, applebees,
ihop, dennys, waffle house, sonic, arbys, dairy queen, five guys, papa johns, dollar tree, dollar
general, family dollar, tj maxx, marshalls, nordstrom, hot topic, american eagle, abercrombie,
urban outfitters, zara, big lots, jc penney, jcpenney, sams club, meijer, wegmans, heb,
albertsons, winn dixie, food lion, hilton, marriott, the irs, the cia, the dmv, the police,
nestle, coke, coca-cola, lg, honda, ford, chevron, shell, gamestop, sephora, petco, petsmart, old
navy, forever 21, the post office, the government, the fbi, klarna, zalando, philips, unilever,
danone, heineken, adyen, booking.com, booking, stripe, shopify, atlassian, canva, dropbox, slack,
zoom, github, gitlab, mozilla, linkedin, snapchat, pinterest, reddit, tiktok, bytedance, tencent,
alibaba, baidu, huawei, xiaomi, lenovo, hitachi, toshiba, panasonic, canon, nikon, nintendo,
ubisoft, activision, blizzard, epic games, openai, anthropic, deepmind, palantir, databricks,
snowflake, vmware, qualcomm, arm, asml, ericsson, nokia, volvo, saab, h&m, lego, maersk, novo
nordisk, novartis, roche, pfizer, merck, bayer, basf, volkswagen, audi, mercedes, daimler,
porsche, airbus, rolls royce, bp, exxon, goldman sachs, morgan stanley, jp morgan, jpmorgan,
citibank, citi, barclays, hsbc, lloyds, santander, ubs, credit suisse, deutsche bank, mckinsey,
bain, bcg, pwc, ernst and young, capgemini, infosys, tcs, wipro, cognizant, tesco, sainsburys,
asda, lidl, carrefour, rewe, edeka, migros, primark, uniqlo, gucci, prada, bbc, cnn, fox news,
nbc, abc, espn, hbo, the new york times, the guardian, reuters, bloomberg, the nhs, nhs,
greenpeace, oxfam, amnesty, world bank, the un, the united nations, cern, esa, the fda, the epa,
the nsa, the state department, the army, the navy, the marines, lyft, doordash, instacart,
grubhub, deliveroo, amtrak, united airlines, american airlines, lufthansa, ryanair, easyjet,
emirates, klm, dhl, royal mail, greyhound, little caesars, pizza express, nandos, greggs, pret,
costa, tim hortons, krispy kreme, baskin robbins, wawa, sheetz, seven eleven, 7 eleven, 711,
circle k, quiktrip, outback, red lobster, chilis, red robin, texas roadhouse, cracker barrel,
buffalo wild wings, hooters, popeyes, jack in the box, in n out, whataburger, jimmy johns,
culvers, white castle, panda express, cinnabon, jamba juice, rite aid, ulta, victorias secret,
bath and body works, foot locker, footlocker, dicks sporting goods, cabelas, menards, ace
hardware, office depot, officemax, michaels, hobby lobby, joanns, toys r us, babies r us,
autozone, jiffy lube, hertz, at and t, t-mobile, vodafone, o2, telekom, british telecom, xerox,
kodak, caterpillar, john deere, general electric, 3m, honeywell, raytheon, northrop grumman, the
fire department, the police department, the library, game stop, sam's club, trader joe's, dunkin,
lowe's, macy's, wendy's, kohl's, kohls, walgreen's, denny's
""")

OUTLETS = phrases("""
walmart, target, costco, starbucks, mcdonalds, mcdonald's, ikea, home depot, whole foods, best buy,
burger king, taco bell, pizza hut, wendys, kfc, subway, kroger, aldi, aldis, sears, chipotle, chick
fil a, gap, cvs, walgreens, lowes, kmart, publix, safeway, trader joes, dunkin donuts, dominos,
staples, panera, olive garden, applebees, ihop, dennys, waffle house, macys, tesco, sainsburys,
asda, lidl, carrefour, rewe, edeka, migros, primark, uniqlo, zara, pret, greggs, nandos, costa, tim
hortons, krispy kreme, hilton, marriott, disney, the library, the gym
""")
"""Firms whose doors stand open: who is "at Starbucks now" may be there for a coffee."""

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
smart ranger bronco charger challenger maxima lancer eclipse yaris matrix tucson elantra sonata
santafe rio sorento soul sportage optima cruze equinox trailblazer colorado spark volt bolt leaf
juke rogue pathfinder xterra frontier titan versa kicks quest odyssey pilot ridgeline fit insight
cr-v hr-v rx300 g35 wrx legacy crosstrek tribeca avalon highlander 4runner sequoia venza benz
beamer bimmer aston lotus mclaren dirtbike snowmobile atv quad trike tricycle unicycle skateboard
hoverboard segway e-bike ebike roadbike speedboat pontoon catamaran canoe kayak jetski forklift
bulldozer ambulance taxi cab firetruck schoolbus dually 4x4 crossover stationwagon lorry caravan
automobile automobiles vehicle vehicles wheels lambo rolls royce chevys fords hondas toyotas bmws
teslas
""")

# Vehicles that "my" alone makes one's own ("my golf" is a game, "my ram" an animal).
OWN_VEHICLES = VEHICLE_WORDS - word_set("""
golf ram mini seat focus fiesta polo explorer accord bus smart ranger matrix rio soul spark volt
leaf juke rogue titan kicks quest odyssey pilot fit insight legacy eclipse lancer quad wheels cab
taxi skateboard canoe kayak forklift bulldozer ambulance rolls royce colorado lotus frontier
optima
""")
# "I have a canoe" and "I have insight" are no vehicles to get about in.
VEHICLE_WORDS -= word_set("""
smart matrix rio soul spark leaf rogue kicks quest pilot fit insight legacy eclipse wheels
skateboard canoe kayak colorado optima frontier titan ranger
""")

PET_WORDS = word_set("""
animals critters skunk skunks dobermans rottweilers greyhounds spaniels collies mastiffs
heeler sheepdog mare peacocks emus monkey monkeys raccoon raccoons bichon vizsla pinscher puggle
tomcat
dog dogs cat cats puppy puppies kitten kittens hamster hamsters rabbit rabbits bunny bunnies
parrot parrots bird birds fish goldfish turtle turtles tortoise snake snakes lizard lizards gecko
iguana horse horses pony guinea ferret ferrets rat rats mouse mice chinchilla hedgehog parakeet
cockatiel canary budgie chicken chickens goat goats pig pigs spider tarantula frog labrador poodle
beagle corgi terrier retriever husky shepherd dachshund bulldog pug chihuahua dalmatian greyhound
collie spaniel rottweiler doberman dane schnauzer mutt pup doggo kitty pet pets doggy doggie
doggies pups kitties kittie ponies poodles beagles labradors lab labs retrievers pitbull pitbulls
dalmatians huskies shepherds boxers pugs chihuahuas terriers bulldogs corgis iguanas geckos hermit
crabs cow cows sheep llama llamas alpaca alpacas donkey donkeys ducks duck malamute malamutes pom
pomeranian yorkie boa python pythons axolotl puppys frogs geese hen hens rooster roosters piglet
piglets parakeets canaries cockatoo macaw gerbil gerbils shih-tzu shihtzu maltese havanese
coon papillon samoyed akita shiba weimaraner pointer setter whippet bloodhound hound hounds basset
mastiff newfoundland pekingese cocker weiner wiener doxie goldendoodle labradoodle cockapoo doodle
puppers pupper pooch pooches dachshunds poms siamese ragdoll sphynx calico tabby kitteh cockatiels
cockatoos macaws budgies finch finches lovebird lovebirds conure dove doves pigeon pigeons falcon
owl betta koi guppy guppies cichlid terrapin tortoises chameleon chameleons salamander newt newts
toad toads snail snails degu degus chinchillas hedgehogs sugar-glider tarantulas foal stallion
mule mules emu ostrich piggy piggies lambs peacock fox
""") - word_set("fish hermit crabs lab labs boxers rat rats spider") | {"fish"}

# What "I have" says is owned, while "my hat" says little.
HAVEABLE = word_set("""
bike skateboard surfboard books cds records vinyl shoes clothes jewelry ring watch hats dress
jeans sweaters jacket dolls barbies toys robot drone plane airplane jet helicopter land acres
property castle vineyard orchard barn treehouse jacuzzi sauna grill kitchen microwave keyboard
microphone ukulele bass cello saxophone trumpet flute harmonica banjo sword swords knives rifle
rifles kayak canoe skis snowboard printer radio stereo speakers headphones cellphone hammock
trampoline garage tools plants roses blog website channel podcast brand label aquarium pond shed
workshop billiards estate mansions houses apartments companies businesses restaurants shops stores
job jobs tablet chickens crown cape costume bakery ranch gym theater projector console consoles
comics paintings home homes apartment condo greenhouse cabin telescope library
yacht island diamonds gold stocks bitcoin recliner mattress teddy bears legos posters album albums
dvds movies-collection games wii gameboy gopro camcorder easel loom oven smoker blender mixer
dishwasher washer dryer roomba generator chainsaw wand cane walker lamp mirror bicycle swingset
slide bikes segway crossbow bows arrows compass binoculars aquariums beehives hives coop stable
barns silo windmill boats canoes tent campers hotel hotels motel inn bookstore cafe bar pub
clothing line franchise agency firm practice dealership nursery patent ps4s xboxes computers
laptops monitors servers keyboards synthesizer pianos violins drums flutes perfume lipstick
lipsticks wigs gowns suits tuxedo ties scarves coats boots sneakers heels sandals jersey jerseys
hoodie hoodies leather-jacket briefcase wallet umbrella diary journal bible encyclopedia atlas
globe maps flag flags stamps coins figurines statues candles crystals antiques rugs quilts
chandelier fireplace hottub basement attic porch garden gardens
""") - {"job", "jobs", "chickens", "ring", "watch"}

# What "my" and "I have" say is owned: things that tell something about a life.
OWNED = word_set("""
house mansion farm ranch garden yard greenhouse farmhouse business company store shop restaurant
salon bakery studio gallery brewery startup library computer computers laptop laptops iphone phone
smartphone ipad tablet tv television xbox playstation ps4 nintendo console camera guitar guitars
piano drums violin telescope telescopes collection wheelchair suspenders trophies trophy medal
medals gun guns helmet pool hot-tub tent monitors kindle purse boots sneakers earrings necklace
wig couch sofa fridge freezer lawnmower typewriter sewing-machine record-player turntable records
vinyls comic-book bookshelf desktop macbook ipads ipod ps5 vr headset kindles printer microscope
cello flute trumpet saxophone ukulele banjo harp accordion keyboard necklaces bracelet bracelets
glasses contacts sunglasses hat hats heels sandals backpack handbag handbags rifle pistol shotgun
sword axe toolbox workshop shed barn treehouse hammock fireplace jacuzzi sauna pond balcony porch
backyard acres orchard vineyard franchise agency boutique bookstore cafe motel inn dojo website
blog podcast channel trampoline lake-house beach-house cottages treadmill skateboard surfboard
bicycle drone jeans jacket coat scarf tie wallet grill cameras sewing wigs crown cape cane boombox
ax lipstick lipsticks umbrella journal diary easel loom oven stove microwave dvds cds stereo
speakers headphones kayak kayaks canoe surfboards skis snowboard rollerblades skates wetsuit
dumbbells aquarium terrarium chainsaw snowblower wheelbarrow generator blender mixer binoculars
compass tiara robe cloak costumes apron jersey jerseys hoodie hoodies cardigan cardigans rosary
crystals dolls barbies legos figurines stamps posters paintings mangas villa chateau castle
wardrobe bookcase bookshelves tools toolkit jewelry rings robot robots swords knives bow crossbow
synthesizer keyboards basses ukuleles banjos violins harmonica oboe clarinet trombone bagpipes
candles yarn fabric antiques condo cabin penthouse loft mansions
""")

KIN = word_set("""
mother father mom mum dad sister sisters brother brothers son sons daughter daughters wife husband
partner spouse fiance fiancé fiancee fiancée girlfriend boyfriend grandmother grandfather grandma
grandpa aunt uncle cousin cousins niece nephew kid kids child children twin twins stepmother
stepfather stepson stepdaughter stepsister stepbrother grandson granddaughter grandson
grandchildren grandkids siblings sibling
""")
