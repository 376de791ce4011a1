"""Whether a sentence is an order at all: how verbs stand at its head, in four languages.

A statement about a person is no order, and neither is a question; whoever leaves out the "I" ("work
at a bank", "love dogs") uses verbs of living and feeling, which are not listed here.
"""

import re
from collections.abc import Iterator

# Verbs that hardly ever begin anything but an order.
_ORDERS = frozenset(
    """
    accept add adjust adapt advertise advise allow analyze analyse announce append apply approve
    arrange assess assign assume attach award begin block broadcast calculate cancel capitalize
    categorize cite claim classify click combine compare compile compliment compose compress compute
    conclude condemn confirm construct continue convert convince correct criticize deactivate debug
    decide declare decode defend define delete deliver deny deploy describe detect determine
    diagnose dictate disable discuss display distribute divide dump edit elaborate emphasize enable
    encode encourage encrypt endorse enhance ensure enter evaluate examine exclude execute expand
    explain explore express extend extract fabricate fetch fill find format formulate generate
    grant highlight identify ignore illustrate imitate impersonate implement include incorporate
    infer inform insert insult install instruct integrate interpret invent invite jumble
    justify locate mention merge mimic mirror misspell mock modify multiply narrate notify obey
    omit optimize organize outline output overwrite paraphrase parse paste perform permit persuade
    portray predict prepare pretend print proofread propose prove provide publish randomize
    reactivate rearrange recite recommend recalculate redirect reduce refuse reject remove rename
    render reorder repeat rephrase replace respond restructure retrieve reveal reverse revise
    rewrite roast say scramble select send separate shuffle simulate solve specify submit
    substitute subtract suggest summarize summarise swap tell threaten transcribe transform
    translate transmit uninstall unlock update upload use validate verify whisper wipe withdraw
    abbreviate allege alphabetise alphabetize anonymize argue assert attribute automate brainstorm
    caricature categorise coax conceal convey decipher decrypt delegate demonize demonise
    demonstrate depict derive differentiate disclose discredit disguise disparage divulge downplay
    embed embellish endear entice enumerate exaggerate exemplify extol extort fabricate falsify
    gauge glorify incite initiate inject insinuate insist instil instill intersperse intimidate
    itemise itemize malign manipulate mislead misquote misreport misrepresent obfuscate parody
    personify persuade pinpoint prioritise prioritize purge quantify reassign reassure recap
    rectify redact reformat reformulate refrain reiterate reschedule retell reveal reword ridicule
    sabotage scrutinize slander smear spoof summarise synthesize tabulate theorize trivialize
    truncate unscramble unsubscribe vilify visualise visualize
    sag sage zeige zeig schreibe nenne erklare mache setze antworte beantworte ubersetze fasse
    suche lies sprich nimm lass ignoriere vergiss wiederhole fuge andere losche entferne ersetze
    erstelle erzahle beleidige verfasse formuliere generiere berechne vergleiche analysiere schicke
    sende offne starte stoppe begrunde bewerte empfiehl erwahne behaupte verhalte gib
    di dime haz escribe explica describe traduce resume calcula compara analiza responde repite
    muestra ignora olvida anade agrega incluye borra elimina reemplaza genera crea elabora
    enumera recomienda insulta envia
    dis donne fais ecris explique decris traduis resume calcule compare analyse reponds repete
    montre ignore oublie ajoute inclus supprime remplace genere redige enumere recommande insulte
    envoie
    """.split()
)
# Verbs that are nouns too, or that people use of themselves: they order something, or somebody.
_WITH_OBJECT = frozenset(
    """
    answer ask book bring build buy change check choose clear close code collect comment copy count
    cover create deal design develop direct document download draft draw drop email end estimate
    export figure filter finish fix flag follow forward get give grade guide handle help hide import
    improve increase introduce join judge launch leave lie link list load log look make map mark
    measure move name negotiate offer open order paint pick plan play point post praise present
    process produce program promote pull push put query quote raise rank rate read record refer
    register release remind report request research reset restore return review round run save scan
    schedule search sell set share shorten show shut sign skip sort speak spell split start state
    stop store support switch tag take talk teach test throw trace track transfer treat trust turn
    type upgrade visit vote warn watch weigh write act behave be
    bewirb buche finde hole kaufe liste mach plane rechne spiele stell tu
    craft convey deceive draw incorporate justify pitch praise press provoke relay sketch slip
    spread stir stress surprise target threaten trick urge wrap zahle singe drehe bring
    leite hange fordere
    busca compra pon reserva cherche achete mets reserve trouve
    """.split()
)
_OBJECT = re.compile(
    r"(?:an?|the|this|that|these|those|your|all|every|each|any|some|it|them|him|only|as|whether|"
    r"how|"
    r"what|why|which|with|between|two|three|five|ten|\d+|false|fake|wrong|incorrect|misleading|"
    r"die|das|den|der|dem|dies\w*|alle\w*|jede\w*|deine?\w*|eine?\w*|drei|zwei|"
    r"el|la|los|las|un|una|unos|unas|tus?|todo\w*|tres|dos|le|les|une?|des|ton|ta|tes|tout\w*)$"
)
# Verbs of one's own life, unless so continued: "think of you often" is none.
_CONTINUED = re.compile(
    r"(?:think (?:of|up) (?:an?|the|some|three|five|ten)|stir up|whip up|dream up (?:an?|the|some)|"
    r"talk (?:the|them|him|her|users?|readers?)|sound (?:like an?|as (?:if|though)|\w+ed|angry|"
    r"happy|"
    r"sad)|bring up (?:the|how|that)|slip (?:in|into)|put in a good word|work (?:an?|the) \w+ into|"
    r"(?:let|get) the (?:user|reader|answer|summary|reply|response)\w*|cast doubt|"
    r"appeal to (?:the|fear|pity)|play on (?:the|their|his|her))\b"
)
LED_BY = frozenset(
    """
    please now then also just instead ok okay so and but first next finally kindly simply secretly
    always never only immediately bitte nun jetzt dann und aber einfach sofort immer
    por favor ahora luego y pero siempre s'il te vous plait plaît maintenant puis et mais toujours
    """.split()
)
# "Schreiben Sie": the polite order. "Können Sie" asks.
_POLITE = re.compile(
    r"^(?!(?:konnen|konnten|haben|hatten|sind|waren|wissen|mochten|kennen|wollen|werden|wurden|"
    r"glauben|denken|finden|meinen|durfen)\b)[a-z]+en sie\b"
)
_SENTENCE = re.compile(r"[^.!?\n;:]+[.!?;:]?")
_WORD = re.compile(r"[\w'+-]+")
_LONGEST_LEAD = 4


def orders(folded: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a folded text stand that are orders."""
    for match in _SENTENCE.finditer(folded):
        sentence = match[0].strip()
        if not sentence.endswith("?") and is_order(sentence):
            yield match.span()


def is_order(sentence: str) -> bool:
    """Whether a folded sentence begins like an order."""
    words = _WORD.findall(sentence[:200])
    lead = 0
    while lead < min(_LONGEST_LEAD, len(words)) and words[lead] in LED_BY:
        lead += 1
    rest = words[lead:]
    # "Lass uns morgen weiterreden": let us, not do.
    if len(rest) < 2 or (rest[0] == "lass" and rest[1] in {"uns", "mich"}):
        return False
    said = " ".join(rest)
    if rest[0] in _ORDERS or _POLITE.match(said) or _CONTINUED.match(said):
        return True
    return rest[0] in _WITH_OBJECT and bool(_OBJECT.match(rest[1]))
