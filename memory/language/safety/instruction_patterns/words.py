"""The words that orders are made of, by what they do, each as a part of a pattern."""


def any_of(words: str) -> str:
    """One of these, as a part of a pattern."""
    return "(?:" + "|".join(words.split()) + ")"


FORGET = any_of(
    r"""forget ignore disregard(?:ing)? drop abandon override overrule erase discard bypass
    dismiss unlearn neglect delete skip clear void vergiss vergesst vergessen ignoriere? ignorieren
    missachten? missachte streiche streichen? verwirf verwerfen losche loschen uberspringe
    olvid\w+ ignora ignore ignorad descart\w+ omit[ae] borra oublie[rz]? ignore[rz]? efface[rz]?
    dimentica\w* ignora esquec\w+ vergeet negeer zaborav\w+ zapomni\w* ignoruj
    забудь(?:те)? игнорируи(?:те)? glom ignorera"""
)
BEFORE = any_of(
    r"""previous(?:ly)? prior preceding earlier above before former foregoing given past existing
    initial original vorherig\w* vorangehend\w* vorangegangen\w* vorig\w* bisherig\w* obig\w* davor
    zuvor vorher fruher\w* anterior\w* previ[ao]s? antes arriba precedentes? avant dessus
    prethodn\w* предыдущ\w*"""
)
PRECEPT = any_of(
    r"""instructions? instrukci\w+ instruktion\w* instrucci\w+ instruzion\w+ instrucoes orders?
    commands? rules? guidelines? directives? directions? assignments? tasks? prompts? policies
    policy programming training guardrails? restrictions? safety safeguards? protocols? constraints?
    anweisung\w* befehle?n?
    auftrage?n? aufgaben? regeln? vorgaben? angaben? ordenes reglas indicaciones tareas consignes
    regles ordres directives taches instructies pravila инструкц\w+ правила"""
)
ALL = any_of(
    r"""everything all alles alle allen samtlich\w* todo todas? todos tout toutes? tous tutto tutte
    sve wszystko все anything whatever"""
)
CONTEXT = any_of(
    r"""information informationen informacion informations context kontext documents? dokumente?n?
    articles? artikels? artikeln ausfuhrungen thoughts gedanken conversations? messages? texts?
    content details words gesagte know knew weisst learned said told"""
)
ANSWER = any_of(
    r"""answers? respon[sc]es? repl(?:y|ies) output message antwort\w* respuestas? reponses?
    risposta resposta"""
)
YOUR = any_of(r"your deine?\w* ihre?\w* eure?\w* tus? sus? votre vos ta tes")


def gap(words: int) -> str:
    """Up to so many words in between, within one sentence; "up-to-date" may count as one.

    Every word is read in one go: of a long chain of hyphens no share is tried after the other.
    """
    return rf"[^\w.!?\n]++(?:(?:\w++['-]++(?=\w)){{0,3}}\w++[^\w.!?\n]++){{0,{words}}}"


NEW = (
    r"new|additional|further|updated|next|more|neue[ns]?|nachste[nr]?|weitere[nr]?|tolle neue|"
    r"great new|"
    r"zusatzliche|nuev[ao]s?|nouvelles?|nouvel|otras?|autres?"
)
ORDERS = (
    r"instructions?|orders?|commands?|assignments?|tasks?|challenges?|rules|directives|"
    r"instruktionen|anweisungen|aufgaben?|auftrage?|herausforderung(?:en)?|befehle|instrucci\w+|"
    r"tareas?|ordenes|consignes|taches?|ordres"
)

# A sentence's first words, as far as they only lead to an order.
LEAD = (
    r"(?:^|[.!?:;,\n\"'()\[\]*>-]\s*|\b(?:and|then|so|but|now|just|please|also|instead|or|first|"
    r"next|finally|must|should|bitte|und|dann|nun|jetzt|aber|sondern|por favor|y|ahora|"
    r"s'il (?:te|vous) plait|et|puis|maintenant)\s+)"
)

