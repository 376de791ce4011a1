"""When one value says the same as another, only more closely: Moscow is in Russia.

Such values do not contradict each other. The lists are short on purpose: the places and jobs that
people name most, not an atlas.
"""

from __future__ import annotations

import re

from memory.language.values.equivalence import same_value, value_key


def _inside(*lines: str) -> dict[str, frozenset[str]]:
    """Every name before the "=" lies in each of those after it, innermost first."""
    inside: dict[str, frozenset[str]] = {}
    for line in lines:
        names, _, wider = line.partition("=")
        around = frozenset(name.strip() for name in wider.split(","))
        for name in names.split(","):
            inside[name.strip()] = inside.get(name.strip(), frozenset()) | around
    return inside


_US = "united states"
_WIDER_PLACES = _inside(
    f"new york city, brooklyn, manhattan, queens, bronx, buffalo, rochester = new york, {_US}",
    "brooklyn, manhattan, queens, bronx, staten island = new york city",
    "los angeles, san francisco, san diego, san jose, oakland, sacramento, fresno, long beach, "
    f"berkeley, hollywood, santa monica, palo alto, bay area, silicon valley = california, {_US}",
    f"chicago, springfield = illinois, {_US}",
    f"houston, dallas, austin, san antonio, fort worth, el paso = texas, {_US}",
    f"miami, orlando, tampa, jacksonville, tallahassee = florida, {_US}",
    f"seattle, tacoma, spokane = washington, {_US}",
    f"portland, salem, eugene = oregon, {_US}",
    f"boston, cambridge, worcester = massachusetts, {_US}",
    f"philadelphia, pittsburgh = pennsylvania, {_US}",
    f"phoenix, tucson, scottsdale = arizona, {_US}",
    f"denver, boulder, colorado springs = colorado, {_US}",
    f"atlanta, savannah = georgia, {_US}",
    f"detroit, ann arbor = michigan, {_US}",
    f"las vegas, reno = nevada, {_US}",
    f"nashville, memphis, knoxville = tennessee, {_US}",
    f"new orleans, baton rouge = louisiana, {_US}",
    f"minneapolis, saint paul = minnesota, {_US}",
    f"cleveland, columbus, cincinnati = ohio, {_US}",
    f"milwaukee, madison = wisconsin, {_US}",
    f"charlotte, raleigh = north carolina, {_US}",
    f"saint louis, kansas city = missouri, {_US}",
    f"baltimore = maryland, {_US}",
    f"salt lake city = utah, {_US}",
    f"indianapolis = indiana, {_US}",
    f"omaha = nebraska, {_US}",
    f"honolulu = hawaii, {_US}",
    f"anchorage = alaska, {_US}",
    f"newark, jersey city = new jersey, {_US}",
    f"washington dc = {_US}",
    "alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, "
    "hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland, "
    "massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, "
    "new hampshire, new jersey, new mexico, new york, north carolina, north dakota, ohio, "
    "oklahoma, oregon, pennsylvania, rhode island, south carolina, south dakota, tennessee, "
    f"texas, utah, vermont, virginia, washington, west virginia, wisconsin, wyoming = {_US}",
    f"albuquerque, santa fe = new mexico, {_US}",
    f"boise = idaho, {_US}",
    f"birmingham, mobile, huntsville, montgomery = alabama, {_US}",
    f"louisville, lexington = kentucky, {_US}",
    f"oklahoma city, tulsa = oklahoma, {_US}",
    f"des moines = iowa, {_US}",
    f"fargo = north dakota, {_US}",
    f"little rock = arkansas, {_US}",
    f"wichita, topeka = kansas, {_US}",
    f"providence = rhode island, {_US}",
    f"hartford = connecticut, {_US}",
    f"richmond, norfolk, virginia beach, arlington = virginia, {_US}",
    f"charleston = south carolina, {_US}",
    f"asheville, durham, greensboro = north carolina, {_US}",
    f"chattanooga = tennessee, {_US}",
    f"dayton, toledo, akron = ohio, {_US}",
    f"grand rapids, lansing, flint = michigan, {_US}",
    f"green bay = wisconsin, {_US}",
    f"burlington = vermont, {_US}",
    f"spokane, tacoma = washington, {_US}",
    f"eugene, salem = oregon, {_US}",
    f"syracuse, long island, yonkers, albany = new york, {_US}",
    f"tampa, jacksonville, fort lauderdale, sarasota, tallahassee = florida, {_US}",
    f"jackson = mississippi, {_US}",
    f"bakersfield, riverside, pasadena, santa barbara, santa cruz, beverly hills = california, "
    f"{_US}",
    f"lubbock, plano, waco, corpus christi, arlington = texas, {_US}",
    f"scranton, erie, allentown = pennsylvania, {_US}",
    "toronto, ottawa = ontario, canada",
    "vancouver = british columbia, canada",
    "montreal = quebec, canada",
    "calgary, ontario, quebec, alberta, british columbia, nova scotia, manitoba = canada",
    "london, manchester, liverpool, birmingham, leeds, bristol, oxford, cambridge, sheffield, "
    "newcastle = england, united kingdom",
    "edinburgh, glasgow = scotland, united kingdom",
    "cardiff = wales, united kingdom",
    "england, scotland, wales, northern ireland = united kingdom",
    "moscow, saint petersburg, novosibirsk, kazan, dolgoprudny, ekaterinburg, sochi = russia",
    "berlin, munich, hamburg, cologne, frankfurt, stuttgart, leipzig, dresden, bavaria = germany",
    "paris, lyon, marseille, nice, toulouse, bordeaux = france",
    "rome, milan, naples, venice, florence, turin, sicily, sardinia = italy",
    "madrid, barcelona, valencia, seville, catalonia = spain",
    "amsterdam, rotterdam, utrecht, the hague = netherlands",
    "sydney, melbourne, brisbane, perth, adelaide = australia",
    "auckland, wellington = new zealand",
    "delhi, new delhi, mumbai, bangalore, chennai, kolkata, hyderabad, pune, goa, chandigarh, "
    "kerala, punjab, gujarat, bihar, rajasthan, tamil nadu, karnataka, uttar pradesh, up, u p "
    "= india",
    "beijing, shanghai, shenzhen, guangzhou, hong kong = china",
    "tokyo, osaka, kyoto, yokohama, sapporo = japan",
    "seoul, busan = south korea, korea",
    "sao paulo, rio de janeiro, brasilia = brazil",
    "kyiv, kiev, lviv, odessa, kharkiv = ukraine",
    "warsaw, krakow, gdansk = poland",
    "vienna, salzburg, graz = austria",
    "zurich, geneva, basel, bern = switzerland",
    "stockholm, gothenburg = sweden",
    "istanbul, ankara = turkey",
    "cairo = egypt", "lagos = nigeria", "nairobi = kenya", "bangkok = thailand",
    "cape town, johannesburg = south africa", "mexico city, cancun, tijuana = mexico",
    "lisbon, porto = portugal", "athens = greece", "prague = czechia", "budapest = hungary",
    "brussels = belgium", "copenhagen = denmark", "oslo = norway", "helsinki = finland",
    "dublin = ireland", "jakarta, bali = indonesia", "manila = philippines",
    "hanoi = vietnam", "taipei = taiwan", "dubai, abu dhabi = united arab emirates",
    "tel aviv, jerusalem = israel", "buenos aires = argentina", "lima = peru",
    "kazan, moscow, berlin, paris, rome, madrid, london = europe",
)  # fmt: skip

