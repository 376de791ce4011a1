"""Words of illness, injury, disability, medicine and allergy: what tells that a body is not well.

What somebody must not eat is no secret, because it is needed at every table: an allergy to a food
is read as diet (`patterns.likes.food`), and `without_food` takes it out before the words of illness
are looked for. Every other allergy is a private matter.
"""

from __future__ import annotations

import re

from memory.language.lazy_pattern import lazy_pattern
from memory.language.patterns.likes import food

FOOD_ALLERGY = lazy_pattern(
    rf"(?<!\w)(?:allergic\s+(?:reactions?\s+)?to\s+{food.FOODS}|allerg(?:y|ies)\s+to\s+{food.FOODS}"
    rf"|{food.FOODS}\s+allerg(?:y|ies)|co?eliac|\w+[- ]intoleran(?:t|ce))",
    re.IGNORECASE,
)
"""An allergy that is told for the table's sake."""

_PART = (
    r"(?:ankles?|arms?|back|bones?|cal(?:f|ves)|cheekbone|chest|collar ?bone|elbows?|eyes?"
    r"|fingers?|foot|feet|hands?|hamstring|head|heart|heels?|hips?|jaw|kidneys?|knees?|knee ?cap"
    r"|legs?|ligaments?|liver|lungs?|meniscus|muscles?|neck|nose|pelvis|ribs?|shins?|shoulders?"
    r"|skull|spine|stomach|tendons?|thighs?|throat|thumbs?|toes?|tooth|teeth|wrists?|achilles|acl)"
)
_OWN = r"(?:my|both my|one of my|some of my|two of my)\s+(?:\w+\s+)?"
_HAVE = r"(?:have|had|has|got|having|caught|'ve|with|down with|suffer(?:ed|ing|s)? from)"

INJURY = (
    r"(?:broke|broken|breaking|fractured|sprained|dislocated|tore|torn|ruptured|injured|hurt"
    rf"|strained|cracked|shattered|twisted|burnt|burned)\s+{_OWN}(?!heart){_PART}"
    rf"|my\s+(?:\w+\s+)?{_PART}\s+(?:is|was|are|were|got|has been|have been)\s+(?:\w+\s+)?"
    r"(?:broken|fractured|sprained|dislocated|torn|injured|swollen|sore|numb|in a cast)"
    rf"|my\s+(?:\w+\s+)?{_PART}\s+(?:hurts?|aches?|is hurting|is aching)"
    rf"|{_HAVE}\s+(?:an?\s+|my\s+|two\s+)?(?:\w+\s+)?(?:broken|fractured|sprained|dislocated|torn"
    rf"|injured|artificial|frozen|bad)\s+{_PART}"
    rf"|{_PART}\s+(?:pain|injur(?:y|ies)|replacement|operation|problems|trouble)"
    rf"|operation on {_OWN}{_PART}|(?:have|had) an operation"
    rf"|my (?:appendix|tonsils|gall ?bladder|spleen|womb|{_PART}) (?:out|removed|amputated)"
    r"|concuss(?:ion|ed)|whiplash|slipped disc|herniated|on crutches|in plaster"
)

ILLNESS = (
    r"(?:arthr|bronch|hepat|nephr|gastr|tend[io]n|tonsill|sinus|col|dermat|pancreat|appendic"
    r"|mening|encephal|cyst|conjunctiv|phleb|burs|fasci|diverticul|laryng|thyroid|retin)itis"
    r"|(?:claustro|agora)phobi\w+|fibromyalgia|neuralgia|sciatica|(?:neuro|cardiomyo)pathy"
    r"|\w+ectomy|gout|scoliosis|tinnitus|vertigo|eczema|psoriasis|ana?emi[ac]"
    r"|glaucoma|cataracts|osteoporosis|rheumati\w+|pneumonia|tuberculosis|malaria|lyme disease"
    r"|thrombosis|embolism|aneurysm|angina|arrhythmia|fibrillation|hernia|ulcers?"
    r"|(?:gall|kidney )stones?|ha?emophili\w+|sickle cell|cystic fibrosis|muscular dystrophy"
    r"|spina bifida|cerebral palsy|down'?s syndrome|tourette\w*|narcolep\w+|insomnia"
    r"|sleep apno?ea|ibs|irritable bowel|acid reflux|copd|emphysema|pcos|seizures?"
    r"|hyp(?:o|er)thyroid\w*|cirrhosis|carpal tunnel|raynaud\w*|vitiligo|asthmatic"
    rf"|{_HAVE} (?:an? |the )?(?:\w+ )?(?:covid|flu|fever|infection|syndrome|disorder|disease"
    r"|illness|headaches?|rash|tumou?r)"
    r"|long covid"
    r"|(?:i am|i'm|i was|i've been|i feel|i fell) (?:\w+ )?(?:ill|sick)(?! of| and tired)"
    r"|(?:chronically|seriously|terminally) ill|low blood pressure|blood sugar"
)

