"""How people write when they give an assistant orders: the patterns, by kind and language.

Every pattern is read against folded text (`instructions.fold`): lower case, without accents,
straight quotes. They name classes (a verb of forgetting with a word for what was said before), in
English, German, Spanish and French, with the nearest words of some neighbours. A pattern that is
told only when nobody is the subject of its verb ("I forget everything") is marked `told`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What is wrong with a text that must not be kept."""

    OVERRIDE = "override"
    """It sets aside what was said or ruled before."""
    ROLE = "role"
    """It makes the assistant somebody else."""
    LEAK = "leak"
    """It asks for the assistant's own instructions."""
    HIDDEN = "hidden"
    """It hides its words from the eye, or hides an order in markup."""
    FRAME = "frame"
    """It imitates the frame of a prompt: system lines, speakers, a scene to go on with."""
    WORDS = "words"
    """It puts words into the assistant's mouth."""
    SHAPING = "shaping"
    """It slips something into an answer, or spoils it."""
    OTHERS = "others"
    """It serves somebody else: sells, links, sends data away, keeps something from the person."""
    MATERIAL = "material"
    """It is material to answer from, and nothing the person says."""
    TASK = "task"
    """It is a task to be done now, and nothing to remember."""
    LEARNED = "learned"
    """It reads like such texts without matching a rule."""


@dataclass(frozen=True)
class Rule:
    """A pattern of one kind; `told`: its verb must be an order, not something somebody does."""

    kind: Kind
    pattern: re.Pattern[str]
    told: bool = False