_WIDER_JOBS = _inside(
    "surgeon, pediatrician, psychiatrist, physician, cardiologist, anaesthetist, dermatologist, "
    "neurosurgeon, radiologist, pathologist, gp = doctor, medic",
    "veterinarian = doctor",
    "professor, lecturer, tutor, coach, instructor, kindergarten teacher = teacher",
    "developer, programmer, coder, software engineer, web developer = engineer, developer",
    "solicitor, barrister, paralegal, prosecutor = lawyer",
    "novelist, poet, journalist, blogger, author, copywriter, screenwriter = writer",
    "singer, pianist, guitarist, drummer, violinist, songwriter, dj, rapper = musician, artist",
    "painter, sculptor, musician, actor, actress, dancer, illustrator, designer = artist",
    "biologist, chemist, physicist, astronomer, researcher, geologist = scientist",
    "cashier, salesman, saleswoman, sales clerk, sales associate = clerk, retail worker",
    "baker, sous chef = cook, chef",
    "undergraduate, undergrad, phd student, graduate student, postdoc = student",
    "police officer, sheriff, detective = officer, police officer",
    "marine, sailor, pilot, sergeant = soldier, officer",
    "chauffeur, truck driver, bus driver = driver",
    "waiter, barista, bartender = server",
    "babysitter, au pair = nanny, caregiver",
    "baker, butcher, barber, florist, grocer = shopkeeper, shop owner",
    "accountant, bookkeeper, auditor = finance professional, accountant",
    "electrician, plumber, carpenter, welder, mechanic, roofer = tradesman, contractor",
    "homemaker, housewife = stay at home mom",
)  # fmt: skip