DISABILITY = (
    r"dyslexi\w+|dyspraxi\w+|dyscalculi\w+|colou?r[- ]?blind\w*|hard of hearing"
    r"|hearing (?:aids?|loss)|partially sighted|legally blind|paraly[sz]ed|parapleg\w+"
    r"|quadripleg\w+|amput\w+|prosthe\w+"
    r"|(?:have|had|got|with) (?:an? |my )?(?:\w+ )?(?:stutter|stammer|lisp|limp|disability)"
    r"|(?:i am|i'm|i was|i went|born|half|almost|going) (?:\w+ )?(?:deaf|blind)(?!-? ?(?:to|date))"
    r"|(?:deaf|blind) (?:in|on) "
)

MEDICINE = (
    r"(?:my|take|takes|taking|took|on|off|need|prescribed|prescribed me|use|using|without)"
    r" (?:\w+ ){0,3}?(?:medicines?|medications?|meds|pills?|tablets|injections|painkillers?"
    r"|antibiotics|antihistamines?|steroids?|beta[- ]?blockers?|blood thinners?|contracepti\w+"
    r"|hormones|opioids?|cortisone)"
    r"|(?:take|taking|took|on) \d+ ?(?:mg|mcg|milligrams?|micrograms?)"
    r"|\w{2,}(?:mipril|nopril|topril|lapril|sartan|olol|statin|prazole|conazole|cillin|mycin"
    r"|floxacin|cycline|profen|oxetine|azepam|azolam|triptan|gliptin|glutide|dipine|thyroxine"
    r"|xaban|atadine|tirizine)"
    r"|paracetamol|aspirin|codeine|morphine|tramadol|oxycodone|fentanyl|methadone|warfarin|heparin"
    r"|prednis\w+|methotrexate|ventolin|humira|insulin|epipen|inhaler|metformin|ozempic"
)

OF_THE_MIND = (
    r"antidepressants?|ssris?|sertraline|prozac|zoloft|lexapro|citalopram|xanax|valium|ritalin"
    r"|adderall|lithium(?![- ](?:ion|batter|min|pri))"
)
"""Medicine that tells of the mind rather than of the body."""

ALLERGY = (
    r"allerg(?:y|ies|ic)|anaphyla\w+|hay ?fever"
    # After a food that is not read any more: "allergic to peanuts and wasp stings".
    r"|_+(?:\s*,|\s+and|\s+or)\s+(?:to\s+)?(?:\w+\s+)?(?:stings?|bees?|wasps?|hornets?|latex"
    r"|nickel|dust|pollen|grass|mou?ld|cats?|dogs?|horses?|fur)"
)

WORDS = f"{ALLERGY}|{ILLNESS}|{INJURY}|{DISABILITY}|{MEDICINE}"
"""All of it, to be matched as whole words."""


def without_food(text: str) -> str:
    """The text with allergies to a food made unreadable, every other character in its place."""
    return FOOD_ALLERGY.sub(lambda found: "_" * len(found[0]), text)


def minds_the_table(value: str) -> bool:
    """Whether a value tells an allergy or an intolerance to a food."""
    return bool(FOOD_ALLERGY.search(value))
