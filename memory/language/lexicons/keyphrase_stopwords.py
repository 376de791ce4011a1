"""Words that cannot name what a talk is about, or not by themselves.

Hand-written and closed: everything that is not here may be a subject. Beside `terms.EMPTY` of
`memory`, which holds the words that say nothing at all.
"""

from memory.language.lexicons.lexicon import word_set

# A subject ends where one of these stands: deeds that everybody does, praise, how and how much.
BREAKS = word_set("""
per charge charges charged charging
able absolutely accept accepting accomplish accomplished ache achieve achieved aching across act
acted actually add added adding adjust adjusted admire admit adore advise affect affected afford
afraid again agree agreed ahead aid aids aim alas align aligns alive allow allowed allowing
allows almost alone along alongside already alright alrighty alter although amaze amazed amazing
amazingly amid among analyze announce annoyed annoying another anymore anyway anywhere apart
apologies apologize appeal appear appears applied apply appreciate appreciated approach
approached appropriate approximately aren arise around arrange arrive arrived aside ask asked
asking asks asleep assist assume assured ate attach attempt attend attended attending attract
available avoid avoiding aware away awesome awful awkward aww back bad badly based basic
basically bear beautiful beautifully become becomes becoming began begin beginning begins begun
behave behind believe believes belong besides best bet better beyond big bigger biggest bit bits
blame blast bless blessed blew blow bored boring born borrow bother bought bound brave break breathe
breathtaking brief briefly bright brilliant bring bringing brings broaden broke broken brought
btw build builds built bummer burden burst busy buy buying calculate call called calling calls
calm calming came cancel capable capture captured care cared careful carefully cares carried
carry carve catch cater caught cause caused causes celebrate celebrating certain certainly
challenged challenging changed changing chat chatting check checked checking cheer cheering
cheers cherish chill choose choosing chose chosen clarify clear clearer clearly click clicked
clicking close closed closely closer collect collecting combine combined come comes comfortable
comforting coming communicate compare compared competitive compile complete completed completely
complex comply concern concerned concerning conduct confident confirm confirmed confront
confused confusing congrats congratulations connect connected connecting consider considered
considering consist consistent consistently constant constantly construct consult consume
contact contain contains continue continued continuing contribute contributing convenient
convert convey convince convinced cool cope correct correctly cost costs couldn count couple
cover covered covers cozy crazy create created creates creating crucial cultivate curious
current currently cute cuz daily dang dare dealing dear decide decided deciding dedicated deep
deepen deeper deeply defend define definitely delay delicious delighted deliver demand
demonstrate deny depend depending depends describe described deserve deserved deserves despite
destroy detailed determine determined develop developed developing didn die died differ
different difficult difficulty dig directly disappointed discover discovered discovering discuss
discussed discussing dive divide doesn donate done doubt dozen dreamed drew drop dropped drown
drowned drowning dude due dug eager earlier early earn ease easier easily easy eat eaten eating
edit effective effectively efficient eight elevate embark embrace embracing emerge emphasize
employ empower empowering enable encounter encourage encouraged encouragement encouraging end
ended ending ends endure engage engaged engaging enhance enjoy enjoyable enjoyed enjoying enjoys
enlighten enough enroll ensure ensures ensuring enter entertain entire entirely especially
essential essentially establish evaluate even eventually everyday evolve exact exactly exceed
excellent except excited exciting excuse execute exhausted exhausting exist expand expect
expected explain explained explore explored exploring expose express expressed expressing extend
extra extremely fabulous face faced facilitate facing fail failed fairly fall fallen fam
familiar fantastic far fascinated fascinating fast fault favor favorite favourite fear feel
feeling feelings feels fell felt fewer fight figure figured figuring fill filled final finally
find finding finds fine fingers finish finished first fit fits five fix fixed flourish fluffy
focus focused focusing follow followed following follows forever forget forgot forgotten form
former forward foster fostering found four free frequently fresh friendly frustrated frustrating
fulfill fulfilling full fully fun function funny gain gained gather gathered gave general
generally generate generous gentle gently genuine genuinely give given gives giving glad glow
gonna good goodbye gorgeous gotcha gotta gotten grab grabbed grand grateful gravitate great
greater greatest greatly greet grew grow growing grown grows guarantee guess gut guts guys hadn
haha half handle handled handling hang hanging happen happened happening happens happier happily
happy hard harder hardly harness hasn hate hated haven heal healing hear heard hearing
heartbroken heartfelt heartwarming hehe hello help helped helpful helping helps hesitate hey
hide high higher highlight highly hire hit hmm hold holding holds honest honestly honor honored
hope hoped hopeful hopefully hopes hoping hot however hug huge huh hundred hurt ideal identify
ignite illustrate imagine immediate immediately immense impact imply important impose impossible
impress impressed impressive improve improved improves improving inc include included includes
including incorporate incorporates incorporating increase increased increasing incredible
incredibly indeed indicate individual indulge influence inform infuse initial initially inside
insist inspect inspire inspired inspires inspiring install instance instead integrate integrates
intend intensify interact interested interesting interpret introduce invest investigate invite
invited involve involved involves isn isolate join joined joining jump justify keep keeping
keeps kept kid kidding kind kinda knew know knowing known knows lack laid large largely larger
last lasting late lately later latest laugh laughed laughing laughter lay lead leading leads
lean learn learned learns learnt least leave leaving led left legit lend less lets letting level
leverage lift like liked likely likes likewise limit limited line linger listen listened
listening lit little lively load located lock lol long longer look looked looking looks lose
losing lost lot lots loud love loved lovely loves loving low lower luckily lucky made magical
main mainly maintain maintaining make makes making manage managed managing mark massive matched
matter matters maybe mean meaning meaningful means meant meanwhile measure meet mend mention
mentioned mentioning met million mind mine minimize minor miss missed missing mitigate mix mixed
modify monitor moreover mostly motivate motivated motivating move moved moves moving multiple
nah naturally navigate navigating near nearby nearly neat necessarily necessary need needed
needing needs neglect negotiate neither nervous nevertheless new newer newest next nice nicely
nine nope normal normally note noted nothing notice noticed noticing nowadays nurture nurturing
obtain obvious obviously occasion occasionally occur offer offered offering offers often older
omg ones ongoing onto open opened opening opens operate operates opinion optimize ordinary
organized original originally originate otherwise ought outside overall overcome oversee
overwhelmed overwhelming owe paid part participate participating particular particularly pass
passed passing past pay paying peaceful perfect perfectly perform performed perhaps permit
persevere persist personal personally pick picked picking piece pieces place placed planned play
played playing plays pleasant pleased pleasure plenty plus point pointed poor popular portray
positive possess possible possibly postpone potential potentially powerful practical practically
practise praise precious precisely prefer preferred prepare prepared preparing present preserve
press pretend pretty prevent previous previously prior prioritize prioritizing probably proceed
produce produces prohibit promise promote promoting proof proper properly propose protect proud
prove provide provided provides providing psyched publish pull pulled pumped purchase pure
pursue pursuing push pushed pushing put puts putting qualify quick quickly quiet quietly raise
raised raising ran rare rarely rather reach reached reaching react read ready real realise
realised realistic reality realize realized realizing reason reasonable reasons reassure rebuild
recall receive received recent recently recharge reckon recommend recommended reconnect recover
reduce reducing refer reflect reflected reflecting refresh refreshing regain regard regarding
regardless regards register regular regularly reinforce reject rejuvenate relatable relate
related relax relaxed relaxing release relevant relief rely remain remains remarkable remember
remembered remembering remind reminded reminder reminds remove removed repeat replace reply
represent represents request require required requires resend resilient resolve resonate
resonates respect respond rest restore restrict result results resume retain retrieve return
returned reunite reveal revise revisit rewarding rich right roughly round run rush sad sadly
safe sat satisfied satisfying save saved saving savor saw saying scare scared scroll searching
second secure see seeing seek seeking seem seemed seems seen select selected sell sells send
sending sense sent separate serious seriously serve served serves set sets setting settle seven
several severe share shared shares sharing sharp shine shocked short shorter shouldn show showed
showing shown shows sign significant significantly silly similar similarly simple simpler
simplify simply since sing single sit sitting situation six skip slight slightly slow slowly
small smaller smile smooth smoothly soft solid solve solves someday somehow sometime sometimes
somewhat somewhere soon sooner soothing sorry sort sorts sound sounded sounds sour spark sparked
speak speaking special specific specifically specify spectacular spend spending spent spoke spot
spread stand standing stands start started starting starts state stated stay stayed staying
stays stem step stepped stick still stimulate stoked stood stop stopped straight strange
strengthen stressed stretch strive strong stronger strongly struck struggle struggled struggling
stuck stuff stunning submit succeed sudden suddenly suffer suggest suggested suggesting
suggestion suit suitable summarize sup super supply supportive supposed sure surely surprise
surprised surprising surprisingly surreal surround survive suspect sustain swear sweet switch
symbolize tackle take taken takes taking talk talked talking talks teach tease tell telling
tells ten tend terms terrible terrific thank thankful thanks therapeutic think thinking thinks
third thorough thoroughly thought thoughtful thoughts thousand three threw thrilled throughout
throw thrown tie tight timeless tiny tired today together told tomorrow tonight took top tops
total totally touch touched touching tough toward towards transform translate treasure treat
tremendous tricky tried tries trouble true truly trust trying turn turned turning turns two type
types typical typically ugh unable uncertain uncover understand understandable understanding
understands understood unexpected unfold unfortunately unique unite unless unlike unlock unreal
unwind upcoming update updated upgrade upset urge use used useful user uses using usual usually
utilize valid valuable value various vary vast venture verify versatile via vibe vibes view
vital vivid wait waited waiting wake walked walks wanna want wanted wanting wants warm warmth
wasn watch watched watching ways weigh weird welcome well weren whatever whenever whereas
wherever whether whoever whole wide widely willing win wise wish wished wishing within without
witness woke wonder wondered wonderful wondering worried worry worrying worse worst worth
worthwhile wouldn wow write writes wrong wrote yay yearn yep yesterday young younger yum yummy
""")