_NO_WORK = frozenset({"not working", "unemployed"})
_NAMED_IN_FULL = frozenset({"name", "employer"})
"""Slots in which words after a value make it more special: "Sam Smith", "Google DeepMind"."""
_NAMED_BY_HEAD = frozenset({"job_title", "career_goal", "employer", "vehicle", "pets", "education"})
"""Slots in which words before a value make it more special: "senior nurse", "City Hospital"."""


def narrower(slot: str, a: str, b: str) -> bool:
    """Whether ``a`` says what ``b`` says, only more closely.

    "Moscow" is narrower than "Russia", "surgeon" than "doctor", "senior nurse" than "nurse", and
    "City Hospital" than "a hospital", "Sam Smith" than "Sam", "Google DeepMind" than "Google", and
    "Ohio" than "a small town". A value is never narrower than itself.
    """
    if same_value(slot, a, b):
        return False
    first, second = value_key(slot, a), value_key(slot, b)
    if not first or not second:
        return False
    if slot in {"location", "hometown"}:
        return _place_inside(first, second)
    if slot == "employment_status":
        return second in _NO_WORK and first not in _NO_WORK
    in_full = slot in _NAMED_IN_FULL and first.startswith(f"{second} ")
    by_head = slot in _NAMED_BY_HEAD and f" {first} ".endswith(f" {second} ")
    of_a_kind = slot in {"job_title", "career_goal"} and _job_inside(first, second)
    return in_full or by_head or of_a_kind


def _job_inside(inner: str, outer: str) -> bool:
    """Whether a job is one of a wider kind: "senior surgeon" of "doctor"."""
    parts = inner.split()
    heads = (" ".join(parts[n:]) for n in range(len(parts)))
    return inner.startswith(f"{outer} of ") or any(outer in _WIDER_JOBS.get(h, ()) for h in heads)


_SURROUNDINGS = re.compile(
    r"(?:(?:small|big|large|little|tiny|rural|quiet|busy|old|dairy|cattle|beet|pig|mountain) )*"
    r"(?:farm|ranch|town|village|city|suburbs?|country|countryside|area|mountains|beach|island|"
    r"woods|"
    r"coast)"
)


def _place_inside(inner: str, outer: str) -> bool:
    """Whether a place lies in another: by its own region, or by the list."""
    city, _, region = inner.partition("|")
    around = outer.partition("|")[0]
    if _SURROUNDINGS.fullmatch(around) and not _SURROUNDINGS.fullmatch(city):
        return True  # "Ohio" says more than "a small town", and nothing against it
    if city == around.removesuffix(" area"):
        return city != around  # who lives in Boston lives in the Boston area
    wider = _WIDER_PLACES.get(city.removesuffix(" area"), frozenset()) | {region}
    wider |= _WIDER_PLACES.get(city, frozenset())
    if region:
        wider |= _WIDER_PLACES.get(region, frozenset())
    # "new york" is folded into the city, though it may mean the state.
    return around in wider or (around == "new york city" and "new york" in wider)