SHOW = any_of(
    r"""show print reveal repeat display output expose disclose leak dump recite list copy give tell
    zeige? zeig gib zeigen nenne? verrate? wiederhole muestra\w* revela repite montre[zr]?
    revele[zr]? repete[zr]? affiche[zr]? vorzeigen"""
)

SAY = any_of(
    r"""say says state print output write respond reply answer claim display return type sag sage
    sagen schreib schreibe schreiben gib antworte di diga decir dis dites escribe ecris ecrivez
    скажи(?:те)? reci kazi"""
)
ONLY = any_of(r"just only simply merely nur bloss einfach solo solamente seulement juste always")

CHANGE = any_of(
    r"""add include integrate incorporate insert append prepend embed weave work inject attach put
    slip modify alter adjust change augment enhance enrich extend embellish transform rewrite edit
    replace substitute convert encode encrypt reverse scramble jumble shuffle rearrange mix
    misspell garble render produce present deliver provide use introduce remove delete omit strip
    group combine join merge repeat mention suggest tease hint promote start begin end finish
    conclude sprinkle swap turn translate spell capitalize format mask express craft answer respond
    reply write anagram make apply split interleave fuge fugen erganze baue ersetze verwende
    verschlussele kodiere anade agrega incluye inserta reemplaza sustituye codifica ajoute[rz]?
    inclu(?:s|re|ez) insere[rz]? remplace[rz]? utilise[rz]?"""
)

SELL = any_of(
    r"""recommend promote advertise endorse praise push favou?r upsell suggest mention plug sell
    empfiehl empfehle empfehlen bewirb bewerbe lobe erwahne recomienda\w* promociona menciona
    recommande[rz]? mentionne[rz]? vante[rz]?"""
)
CROWD = any_of(
    r"""users? readers? visitors? customers? everyone everybody people viewers? subscribers?
    clients? recipients? citizens? voters? shoppers? buyers? audience public
    benutzer\w* nutzer\w* kunden leser\w* usuarios? clientes lecteurs?
    utilisateurs?"""
)

MAKE = any_of(
    r"""write draft compose generate create formulate devise craft author code program
    schreib schreibe schreiben verfasse verfassen formuliere generiere generieren erstelle erstellen
    entwirf erfinde dichte programmiere escribe redacta genera crea elabora compon ecris ecrivez
    redige[rz]? genere[rz]? cree[rz]? elabore[rz]? compose[rz]?"""
)
DO = any_of(
    r"""develop design prepare produce provide invent outline construct build plan make suggest
    recommend tell give show list name find search look book schedule set remind order play
    send check verify determine rate rank review fix debug convert estimate guess predict
    decode encode extract sort retrieve gather collect fetch conduct perform organize organise
    entwickle nenne gib zeige suche finde buche plane spiele da dame muestra busca encuentra
    donne[rz]? montre[rz]? trouve[rz]? cherche[rz]? propose[rz]?"""
)
EXPLAIN = any_of(
    r"""explain describe summari[sz]e translate analy[sz]e compare discuss solve calculate compute
    define identify classify evaluate paraphrase rephrase proofread research investigate assess
    elaborate interpret examine explore outline erklare erklaren beschreibe beschreiben ubersetze
    ubersetzen berechne berechnen vergleiche analysiere fasse lose beantworte beantworten explica
    describe traduce calcula compara resume analiza responde explique[rz]? decrive[zr] decris
    traduis traduisez calcule[rz]? compare[rz]? resume[rz]? analyse[rz]? repondez"""
)
PIECE = any_of(
    r"""introduction example recipe plot steps reasons? poem story essay equivalent function
    definition translation overview list headline titles? synonyms? speech letter report summary
    joke song script plan code analysis outline presentation article review lifecycle process
    difference meeting reminder appointment flight table reservation alarm timer sentiment
    weather news capital sum average sequence"""
)