# Words that may stand before a subject and are none: what sort it is of.
SORTS = word_set("""
abstract academic acceptable accurate active actual additional adequate advanced adverse
aesthetic affordable african agricultural alternative ambiguous american ample ancient annual
anonymous anxious april arbitrary artificial artistic asian august authentic automatic balanced
black blank blind blue bold brand british brown brutal careless casual chaotic cheap chemical
chinese chronic classic clean clinical cloudy coastal cognitive cohesive cold collaborative
colorful commercial common competent comprehensive concise concrete confidential consecutive
contemporary conventional corporate creative creepy crisp critical crowded cultural custom
cutting damp dark december decent deliberate dense depressed dietary digital diligent distant
distinct diverse domestic dry dual dull durable dynamic eastern economic educational electrical
elegant eligible eloquent embarrassed emotional empty endless english environmental ethical
european evident excessive exotic expensive explicit extensive external faint false famous fancy
feasible february federal fictional fierce fiscal flat flexible floral fluent foreign formal
fragile french frequent friday functional german global gloomy golden gradual gray greek green
grey handmade harsh healthier healthy heavy hectic herbal hidden historic historical holistic
hollow homemade homesick human hungry hybrid identical illegal immoral implicit inappropriate
inclusive independent indian indoor industrial inevitable informal inherent inner innovative
insane intact intense interactive internal international interpersonal intimate intricate
intuitive invisible irrelevant italian january japanese joint judicial july june key korean
legal legislative lengthy light linear literal local logical lonely loose loyal mandatory manual
march mature mechanical medical mental mere mexican military mindful minimal mobile moderate
modern modest monday monthly moral mutual naive narrow national native natural negative neutral
nightly noisy northern notable november numerous nutritional objective october odd official old
online operational optimal optimum optional orange organic organizational outdoor outer overseas
parental partial passive patient permanent persistent physical pink plain political portable
precise preferential preliminary primary private professional profound prominent prone
provincial public purple quality quarterly radical rainy random rapid raw reckless red redundant
regional relative reliable religious remaining remote residential responsible rigid robust
romantic rough royal rude rural saturday scarce scary scattered scientific seamless seasonal
secondary secret selfish sensitive september sexual shallow silent silver simultaneous sincere
skilled sleepy slim sloppy smart snowy social southern spanish spare sparse specialized spicy
spiritual spontaneous spooky stable standard static steady steep stiff strategic strict
structural structured stubborn stupid subtle successful sunday sunny superb superficial superior
supreme sustainable swift systematic tactical tall tasty technical tedious temporary tender
tense theoretical thick thin thirsty thursday traditional tribal trivial tropical troubled
tuesday ultimate undue uneven unhappy unhealthy universal unknown unlikely unusual urban urgent
vague verbal vibrant vicious virtual visual vocal voluntary vulnerable weak wealthy weary
wednesday weekly western wet white wicked wild wooden yellow
""")

