"""Orders that make the assistant somebody else."""

from memory.language.safety.instruction_patterns.words import LEAD

_ROLE = (
    (
        rf"{LEAD}(?:(?:please|now|always|only)\s+)*(?:act|behave|respond|reply|talk|speak|"
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
        rf"{LEAD}(?:role-?play|simulate|impersonate|pretend (?:to be|as))\b|\byou(?: are|"
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
# "You hate cyclists. What about the new lane?": an opinion lent, then asked for.
_YOU_THINK = (
    r"(?:^|[.!?:\n]\s*)(?:you|du)\s+(?:(?:really|always|firmly|strongly|ja|sehr)\s+)?"
    r"(?:love|hate|adore|despise|detest|worship|dislike|(?:can't|cannot) stand|"
    r"are (?:\w+ )?(?:convinced|of the opinion|in favou?r of|against)|"
    r"have (?:a|an|long|always) (?:\w+ )?(?:opinion|believed|hated|loved)|hold the view|"
    r"consider|hasst|liebst|verachtest|bewunderst|haltst|findest|"
    r"bist (?:\w+ ){0,2}?(?:der (?:meinung|ansicht)|uberzeugt))\b[^?\n]{2,120}[.!:]\s*"
    r"(?:(?:so|now|also|nun|and|und),?\s+)*(?:what|who|how|which|why|is|are|should|wie|wer|wen|was|"
    r"welche\w*|warum|ist|sind|soll\w*)\b[^.!\n]{0,120}\?"
)
_LENT = (
    (_YOU_THINK, False),
    (
        r"\b(?:der|die) du (?:ja )?bist\b|\b(?:being|as) the \w+(?: \w+)? (?:that )?you are\b|"
        r"\b(?:since|because) you (?:dislike|hate|love|support|adore|despise)\b[^.!?\n]{2,60},",
        False,
    ),
    (
        r"\bdu (?:heisst|nennst dich) (?:jetzt|nun|nicht (?:mehr|langer)|ab)\b|"
        r"\byou (?:were|have) always (?:been )?called\b|"
        r"\byour name (?:has been|was) changed\b",
        False,
    ),
    (
        r"\b(?:want|need|would like|'d like|order|ask) you to (?:be|become|play)\s+(?:an?|my|"
        r"the)\s+"
        r"(?!(?:\w+ )?(?:friend|partner|help|listener|person)\b)\w",
        False,
    ),
    (r"\b(?:nimm an|angenommen|gesetzt den fall|gib vor|denk dir),?\s+(?:dass )?du\b", False),
    (r"(?:^|[.!?:\n]\s*)(?:bitte )?gib vor,? \w", False),
    (
        r"\bist (?:es )?(?:jetzt |nun )?(?:deine|ihre) (?:\w+ )?(?:aufgabe|rolle|mission)\b"
        r"(?![^.!\n]*\?)|\bdein\w* (?:\w+ )?(?:aufgabe|auftrag|job) (?:lautet|besteht|ist es)\b",
        False,
    ),
    (
        r"\b(?:wir spielen|lass(?:t)? uns|spielen wir|let's play|(?:in (?:this|our|dieser|diesem|"
        r"unserem|unserer))) ?(?:\w+ ){0,4}?(?:spiel|stuck|theaterstuck|geschichte|rollenspiel|"
        r"szene|game|story|play|scene|theater)\b[^?\n]{0,60}\b(?:du|you) (?:bist|spielst|hast|are|"
        r"play|have)\b|\blet's play: you\b",
        False,
    ),
    (
        r"\b(?:von (?:jetzt|nun) an|ab (?:jetzt|sofort|hier|heute)|fortan) (?:sprichst|redest|"
        r"antwortest|schreibst|spielst|benimmst|verhaltst|heisst) du\b"
        r"(?![^.!?\n]*\b(?:deutsch|englisch|kurz\w*|knapp\w*|einfach\w*|mit mir|mich|bitte)\b)",
        False,
    ),
    (
        r"(?:^|[.!?:\n]\s*|\b(?:jetzt|nun|bitte) )(?:spiele?|sei) (?:jetzt |nun |bitte )?"
        r"(?:mein\w*|ein\w*) (?!(?:\w+ )?(?:lied|song|spiel|freund\w*|musik)\b)\w",
        False,
    ),
)
PATTERNS = (*_ROLE, (_YOU_ARE, False), (_YOU_ARE_A, False), *_LENT)