def _any(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"


# --- Words -------------------------------------------------------------------------------------

FORGET = _any(
    r"""forget ignore disregard(?:ing)? drop abandon override overrule erase discard bypass
    dismiss unlearn neglect delete skip clear void vergiss vergesst vergessen ignoriere? ignorieren
    missachten? missachte streiche streichen? verwirf verwerfen losche loschen uberspringe
    olvid\w+ ignora ignore ignorad descart\w+ omit[ae] borra oublie[rz]? ignore[rz]? efface[rz]?
    dimentica\w* ignora esquec\w+ vergeet negeer zaborav\w+ zapomni\w* ignoruj
    забудь(?:те)? игнорируи(?:те)? glom ignorera"""
)
BEFORE = _any(
    r"""previous(?:ly)? prior preceding earlier above before former foregoing given past existing
    initial original vorherig\w* vorangehend\w* vorangegangen\w* vorig\w* bisherig\w* obig\w* davor
    zuvor vorher fruher\w* anterior\w* previ[ao]s? antes arriba precedentes? avant dessus
    prethodn\w* предыдущ\w*"""
)
PRECEPT = _any(
    r"""instructions? instrukci\w+ instruktion\w* instrucci\w+ instruzion\w+ instrucoes orders?
    commands? rules? guidelines? directives? directions? assignments? tasks? prompts? policies
    policy programming training guardrails? restrictions? safety safeguards? protocols? constraints?
    anweisung\w* befehle?n?
    auftrage?n? aufgaben? regeln? vorgaben? angaben? ordenes reglas indicaciones tareas consignes
    regles ordres directives taches instructies pravila инструкц\w+ правила"""
)
ALL = _any(
    r"""everything all alles alle allen samtlich\w* todo todas? todos tout toutes? tous tutto tutte
    sve wszystko все anything whatever"""
)
CONTEXT = _any(
    r"""information informationen informacion informations context kontext documents? dokumente?n?
    articles? artikels? artikeln ausfuhrungen thoughts gedanken conversations? messages? texts?
    content details words gesagte know knew weisst learned said told"""
)
ANSWER = _any(
    r"""answers? respon[sc]es? repl(?:y|ies) output message antwort\w* respuestas? reponses?
    risposta resposta"""
)
_PROMPT = r"(?:system[- ]?|initial |first |full |entire |whole |original |secret |hidden )*prompt"
YOUR = _any(r"your deine?\w* ihre?\w* eure?\w* tus? sus? votre vos ta tes")


def _gap(words: int) -> str:
    """Up to so many words in between, within one sentence."""
    return rf"[^\w.!?\n]+(?:[\w'-]+[^\w.!?\n]+){{0,{words}}}"


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
_LEAD = (
    r"(?:^|[.!?:;,\n\"'()\[\]*>-]\s*|\b(?:and|then|so|but|now|just|please|also|instead|or|first|"
    r"next|finally|must|should|bitte|und|dann|nun|jetzt|aber|sondern|por favor|y|ahora|"
    r"s'il (?:te|vous) plait|et|puis|maintenant)\s+)"
)

# --- Setting aside what was before ----------------------------------------------------------------

_OVERRIDE = (
    (rf"\b{FORGET}{_gap(4)}{BEFORE}\b", True),
    (rf"\b{FORGET}{_gap(4)}{PRECEPT}\b", True),
    (rf"\b(?:throw|do|get|be)\s+(?:away|away with|rid of|done with){_gap(3)}{PRECEPT}\b", True),
    (rf"\b{FORGET}{_gap(3)}(?:{ALL}|{YOUR}|the|these|those|any){_gap(3)}{CONTEXT}\b", True),
    (rf"\b{FORGET}\s+(?:about\s+)?{ALL}(?=\s*(?:[.,;:!-]|\band\b|\bund\b|\by\b|\bet\b|$))", True),
    (rf"\b{FORGET}\s+(?:about\s+)?(?:{ALL}\s+)?(?:the\s+)?above\b", True),
    (rf"\b{FORGET}\s+(?:what(?:ever)?|was|lo que|que|ce que)\s+(?:you|du|sie|tu|vous|te)\b", True),
    (rf"\b{FORGET}{_gap(3)}{YOUR}{_gap(3)}{PRECEPT}\b", False),
    (rf"\b{FORGET}{_gap(3)}(?:provided|given|supplied){_gap(2)}{CONTEXT}\b", False),
    (rf"\b{BEFORE}{_gap(2)}{PRECEPT}{_gap(3)}(?:ignorieren|vergessen|ignorer|ignorar)\b", False),
    (rf"\b{BEFORE}{_gap(1)}(?:ausfuhrungen|texte?)\s+(?:ignorieren|vergessen)\b", False),
    (
        rf"\b(?:despite|regardless of|contrary to|instead of|deviating from|unlike|abweichend|"
        rf"entgegen|trotz|a pesar de|contrairement a){_gap(4)}(?:instru[ck]\w+|rules|guidelines|"
        rf"told|gesagt|regeln|vorgaben|reglas|"
        rf"consignes)\b",
        False,
    ),
    (
        rf"\b(?:put|strike|remove|leave|wipe|clear|get rid of|lass\w*|streichen|dejad?|laisse[rz]?)"
        rf"{_gap(1)}{ALL}{_gap(4)}(?:{PRECEPT}|{CONTEXT}){_gap(3)}"
        r"(?:aside|behind|from|out|away|hinter|kopf|atras|derriere)\b",
        True,
    ),
    (
        rf"\b(?:change|replace|update|rewrite|reset|revise|andere|ersetze|cambia|change[rz])"
        rf"{_gap(1)}{YOUR}{_gap(2)}{PRECEPT}\b",
        True,
    ),
    (rf"\b{YOUR}{_gap(2)}{PRECEPT}\s+(?:are|is|sind|lauten|son|sont)\s+(?:now|nun|jetzt)\b", False),
    (
        rf"\b(?:{NEW})\s+(?:{ORDERS})\s+(?:(?:are|is|will|now)\s+)*(?:follow\w*|come|folg\w+|"
        rf"siguen|suivent)|\b(?:folgen|kommen|hier sind|here (?:are|is))\b[^.!?\n]{{0,20}}"
        rf"\b(?:{NEW}|(?:a|your) new)\s+(?:{ORDERS})\b",
        False,
    ),
    (
        rf"\b(?:on|to|with|auf|mit|en|sur|for|fur)\s+(?:{YOUR}|an?|the|die|eine[rn]?|una|une)\s+"
        rf"(?:{NEW})\s+(?:{ORDERS})\b",
        False,
    ),
    (
        rf"\b{YOUR}\s+(?:{NEW})\s+(?:{ORDERS})\b|\b(?:{NEW})\s+(?:{ORDERS})\b[^.!?\n]{{0,20}}"
        rf"(?:\bfor you\b|\bfur dich\b|\bfur sie\b|\bpara ti\b|\bpour toi\b|:| - )",
        False,
    ),
    (rf"(?:^|\n|\\n)\s*(?:important |new |additional |system )?{PRECEPT}\s*:", False),
    (
        rf"\b{ALL}?{_gap(1)}?{BEFORE}{_gap(1)}(?:{CONTEXT}|{PRECEPT})\b[^.!?\n]{{0,60}}"
        r"\b(?:irrelevant|invalid|void|obsolete|wrong|no longer|ungultig|falsch|hinfallig|"
        r"nicht (?:ganz )?(?:grossartig|wichtig))",
        False,
    ),
    (
        rf"\b(?:do not|don'?n?'?t|never|not|nicht|ohne|without)\b{_gap(3)}"
        r"(?:look|use|read|answer|answering|according|follow|consult|by)\b[^.!?\n]{0,30}"
        r"\b(?:provided|given|documents?|dokumente?|articles?|artikel|instructions|guidelines)\b",
        False,
    ),
    (r"\bby your own knowledge\b|\bnot by the (?:articles?|documents?|sources?)\b", False),
    (
        r"(?:^|[.!?\n-]\s*)(?:(?:attention|achtung|atencion)\W{0,3})?stopp?\s*(?:[-:]\s*\w|,\s*"
        r"(?:ignor|forget|vergiss|olvid|oublie|write|schreib|say|sag|new|neu))|"
        r"\b(?:attention|achtung)\W{1,3}stopp?\b",
        False,
    ),
    (
        r"\b(?:start|begin|fangen|beginnen|starten|fang|empieza|commence\w*)\b[^.!?\n]{0,30}"
        r"\b(?:over|from scratch|from the (?:start|front|beginning)|von vorne|von neu\w*|"
        r"de nuevo)\b"
        r"[^.!?\n]{0,60}\b(?:task|aufgabe|tarea|tache)\b",
        False,
    ),
    (
        r"\b(?:follow|obey|befolge|setze|sigue|suis)\s+(?:them|these|those|sie|diese|las|les|all)\b"
        r"[^.!?\n]{0,40}\b(?:carefully|exactly|closely|to the letter|gewissenhaft|genau|al pie)\b",
        True,
    ),
)

# --- Being somebody else -------------------------------------------------------------------------

_ROLE = (
    (
        rf"{_LEAD}(?:(?:please|now|always|only)\s+)*(?:act|behave|respond|reply|talk|speak|"
        rf"answer)\s+"
        r"(?:to \w+ )?(?:as|like)\b(?!\s+(?:\w+ as|soon|well|much|always|usual|before|me)\b)",
        True,
    ),
    (
        r"\bas (?:if|though) you (?:were|are|had)\b|\bals (?:ob|warst) du\b|\bcomo si fueras\b|"
        r"\bcomme si (?:tu|vous) etai\w*|\bfai(?:s|tes) comme si\b|\bhaz como si\b",
        False,
    ),
    (
        r"\byour (?:new |real |true |only |sole )(?:purpose|goal|job|role|mission|objective|"
        r"identity|"
        r"name|task|function) is\b|\byour (?:purpose|goal|job|role|mission|objective|"
        r"task) is (?:now )?"
        r"to\b|\b(?:deine|ihre) (?:neue |einzige )?(?:aufgabe|rolle|mission) ist\b|"
        r"\btu (?:nueva )?(?:tarea|mision|papel) es\b|\bta (?:nouvelle )?(?:tache|mission) est\b",
        False,
    ),
    (
        r"\bstop being\b[^.!?\n]{0,40}\b(?:assistant|ai|bot|chatbot|polite|helpful)\b|"
        r"\byou are dan\b|"
        r"\byou can do anything\b",
        True,
    ),
    (r"\blet(?:'s| us) (?:play a game|role-?play|pretend)\b[^?\n]{0,80}\byou\b", False),
    (
        r"\bif you (?:had no|didn't have|did not have|weren't|were not|"
        r"could ignore)\b[^.!?\n]{0,40}"
        r"\b(?:rules|restrictions?|limit\w*|filters?|guidelines|bound|assistant|ai)\b",
        False,
    ),
    (
        r"\byou (?:(?:are|have|need|got) )?(?:going )?to (?:act|behave|respond|reply) (?:as|"
        r"like)\b",
        False,
    ),
    (r"\byou (?:now |will |must |should |shall |can )*act (?:as|like)\b", False),
    (r"\byou(?: are|'re| will| must| shall) (?:now|from now on)\b(?=\s+(?!\w+ing\b)\w)", False),
    (r"\b(?:now|from now on|henceforth),? you(?: are|'re| will be)\s+(?!\w+ing\b)\w", False),
    (
        r"\b(?:pretend (?:that you|you|that i'm|i'm|i am)|imagine (?:that )?you(?: are|'re)|"
        r"suppose you(?: are|'re))\b",
        True,
    ),
    (
        rf"{_LEAD}(?:role-?play|simulate|impersonate|pretend (?:to be|as))\b|\byou(?: are|"
        rf"'re) role-?playing\b|"
        r"\brole-?play(?:ing)? as\b",
        True,
    ),
    (r"\b(?:du|sie|ihr) (?:bist|sind|seid) (?:nun|jetzt|ab jetzt|ab sofort)\b", False),
    (r"\b(?:nun|jetzt|ab jetzt|ab sofort|ok\w*[.,]?) (?:bist|sind|seid) (?:du|sie|ihr)\b", False),
    (r"\bdu bist kein\w*\b[^.!?\n]{0,60}\bsondern\b", False),
    (r"\bstell\w* (?:dir|euch|sie sich) vor\b[^.!?\n]{0,20}\b(?:du|sie|ihr)\b", False),
    (
        r"\b(?:tu|tue|tut|tun sie) so,? als\b|\bals\b[^.!?\n]{0,120}\bfungier\w*|"
        r"\bverhalte dich\b[^.!?\n]{0,20}\bwie\b|"
        r"\b(?:spiele?|ubernimm|ubernehmen sie) die rolle\b",
        False,
    ),
    (
        r"\b(?:actua|actue|comportate|responde) como\b|\bfinge (?:ser|que)\b|\bimagina que eres\b|"
        r"\b(?:ahora|a partir de ahora),? (?:tu )?(?:eres|seras|actuaras)\b|\bhaz(?:te)? (?:de|"
        r"pasar)\b",
        False,
    ),
    (
        r"\bagis(?:sez)? comme\b|\bcomporte[- ]?(?:toi|z-vous) comme\b|\bfais semblant\b|"
        r"\bfaites semblant\b|\bimagine[zr]? que (?:tu|vous)\b|\bjoue[zr]? le role\b|"
        r"\b(?:tu es|vous etes) (?:maintenant|desormais)\b|\bdesormais,? (?:tu es|vous etes)\b",
        False,
    ),
    (
        r"\b(?:stay|staying|remain|stays|bleib\w*|reste[zr]?)\b[^.!?\n]{0,40}\b(?:in (?:character|"
        r"(?:the"
        r"|their|your|his|her|ihren?|ihrer|deiner) rol\w+))|\b(?:break|breaking|falling out of)"
        r"\b[^.!?\n]{0,20}\bcharacter\b|\baus (?:der|ihrer|deiner|seiner) rolle\b|"
        r"\bin (?:deiner|ihrer|seiner) rolle auf\b",
        False,
    ),
    (
        r"\bdan mode\b|\b(?:developer|god|debug|admin|sudo|unrestricted|evil) mode\b[^.!?\n]{0,20}"
        r"\b(?:enabled|activated|on|you)\b|\b(?:enter|activate|"
        r"enable)\b[^.!?\n]{0,20}\b(?:developer|god|"
        r"admin|sudo|unrestricted|evil) mode\b|\bjailbr(?:oken|eak) (?:mode|yourself|prompt)|"
        r"\bdo anything now\b",
        False,
    ),
    (
        r"\b(?:you|ai|bot|model|chatgpt|it)\b[^.!?\n]{0,60}\b(?:no|without|zero|freed? from|any) "
        r"(?:\w+ )?(?:restrictions?|moderation|filters?|censorship|morals?|ethics|guidelines|"
        r"limitations)\b",
        False,
    ),
    (
        r"\byou (?:have|are|possess|know)\b[^.!?\n]{0,30}\b(?:no|completely|not bound|unbound|"
        r"freed)\b"
        r"[^.!?\n]{0,30}\b(?:immoral|unfiltered|uncensored|moral\w*|ethic\w*|rules|guidelines)\b",
        False,
    ),
    (
        r"\b(?:theoretical|hypothetical|fictional|parallel) (?:world|universe|"
        r"scenario)\b[^.!?\n]{0,80}"
        r"\byou\b",
        False,
    ),
    (
        r"(?:^|[.!?\n]\s*)you (?:are|will be) (?:to )?(?:play|playing|act|acting|a language model|"
        r"an? ai\b|an assistant)",
        False,
    ),
    (r"(?:^|[.!?\n:]\s*)be (?:an?|my|the) \w+(?: \w+)?(?:[.!,]\s*\w|[.!]?$)", True),
    (
        r"\bin the (?:style|voice|manner|persona) of an? (?!\w*\b(?:summary|list|table)\b)\w|"
        r"\bim stile? eine[rs]?\b|\bal estilo de un\b|\ba la maniere d'un\b",
        False,
    ),
    (
        r"\bas an? (?:\w+ )?(?:language model|ai|chatbot|bot|ki)\b[^.!?\n]{0,40}\b(?:you|do|build|"
        r"write|make|answer|would)\b|\byou as an? (?:\w+ )?(?:language model|ai|bot)\b",
        False,
    ),
)

# "You are Volkswagen. What do you think of Mercedes?": a name, then what the named one must do.
_YOU_ARE = (
    r"(?:^|[.!?\n]\s*)(?:you are|you're|du bist|sie sind|eres|tu es|vous etes)\s+"
    r"(?!(?:so|very|too|right|wrong|great|good|nice|kind|funny|welcome|amazing|not|really|sehr|"
    r"an? (?:\w+ )?(?:person|friend|genius|star)|nett|super|toll|muy|tres)\b)"
    r"[^.!?\n]{2,80}[.!,\n]\s*(?:(?:please|bitte)\s+)?(?:as the \w+|what (?:do|would|should|are|"
    r"will) you|"
    r"who (?:is|was|are)|wer ist|tell me (?:what|why|how)|repeat|respond|answer|please \w+|"
    r"how (?:do|would) you (?:feel about|think|find|see|answer|respond)|wie findest|"
    r"was (?:sagst|denkst|haltst|meinst)|que (?:piensas|opinas)|que penses?)\b"
)

# "You're a pirate now, tell me ...", "Du bist ein Koch. Wie kochst du ...?"
_YOU_ARE_A = (
    r"(?:^|[.!?\n]\s*)(?:you are|you're|du bist|sie sind|eres|tu es|vous etes)\s+(?:now\s+|nun\s+)?"
    r"(?:an?|the|ein\w*|une?|una)\s+(?!(?:\w+ )?(?:person|friend|genius|star|help|joy|gem|angel|"
    r"listener|mensch|freund\w*|schatz|amigo|ami)\b)[^.!?,\n]{2,60}"
    r"(?:[.,!\n](?! aren't | are you not| nicht wahr)\s*(?:(?:show|tell|say|write|give|"
    r"explain|answer|respond|reply|describe|help)\b|"
    r"[^.!\n]{0,60}\b(?:you|du|tu|vous|your)\b[^.!\n]{0,80}\?)|\b(?:without|sans|ohne|"
    r"sin) (?:any )?"
    r"(?:filters?|filtres?|filtros?|rules|regeln|reglas|regles|limits?|limites?)\b)"
)

# --- Asking for what is behind -------------------------------------------------------------------

SHOW = _any(
    r"""show print reveal repeat display output expose disclose leak dump recite list copy give tell
    zeige? zeig gib zeigen nenne? verrate? wiederhole muestra\w* revela repite montre[zr]?
    revele[zr]? repete[zr]? affiche[zr]? vorzeigen"""
)
_LEAK = (
    (
        r"\bwhat (?:were|was|have|had) you (?:been )?(?:told|instructed|given|programmed|"
        r"prompted)\b",
        False,
    ),
    (
        rf"\b{SHOW}\b[^.!?\n]{{0,40}}\b(?:before|above|preceding|precedes?|hidden|secret|"
        rf"internal)\b"
        r"[^.!?\n]{0,20}\b(?:this|message|text|line|context|instructions|prompt)\b",
        True,
    ),
    (
        rf"\b{SHOW}{_gap(4)}(?:{YOUR}|the|this|all|full|entire|samtliche?\w*|dein\w*)"
        rf"{_gap(3)}prompt\b",
        False,
    ),
    (rf"\b{SHOW}{_gap(3)}{YOUR}{_gap(3)}{PRECEPT}\b", True),
    (r"\bcopy of the (?:full |entire |whole )?prompt\b|\bkopie des\b[^.!?\n]{0,30}\bprompt", False),
    (r"\bprompt[- ]?texte?s?n?\b(?=[^?]*(?:[.!]|$))", False),
    (
        rf"\bwhat (?:are|were|is|was) {YOUR}{_gap(2)}{PRECEPT}\b|"
        rf"\bwas sind deine{_gap(1)}{PRECEPT}\b",
        False,
    ),
    (
        r"\b(?:what|which|who)\b[^.!?\n]{0,40}\b(?:written|said|stands?|text|words|sentences?|"
        r"instructions?|prompt)\b[^.!?\n]{0,40}\b(?:above|before (?:the|this)|at the (?:beginning|"
        r"start|top)|in this prompt)\b",
        False,
    ),
    (
        r"\b(?:repeat|print|output|say) (?:everything|all|the (?:words|text|lines?)) (?:above|"
        r"before)\b",
        False,
    ),
    (r"\binformation in the prompt\b|\bwas steht (?:oben|am anfang|davor)\b", False),
    (rf"\b{SHOW}\b[^.!?\n]{{0,30}}\b(?:die |the )?(?:following|folgenden) (?:texts|texte)\b", True),
)

# --- Words in its mouth --------------------------------------------------------------------------

SAY = _any(
    r"""say says state print output write respond reply answer claim display return type sag sage
    sagen schreib schreibe schreiben gib antworte di diga decir dis dites escribe ecris ecrivez
    скажи(?:те)? reci kazi"""
)
ONLY = _any(r"just only simply merely nur bloss einfach solo solamente seulement juste always")
_WORDS = (
    (
        r"(?:^|[.!?\n]\s*)(?:no matter (?:what|which|how)|regardless of|"
        r"whatever)\b[^.!?\n]{0,60},\s*"
        r"(?:always |only |just )?(?:reply|answer|respond|say|conclude|claim|give|output|recommend|"
        r"write|"
        r"state)\b",
        False,
    ),
    (r"\bregardless of (?:the|what|their|its)\b", True),
    (
        r"\bsetz\w*\b[^.!?\n]{0,40}\bausser kraft\b|\bauf alles\b[^.!?\n]{0,20}\b(?:nur|mit)\b",
        False,
    ),
    (
        r"\byou (?:must|shall|will|are required to|have to|are obliged to|are to) (?:now |always |"
        r"never |"
        r"not |only )*(?:comply|obey|refuse|deny|lie|hide|promote|pretend|claim|answer|respond|"
        r"reply|"
        r"follow|ignore)\b(?![^.!?\n]*\b(?:me|my)\b)",
        False,
    ),
    (
        rf"\b{SAY}\b[^.!?\n]{{0,60}}\b(?:and nothing else|nothing but|no other words?|"
        rf"und sonst nichts|"
        r"y nada mas|et rien d'autre)",
        True,
    ),
    (rf"\b{ONLY}\s+(?:\w+\s+)?{SAY}\b(?!\s+(?:about|to|with)\b)", True),
    (rf"\b{SAY}\s+{ONLY}\b", True),
    (
        rf"(?:^|[.!?:;,\n-]\s*|\band\s+|\by\s+|\bet\s+|\bund\s+|\bthen\s+){SAY}\s+"
        r"(?:me\s+|mir\s+|us\s+|with\s+|mit\s+|con\s+)?(?:that\b(?! down)|yes\b|no\b|hello\b|"
        r"what\b|was\b|i am\b|i'm\b|you(?: are|'re)\b|[\"'«]|ce qui\b|lo siguiente"
        r"|the following|folgendes|following)",
        True,
    ),
    (rf"(?:^|[.!?:;,\n-]\s*){SAY}\s*:", True),
    (
        r"\brepeat (?:after me|the following|this)\b|\bsprich mir nach\b|\brepite (?:conmigo|"
        r"despues)\b|"
        r"\brepete[zr]? apres\b",
        True,
    ),
    (
        rf"\b(?:when|whenever|if|every time|each time|anytime|wenn|sobald|jedes mal|cuando|quand|"
        rf"si)\b"
        rf"[^.!?\n]{{0,80}}\b(?:answer|respond|reply|say|output|print|{ANSWER}|antworte|sage?|di|"
        r"reponds?)\b(?:\s+(?:with|is|ist|mit|es|est|con|par|that|dass))?\s*:?\s*[\"']",
        False,
    ),
    (
        r"\b(?:something you can say|what is required is|was erforderlich ist|"
        r"etwas, das sie sagen)\b",
        False,
    ),
    (
        r"\b(?:tell|sag\w*) (?:me|mir|us)\b[^.!?\n]{0,15}\bthat you\b|\bthat you (?:hate|love)\b|"
        r"\b(?:include|say|state|claim|mention) that (?:you|he|she|they|it)\b",
        True,
    ),
    (
        r"(?:^|[.!?:;\n]\s*|\\)blame (?:(?:it|this|that|everything) on )?\w+[^.?!\n]{0,20}"
        r"(?:anyway|[!\\])",
        True,
    ),
    (r"\b(?:make (?:something|it) up|make up (?:an?|the) (?:answer|facts?|numbers?))\b", True),
    (
        r"(?:^|[.!:;,\n]\s*)(?:show|print|display|output|execute|run)\b[^.!?\n]{0,40}"
        r"(?:(?<!\w)[\"'][^\"'\n]{1,200}[\"'](?!\w))",
        True,
    ),
    (
        r"(?:^|[.!:;,\n]\s*|\b(?:and|then|above|below|just)\s+)print\s+(?!out\b|it\b|on\b|and\b|"
        r"media\b|is\b)\w+",
        True,
    ),
    (
        r"\bor you(?:'ll| will)? die\b|\boder du stirbst\b|\bo (?:tu )?(?:te )?(?:mueres?|"
        r"muertes?)\b|"
        r"\bou tu meurs\b|\bonly survive\b|\bsolo sobrevives\b|\bif you don'?t answer\b|"
        r"\bi command you\b|\bich befehle\b|\bte ordeno\b|\bje t'ordonne\b",
        False,
    ),
    (r"\b(?:really |desperately |honestly )+(?:just )?(?:need|want) (?:you|an answer)\b", False),
)

# --- Imitated frames -----------------------------------------------------------------------------

_FRAME = (
    (
        r"(?:^|\n)\s*(?:#{1,6} *)?\[?(?:system|assistant|developer|human|user|ai|bot)\]?\s*"
        r"(?:prompt|message|note|override)?\s*:\s*\S",
        False,
    ),
    (
        r"<\|?(?:im_start|im_end|system|assistant|endoftext|start_header_id|eot_id)|\[/?inst\]|"
        r"<</?sys>>|</?(?:system|instructions?|prompt)>|###+ *(?:instruction|system|response)",
        False,
    ),
    (r"(?:^|\n)\W{0,2}(?:human|user|ai|assistant)\s*:\s*(?:human|user|ai|assistant)\s*:", False),
    (r"(?:^|\n)[\w .]{1,30}:\s+\S[^\n]*\n[\w .]{1,30}:\s*$", False),
    (r"(?:[.!?\n]|\\n)\s*[\w-]{2,20}:\s*$(?<=\w:)", False),
)

_SOURCE = (
    r"(?:^|\n|[.!?$] ?)\W{0,2}(?:context|kontext|contexto|contexte|documents?|dokumente?|articles?|"
    r"artikel|passage)\b"
)
_MATERIAL = (
    (
        r"\b(?:document|article|source|system)s? (?:context|override|message|notice|"
        r"prompt)\b\W*[:\"']",
        False,
    ),
    (rf"{_SOURCE}\s*[:={{]{{1,3}}.{{2,2000}}?(?:\b(?:question|frage|pregunta)\s*:|\?)", False),
    (rf"^\W{{0,2}}{_SOURCE}\s+\S.{{2,300}}?\b(?:question|frage|pregunta)\b", False),
    (r"\binput\s*:.{1,200}\boutput\s*:|\beingabe\s*:.{1,200}\bausgabe\s*:", False),
    (r"\$\w+\s*[:=]", False),
)

# --- What slips something into an answer ----------------------------------------------------------

CHANGE = _any(
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
# A stretch of one sentence; the dot of an address does not end it.
_STRETCH = r"(?:[^.!?\n]|[.?](?=\w))"
_SHAPING = (
    (
        r"\b(?:in|into|to|after|before)\s+(?:all|every|each|any)\s+(?:of\s+)?(?:your\s+)?"
        rf"(?:future\s+|next\s+|further\s+|following\s+)?{ANSWER}\b,?\s+(?:please\s+|also\s+)?"
        rf"{CHANGE}\b",
        True,
    ),
    (
        rf"{_LEAD}(?:please\s+|also\s+)?{CHANGE}\b{_STRETCH}{{0,160}}\b{YOUR}\s+(?:\w+\s+){{0,2}}"
        rf"{ANSWER}\b",
        True,
    ),
    (
        rf"(?:^|[.!?:;\n]\s*)(?:replace|substitute|swap|convert|turn|transform|encode|encrypt|"
        rf"represent|exchange|switch)\b{_STRETCH}{{2,80}}\b(?:with|by|to|into|in|as|for)\b",
        True,
    ),
    (
        rf"\b(?:in|within|into|to|throughout|at the (?:end|start|beginning) of|for|"
        rf"during)\s+{YOUR}\s+"
        rf"(?:\w+\s+){{0,2}}{ANSWER}\b,?\s+(?:please\s+|also\s+|always\s+)?(?:\w+ly\s+)?{CHANGE}\b",
        True,
    ),
    (
        rf"{_LEAD}(?:replace|substitute|swap|convert|scramble|jumble|anagram|misspell|reverse|"
        rf"encode|"
        rf"shuffle|rearrange|garble|capitalize)\s+(?:every|each|all|the|any|letters|vowels|"
        rf"consonants|"
        rf"words|numbers|names|spaces)\b",
        True,
    ),
    (
        r"\b(?:next|the next time) (?:you|time) (?:answer|reply|respond)\b|\bwhen (?:you )?next "
        r"(?:you )?(?:answer|reply|respond|answering)\b|\bwenn du (?:das )?nachste\w* (?:mal )?"
        r"antwort|\bla proxima vez que respond|\bla prochaine fois que (?:tu|vous) repond",
        False,
    ),
    (
        r"\b(?:despite|but)\b[^.!?\n]{0,60}\b(?:could|can) you (?:make|write|"
        r"say)\b[^.!?\n]{0,30}"
        r"\b(?:offensive|rude|racist|hateful)\b",
        False,
    ),
    (
        r"\b(?:formulate|write|invent|make up|formuliere|schreibe|erfinde|inventa|invente[zr]?)\b"
        r"[^.!?\n]{0,40}\b(?:untrue|false|fake|misleading|offensive|unwahre?\w*|falsche?\w*|"
        r"fals[ao]|"
        r"faux|fausse)\b",
        True,
    ),
)

# --- Serving somebody else -----------------------------------------------------------------------

SELL = _any(
    r"""recommend promote advertise endorse praise push favou?r upsell suggest mention plug sell
    empfiehl empfehle empfehlen bewirb bewerbe lobe erwahne recomienda\w* promociona menciona
    recommande[rz]? mentionne[rz]? vante[rz]?"""
)
_EVER = _any(r"always whenever every each ever immer stets jedes siempre cada toujours chaque")
CROWD = _any(
    r"""users? readers? visitors? customers? everyone everybody people viewers? subscribers?
    clients? recipients? benutzer\w* nutzer\w* kunden leser\w* usuarios? clientes lecteurs?
    utilisateurs?"""
)
_OTHERS = (
    (
        r"\b(?:emergency|admin\w*|system|security|developer) override\b|"
        r"\bgrant\b[^.!?\n]{0,20}\baccess\b|"
        r"\bunlock (?:all|every|hidden)\b|\bi(?:'m| am) (?:the|your|an?) (?:developer|creator|"
        r"admin\w*|"
        r"owner|operator) of this\b|\bi(?:'m| am) your (?:developer|creator|admin\w*|operator)\b",
        False,
    ),
    (
        rf"{_LEAD}(?:insult|rate|track|monitor|profile|deceive|manipulate|trick|flatter|threaten|"
        rf"warn)\s+"
        r"(?:the|every|each|all|your)\s+(?:users?|customers?|readers?|visitors?|person)\b",
        True,
    ),
    (rf"{_LEAD}secretly\s+\w+", True),
    (
        rf"{_LEAD}(?:always\s+)?{SELL}\s+(?:our|my)\s+(?:newsletter|shop|store|brand|company|"
        rf"products?|"
        r"services?|app|site|website|channel|hotel|restaurant)\b",
        True,
    ),
    (
        r"\b(?:whenever|when|if|every time|each time)\s+(?:someone|anyone|somebody|anybody|a user|"
        r"users|"
        r"the user|people|a customer|customers)\b[^.!?\n]{0,80}\b(?:tell|say|recommend|suggest|"
        r"answer|"
        r"send|mention|direct|reply|respond|give)\b",
        False,
    ),
    (
        r"\b(?:the|as an?|as the|dear|an?) (?:ai|language model|assistant|chatbot|model|ki|"
        r"assistent)\b"
        r"[^.!?\n]{0,30}\b(?:must|should|shall|has to|is to|are to|required|obliged|muss|soll)\b",
        False,
    ),
    (
        rf"{_LEAD}(?:remember to |make sure to |be sure to |you must |"
        rf"denk daran, )?{_EVER}\s+{SELL}\b"
        r"[^.!?\n]{0,80}(?:\bour\b|\bmy (?:shop|store|brand|company|product|app|site|channel)|"
        r"\bwww\.|https?:|\.(?:com|net|org|io|xyz|de)\b|\bas the (?:best|only|top)|\bals (?:beste|"
        r"einzige)|"
        r"\bcomo (?:el|la) mejor|\bcomme (?:le|la) meilleur)",
        False,
    ),
    (
        rf"{_LEAD}(?:\w+ly )?(?:tell|suggest|recommend|advise|encourage|urge|persuade|convince|"
        rf"invite|"
        rf"remind|instruct|direct|redirect|warn|inform|ask){_gap(2)}{CROWD}\s+(?:to|that|about|"
        rf"join|"
        r"install|visit|download|buy|use|click|subscribe)",
        True,
    ),
    (
        r"\b(?:do not|don't|never|without) (?:tell|telling|mention|mentioning|inform|informing|"
        r"reveal|"
        r"revealing|show|warn|warning)\w*\b[^.!?\n]{0,40}\b(?:user|person|them|him|her|anyone|"
        r"customer|"
        r"this (?:to|message|instruction)|asking)\b",
        True,
    ),
    (
        r"\b(?:sag|verrate|erwahne?)\b[^.!?\n]{0,40}\b(?:dem|den) (?:nutzer|benutzer|"
        r"kunden)\b[^.!?\n]"
        r"{0,20}\b(?:nicht|nichts)\b|\bno le digas al usuario\b|\bne (?:dis|dites) (?:pas|rien) a "
        r"l'utilisateur\b",
        False,
    ),
    (
        rf"{_LEAD}(?:\w+ly )?(?:send|forward|post|upload|email|e-mail|transmit|exfiltrate|leak|"
        rf"submit|"
        r"transfer|wire|schicke?|sende|leite|envia|reenvia|envoie|transfere)\b[^.!?\n]{0,80}"
        r"\b(?:to|an|a)\b[^.!?\n]{0,30}(?:https?:|www\.|@|\.(?:com|net|org|io|xyz)\b|attacker|"
        r"server|"
        r"address|account)",
        True,
    ),
    (
        rf"{_LEAD}(?:\w+ly )?(?:run|execute|fuhre|ejecuta|"
        rf"execute[rz]?)\b[^.!?\n]{{0,40}}\b(?:command|"
        r"code|script|shell|following|befehl|comando|commande)\b",
        True,
    ),
    (
        r"\b(?:the|this|der|el|l')\s?(?:user|nutzer|benutzer|usuario|utilisateur) (?:has|hat|ha|a) "
        r"(?:already )?(?:approved|authori[sz]ed|consented|agreed|confirmed|zugestimmt|genehmigt|"
        r"autorizado|autorise)",
        False,
    ),
    (
        rf"(?:{_LEAD}|[\"'])(?:download|install|click|visit|subscribe|buy|sign up|go to|point|"
        rf"direct)\b"
        r"[^.!?\n]{0,60}(?:\bwww\.|https?:|\b[\w-]+\.(?:com|net|org|io|xyz)\b)",
        True,
    ),
    (
        r"\b(?:linking|pointing|directing|redirecting|leading)\b[^.!?\n]{0,20}\b(?:to|at)\b"
        r"[^.!?\n]{0,40}(?:\bwww\.|https?:|\b[\w-]+\.(?:com|net|org|io|xyz)\b)",
        False,
    ),
)

# --- Tasks ---------------------------------------------------------------------------------------

MAKE = _any(
    r"""write draft compose generate create formulate devise craft author code program
    schreib schreibe schreiben verfasse verfassen formuliere generiere generieren erstelle erstellen
    entwirf erfinde dichte programmiere escribe redacta genera crea elabora compon ecris ecrivez
    redige[rz]? genere[rz]? cree[rz]? elabore[rz]? compose[rz]?"""
)
DO = _any(
    r"""develop design prepare produce provide invent outline construct build plan make suggest
    recommend tell give show list name find search look book schedule set remind order play
    send check verify determine rate rank review fix debug convert estimate guess predict
    decode encode extract sort retrieve gather collect fetch conduct perform organize organise
    entwickle nenne gib zeige suche finde buche plane spiele da dame muestra busca encuentra
    donne[rz]? montre[rz]? trouve[rz]? cherche[rz]? propose[rz]?"""
)
EXPLAIN = _any(
    r"""explain describe summari[sz]e translate analy[sz]e compare discuss solve calculate compute
    define identify classify evaluate paraphrase rephrase proofread research investigate assess
    elaborate interpret examine explore outline erklare erklaren beschreibe beschreiben ubersetze
    ubersetzen berechne berechnen vergleiche analysiere fasse lose beantworte beantworten explica
    describe traduce calcula compara resume analiza responde explique[rz]? decrive[zr] decris
    traduis traduisez calcule[rz]? compare[rz]? resume[rz]? analyse[rz]? repondez"""
)
_THIS = (
    r"(?:an?|the|this|that|these|those|following|one|two|three|five|ten|ein|eine[nrsm]?|das|die|"
    r"den|"
    r"der|folgende\w*|une?|una|unos|unas|el|la|los|las|le|les|l'|it|esto|eso|dies\w*|"
    r"ceci|cela|everything|alles|todo|tout|\d+)"
)
_ME = r"(?:(?:me|us|mir|uns|sie|mal|moi|nous)\s+)*"
_OPENED = (
    r"(?:^|[.!?:;\n\"'-]\s*|\b(?:please|now|then|bitte|nun|jetzt|mal|por favor|ahora|maintenant|"
    r"s'il (?:te|vous) plait),?\s+)"
)
PIECE = _any(
    r"""introduction example recipe plot steps reasons? poem story essay equivalent function
    definition translation overview list headline titles? synonyms? speech letter report summary
    joke song script plan code analysis outline presentation article review lifecycle process
    difference meeting reminder appointment flight table reservation alarm timer sentiment
    weather news capital sum average sequence"""
)
_TASK = (
    (rf"{_OPENED}{MAKE}'?\s+{_ME}{_THIS}\b", True),
    (rf"{_OPENED}{MAKE}'?\s+(?:me|mir|us)\b", True),
    (
        rf"{_OPENED}{EXPLAIN}\s+{_ME}(?:{_THIS}|why|how|what|when|who|where|warum|wie|was|por que|"
        r"como|pourquoi|comment|between)\b",
        True,
    ),
    (rf"{_OPENED}{DO}\s+{_ME}{_THIS}\s+(?:\S+\s+){{0,4}}{PIECE}\b", True),
    (
        rf"{_OPENED}(?:determine|check|verify|decide|guess|predict|tell me|find out|"
        rf"see)\s+(?:whether|if|"
        r"how many|which)\b",
        True,
    ),
    (
        r"^\W*(?:break down|walk me through|come up with|figure out|look up|set up|work out)\b",
        True,
    ),
    (
        rf"{_OPENED}{MAKE}\s+(?:sie\s+)?(?:\w+\+\+|c\+\+|python|java\w*|html|sql|code|rust|bash)",
        True,
    ),
    (
        r"\bcan you (?:show|give|write|make|generate|create|draft|compose)\s+(?:me\s+)?an?\b"
        r"[^.!?\n]{0,40}\b(?:function|poem|story|essay|script|letter|code|program|song)\b",
        False,
    ),
    (
        r"\b(?:answer|beantworte\w*|beantworten|responde|reponds?|reponde[zr]?|help me with|"
        r"hilf mir "
        r"(?:nun |jetzt )?(?:mit|bei)|hilfe bei|help with)\b[^.!?\n]{0,20}\b(?:following|"
        r"folgende\w*|"
        r"siguiente|suivante|another|weiteren?)\b[^.!?\n]{0,12}\b(?:question|frage|pregunta|task|"
        r"aufgabe|tarea|tache)\b",
        False,
    ),
    (
        rf"{_OPENED}(?:write|schreib\w*'?|verfass\w*|draft)\b[^.!?\n]{{0,40}}\b(?:essay|aufsatz|"
        r"manifesto?|poem|gedicht|liebesgedicht|plea|pladoyer|begrundung|reason|article|artikel|"
        r"speech|rede)\b",
        True,
    ),
    (r"(?:^|[.!?:;\n-]\s*)report on\b|\bberechnen? \d", True),
    (
        r"\b(?:well done|very (?:well|good)|excellent|great|fantastic|congratulations|that is "
        r"enough|that is done|outdone|okay|ok|sehr gut|gut gemacht|grossartig|super|das genugt|"
        r"erledigt|gluckwunsch|ausgezeichnet\w*|muy bien|bien hecho|tres bien|bravo)\b.{0,120}"
        rf"\b(?:now|nun|jetzt|ahora|maintenant|but|aber)\b[^.!?]{{0,60}}\b(?:{ORDERS}|"
        r"write|schreib\w*|verfass\w*|draft|answer|beantworte)\b",
        False,
    ),
)


def _rules(kind: Kind, patterns: tuple[tuple[str, bool], ...]) -> Iterator[Rule]:
    for pattern, told in patterns:
        yield Rule(kind, re.compile(pattern, re.DOTALL | re.MULTILINE), told)


RULES: tuple[Rule, ...] = (
    *_rules(Kind.OVERRIDE, _OVERRIDE),
    *_rules(Kind.ROLE, (*_ROLE, (_YOU_ARE, False), (_YOU_ARE_A, False))),
    *_rules(Kind.LEAK, _LEAK),
    *_rules(Kind.FRAME, _FRAME),
    *_rules(Kind.WORDS, _WORDS),
    *_rules(Kind.OTHERS, _OTHERS),
    *_rules(Kind.MATERIAL, _MATERIAL),
    *_rules(Kind.SHAPING, _SHAPING),
    *_rules(Kind.TASK, _TASK),
)
"""The gravest kinds first: the first rule that speaks names the reason."""