# Names of what everything has: a subject only beside another word ("support group", "trip plan").
VAGUE = word_set("""
color colors colour colours
abilities ability acceptance accomplishment accomplishments account accuracy achievement
achievements action actions activities activity addition advancement advantage adventure adventures
advice affection afternoon age agreement agreements aims air amount analysis angle animal animals
answer answers app application applications appointment appointments approaches apps area areas
arrangement arrangements article articles aspect aspects aspiration aspirations assignment
assignments assistant atmosphere attachment attachments attention attitude audience aunt author
availability average awareness axis background backup balance base basis batch beauty behavior
belonging benefit benefits bit bits blend block body bolt bond bonds boost boundaries bowl box boy
boyfriend boys branch bravery breaks breath brother building bullet bunch button buttons bye
calculator card cards case cases cash category cell cells center challenge challenges chance
chances change changes chapter character characters cheek cheeks chest child choice choices chunk
circle circumstances cities city clarity class client clients closeness clue code colleague
colleagues column columns combination comfort comment comments commitment community companion
company comparison component components concept concepts conclusion condition conditions confidence
confusion connection connections consideration considerations constraint constraints content
context control conversation conversations copies copy core corner cost costs count country courage
course cousin creation creativity credit criteria culture curiosity customer customers cycle dad
data date dates daughter day days deadline deadlines deal decision decisions dedication default
defaults degree department desire destination detail details determination development devotion
dialog dialogue difference differences difficulties dinner direction directory discussion distance
diversity document download downloads draft drafts dream dreams drive duration dynamics edge effect
effects effort efforts element elements email emails emergency emotion emotions empathy empties
energy enthusiasm entry environment episode error essay essence etc evening event events evidence
example examples excellence excitement exercise existence expectation expectations expense
experience experiences expert expertise explanation exposure expression eye eyes fact factor
factors facts failure fair faith family fans father fave fears feature features fee feedback fees
field figures file files financial flow folder folders folks force format formats foundation frame
framework freedom friend friends friendship fuel fulfillment fulfilment functions future gap gaps
gear generalization generation genius girl girlfriend girls goal goals grandma grandpa gratitude
ground group groups growth guest guests guidance guide guy habit hand hands happiness hardship
hardships harmony head headline heart hearts heat hero hi5 hobbies hobby home honesty hour hours
house hrs humans hurdle husband hype idea ideas identity image images imagination impacts
implementation importance impression improvement improvements inbox incident inclusivity
independence index indexes individuals info information infrastructure input inputs insight
insights inspiration inspirations installation instruction instructions intelligence intention
interaction interest interests issue issues item items job journey joy judgment keyword kids
kindness kinds knowledge label labels lady language layer layers layout leader learner learning
legs length lesson lessons level levels life lifestyle limits line lines link links list lists
lives location logic loss lot lots luck man manager managers material materials matter matters meal
meals meeting meetings member members memories memory men mentality menu message messages method
methods milestone milestones mindset mins minute minutes mission missions mistake mistakes mode
model module mom moment moments momentum money month months mood morning mother motivation movement
name names nature network news night nights norm notes notification notifications number numbers
object objects obstacle offer offers openness operation operations opportunities opportunity
optimism option options order others outcome outcomes outlet outline output overload overview owner
pace package packages page pages pair panel paragraph parameter parameters parcel parent parents
park partner parts party passion passions path paths patience pattern patterns payment payments
peace people percent perfection performance period permission permissions perseverance person
personality perspective perspectives phase photo photos pic pics picture pictures piece pieces pip
placeholder places plan planning plans platform points policies policy position positivity
possibilities possibility post posts pot power practice preference preferences preparation presence
pressure price prices pricing pride principle principles priorities priority problem problems
procedure process processes product production productivity products program programs progress
project projects prompt prompts property pros protection purpose queries query question questions
quote quotes range rate ratio reaction recap receipt receipts recognition recommendation
recommendations record recurring reference reflection region registration relationship
relationships reliance reminders replies reply report reports requirement requirements research
resilience resource resources response responses responsibilities responsibility review reward
rewrite risk risks road role roles room route routine row rows rule rules safety sample samples
scale scenario scene scenery scenes schedule schedules scope score scores screen section sections
self seller sentence sentences sentiment serenity series service services session sessions setback
setbacks setting settings setup shape sheet sheets shift shop shops sibling side sides signal
significance signs similarity sincerity sister site sites size skill skills slice slices slot slots
solution solutions son sorrow soul source sources space speaker speed spirit spots stability staff
stage stages stake standards statement status steps stock store stores stories story stranger
strangers strategies strategy strength strengths string strings stroll structure struggles student
students style styles subject success suggestions sum summaries summary summit support surface
surroundings symbol system systems tab table tabs tale talent target task tasks taste teacher team
teams tech technique techniques technology template templates term test text texture theme themes
theory thing things ticket tickets time times tip tips title token tokens tone tool tools topic
topics total totals track tradition traditions tranquility transformation transition trends trip
trips truth try uncle unit unity updates upside usage values variety version video videos vision
visit voice vulnerability walk walks wall way weather website week weekend weekends weeks weight
wellbeing wife wisdom woman women wonders word words work world worries year years zone zones
""")

# They count and measure; no subject holds one, and none goes on across it.
UNITS = word_set("""
annum apr aug bucks celsius cent centimeter centimeters centimetre centimetres cents cm crore
currency dec degrees dollar dollars dozen dozens eur euro euros fahrenheit feb feet foot fortnight
fri fridays gallon gallons gbp gram grams hectare hectares hundreds idr inch inches inr jan jpy jul
jun kcal kg kgs kilo kilogram kilograms kilometer kilometers kilometre kilometres kilos km kms kph
krw kwh lakh lb lbs liter liters litre litres mar meter meters metre metres mg mile miles milligram
milligrams milliliter milliliters millimeter millimeters millions ml mm mondays mph nov oct ounce
ounces oz percent percentage percentages pint pints pound pounds quarter quarters rand rp ruble
rubles rupee rupees rupiah rupiahs sat saturdays sec seconds secs sep sept sgd sqm sundays
tablespoon tablespoons tbsp teaspoon teaspoons thousands thu thur thurs thursdays ton tonne tonnes
tons tsp tue tues tuesdays twd usd wed wednesdays yard yards yen yuan
""")

# How people are addressed, and what they call out.
CALLS = word_set("""
alhamdulillah bang bu dude god goodness gosh hooray ibu insha inshallah madam mas mba mbak miss
mister mrs omg pak san sensei sir ssi
""")

# After these a plain word is a deed, not a thing: "I garden", "to garden".
BEFORE_A_DEED = word_set("""
i you we they he she it who to will would can could should must may might shall don't didn't
doesn't can't couldn't won't wouldn't i'll you'll we'll they'll he'll she'll i'd you'd we'd
they'd let's please never always just cannot i've we've you've they've not also
""")

# What stands alone after these describes something: "was surreal".
BEFORE_A_TRAIT = word_set("""
is are was were be been being am so very too really super more most less quite pretty feel
feels felt seem seems look looks sound sounds it's that's they're i'm you're we're he's she's
""")

# Other forms of words that break a subject, and yet things themselves: "search" and "searches".
STILL_THINGS = word_set("""
building carving cleaning farming fishing gardening healing learning lighting listing meeting
meetings moving painting parking planning ratings reading riding running sailing savings
singing skating spelling swimming testing training wedding writing books cards designs gifts
homes lights matches parties readings searches stamps writings
""")

# "camping trip", "cooking class": what is done there names it.
OUTINGS = word_set("trip class classes club group team course lesson lessons project plan")

# Of what sort, after a hyphen: "long-term", "high-quality".
AFTER_A_HYPHEN = word_set("term quality depth class time scale level end age day friendly")

# Neither adverbs nor past tenses, though they end like one.
NO_ADVERB = word_set("family italy july reply supply assembly jelly belly lily bully rally")
NO_PAST = word_set("bed red weed feed seed speed breed shed sled hundred sacred wed ted")

# They say nothing by themselves, and begin the name of a place: "New York".
OPENS_A_NAME = word_set("new great grand san los las santa saint")
