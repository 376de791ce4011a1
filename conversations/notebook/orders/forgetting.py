"""Orders to forget something that is named: what is meant is found, and asked about first."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from accounts.support import formatting
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook import corrections
from conversations.notebook.answer_builder import Answer, used_fact
from conversations.notebook.steps import ask_first, tool_context_of
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.tools import visibility
from conversations.tools.deletion.forgetting import Cleanup, ForgetResult, can_go
from memory.language import (
    FactCandidate,
    QueryIntent,
    content_words,
    extract_facts,
    is_correction,
    split_sentences,
    stem_id,
)
from memory.models import Memory, ProfileFact
from memory.slots import SLOTS, asked_about, opposites, same_value

# What one card asks about, and the answer names.
_MOST = 20
# Among so many that ended last is looked for what is over.
_MOST_OVER = 200

_ORDER = re.compile(
    r"(?:.*?\b(?:please|you to|(?:can|could|would|will) you|you (?:can|may|should|must)|let'?s)"
    r"\b,? +(?:please )?|.*?, *)?"
    r"(?:forget|unlearn|erase|delete|remove|stop (?:remembering|noting)"
    r"|(?:don'?t|do not|never) (?:remember|note|keep|store|record)) +(?P<rest>.+)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[ ,.;-]*\b(?:please|again|now|for good|at all|ok(?:ay)?"
    # "The birthday I told you, it was wrong."
    r"|(?:because |as |since )?(?:it|that|this|which|they)(?: is| was| are| were|'s)"
    r"(?: \w+)? (?:wrong|incorrect|false|untrue|a (?:mistake|lie|joke|typo)|outdated|over|true"
    r"|right)"
    r"|(?:that |which )?(?:i|you)(?:'ve| have)?(?: just| once)? (?:told you|mentioned|gave you"
    r"|given you|said|noted|wrote down|written down|have|hold|know)(?: (?:of|about))?"
    r"(?: (?:yesterday|earlier|before|today|just now))?"
    r"|(?:from|in) (?:my|your|the) (?:notes?|notebook|profile|memory|memories|records?))$",
    re.IGNORECASE,
)
_THIS_TALK = re.compile(
    r"(?:(?:all|everything)(?: that was said)? (?:of|in|from) )?(?:this|our|the|that)"
    r"(?: (?:whole|entire|current))? (?:conversation|chat|talk|thread|discussion)",
    re.IGNORECASE,
)
_ALL_ABOUT = re.compile(
    r"(?:everything|anything|all(?: of it)?|what|(?:all |all of )?(?:the |my |your )?notes)"
    r"(?: that)?(?: (?:you|you've|you have|i) (?:know|have|noted|hold|remember|told you|said"
    r"|learned|have noted))? ?(?:about|on|of|regarding|concerning) (?P<about>.+)",
    re.IGNORECASE,
)
_BEFORE_IT = re.compile(
    r"(?:(?:about|that|(?:the|my|your|that|this) (?:note|fact|memory|thing)s?"
    r"(?: (?:that|about|on|of|saying))*|the fact that)\b ?)+",
    re.IGNORECASE,
)
_TALK_ABOUT = re.compile(
    r"(?:the|our|my|that)(?: (?:last|whole))? (?:conversation|chat|talk|thread|discussion)s?"
    r" (?:about|on|with|where we talked about) (?P<about>.+)",
    re.IGNORECASE,
)
# "Don't remember this", or "…: what follows": of that nothing was noted in the first place.
_THIS = re.compile(
    r"(?:this|that|it|these|those|any of (?:this|that))(?:\s*[:,\u2013-].*)?", re.IGNORECASE
)
_EARLIER = re.compile(
    r"\b(?:earlier|previous|former|past|old|used to) | (?:before|earlier|previously)$",
    re.IGNORECASE,
)
_ONESELF = re.compile(r"(?:me|myself|us)\b", re.IGNORECASE)
_ALL_OF_IT = re.compile(
    r"pets|family|possessions|belongings|languages|skills|interests|hobb(?:y|ies)|dislikes"
    r"|likes(?: and dislikes)?|diet|vehicles|religion|faith|politics|political views|ethnicity"
    r"|sexual orientation|sexuality|finances|(?:marital|relationship) status|projects",
    re.IGNORECASE,
)
# What such a sentence says besides what it is about.
_SAYS_LITTLE = frozenset(
    {"like", "likes", "have", "has", "told", "said", "know", "name", "favourite"}
)


@dataclass(frozen=True)
class _Order:
    """What is to be forgotten, in its owner's words; `all_about`: everything that speaks of it."""

    what: str
    all_about: bool = False


def forget(prompt: Prompt, answer: Answer) -> bool:
    """Find what is meant and ask first; False where nothing is named that could be looked for."""
    order = _read_order(prompt.question.content)
    if order is None:
        return False
    if match := _TALK_ABOUT.fullmatch(order.what):
        where = _search(match["about"])
        answer.say(f"A conversation is deleted on its own page; {where} finds the one you mean.")
        return True
    if _THIS_TALK.fullmatch(order.what):
        address = reverse("conversations:delete", args=[prompt.conversation.pk])
        answer.say(
            f"You can delete this conversation, after a look at what goes, [here]({address})."
        )
        return True
    earlier = _past_facts_meant(prompt, order) if _EARLIER.search(order.what) else []
    found = [] if earlier else _rows_meant(prompt, order)
    is_known = any(isinstance(row, ProfileFact) for row in found)
    over = earlier or ([] if is_known and not order.all_about else _past_facts_meant(prompt, order))
    found += [fact for fact in over if can_go(fact)]
    if found:
        _ask(prompt, answer, found)
    elif not over:
        _say_that_nothing_fits(prompt, answer, order)
    for fact in over:
        if not can_go(fact):
            _say_how_it_is_erased(answer, fact)
    if order.all_about:
        _say_what_stays(prompt, answer, order)
    return True


def _say_what_stays(prompt: Prompt, answer: Answer, order: _Order) -> None:
    """Messages are not forgotten with the notes; search shows those that may be told elsewhere."""
    query = word_mentions.parse_mention_query(order.what, prompt.question.said_at)
    result = word_mentions.mentions(prompt.question, query, mine=True)
    elsewhere = Message.objects.quotable_elsewhere(prompt.question.user_id)
    only_here = "found in their own conversation only"
    if not elsewhere.filter(pk__in=[message.pk for message in result.said]).exists():
        answer.say(f"Our messages stay as they are; those that speak of it are {only_here}.")
        return
    answer.say(f"Our messages stay as they are; {_search(order.what)} shows which speak of it.")
    if answer.steps:
        answer.say(f"After a yes, those that say a forgotten fact are {only_here}.")


def _search(about: str) -> str:
    wanted = urlencode({"q": re.sub(r"^(?:my|our|the)\s+", "", about, flags=re.IGNORECASE)})
    return f"[search]({reverse('conversations:search')}?{wanted})"


def tidy_up(prompt: Prompt, _: QueryIntent, answer: Answer) -> bool:
    """Ask before notes are merged or put away."""
    result = ask_first(prompt, answer, "memory_cleanup", {})
    assert isinstance(result, Cleanup)
    if result.going or result.duplicates:
        answer.say(
            "Shall I tidy up? The card below names what would go. Press Yes or No there, or say "
            f"so; it can be brought back under [Memories]({result.link})."
        )
    else:
        answer.steps.pop()
        answer.say(f"There is nothing to tidy among [my notes]({result.link}).")
    return True


# --- Reading it ----------------------------------------------------------------------------------


def _read_order(text: str) -> _Order | None:
    for sentence in split_sentences(" ".join(text.replace("’", "'").split())):
        match = _ORDER.fullmatch(sentence.strip().rstrip(" .!?…"))
        if match is not None:
            return _order(match["rest"])
    return None


def _order(rest: str) -> _Order | None:
    while (shorter := _TAIL.sub("", rest)) != rest:
        rest = shorter
    if _THIS.fullmatch(rest):
        return None
    everything = _ALL_ABOUT.fullmatch(rest)
    if everything is not None:
        about = everything["about"].strip()
        return None if _ONESELF.match(about) else _Order(about, all_about=True)
    what = _BEFORE_IT.sub("", rest, count=1) if _BEFORE_IT.match(rest) else rest
    return _Order(what) if what.strip() and not _ONESELF.fullmatch(what) else None


# --- Finding it ----------------------------------------------------------------------------------


def _rows_meant(prompt: Prompt, order: _Order) -> list[ProfileFact | Memory]:
    """The current facts and the notes that are meant: those that say it, those of the kind that
    is named, else those that hold its words.
    """
    facts = [fact for slot in SLOTS for fact in prompt.recall.facts.get(slot, ())]
    said = [fact for fact in facts if _is_said_by(fact, extract_facts(order.what))]
    of_kind = [fact for fact in facts if fact.slot in _kinds(order.what)]
    notes = (
        visibility.notes(tool_context_of(prompt)).shown().exclude(category=Memory.Category.SUMMARY)
    )
    if not order.all_about and (said or of_kind):
        return list(said or of_kind)
    wanted = _stems(order.what)
    with_words = [fact for fact in facts if _holds(wanted, _fact_text(fact))]
    notes_with_words = [
        note
        for note in notes.defer("embedding", "terms").order_by("-said_at")
        if _holds(wanted, f"{note.content} {note.original}")
    ]
    every: Iterable[ProfileFact | Memory] = [*said, *of_kind, *with_words, *notes_with_words]
    return list({one.pk: one for one in every}.values())


def _past_facts_meant(prompt: Prompt, order: _Order) -> list[ProfileFact]:
    """What is over and meant: what is said of it, the kind as "my earlier job" names it, what holds
    its words, else what is named among others: "my years at Post AG".
    """
    rows = ProfileFact.objects.for_user(prompt.question.user_id).defer("embedding")
    past = list(rows.filter(status=ProfileFact.Status.PAST).order_by("-valid_to")[:_MOST_OVER])
    candidates, wanted = extract_facts(order.what), _stems(order.what)
    facts = [fact for fact in past if _is_said_by(fact, candidates)]
    kinds = _kinds(_EARLIER.sub("", order.what)) if _EARLIER.search(order.what) else ()
    of_kind = [fact for fact in past if fact.slot in kinds]
    with_words = [fact for fact in past if _holds(wanted, _told_as_past(fact))]
    return facts or of_kind or with_words or [fact for fact in past if _is_named(fact, order.what)]


def _is_named(fact: ProfileFact, what: str) -> bool:
    value = re.escape(fact.value)
    return re.search(rf"(?<![^\W_]){value}(?![^\W_])", what, re.IGNORECASE) is not None


def _kinds(what: str) -> tuple[str, ...]:
    """The kinds that 'my job', 'the birthday' or 'where I live' names; of a kind that holds several
    things only where it is named itself: 'my hobbies', not 'my cat'.
    """
    bare = re.sub(r"^(?:all )?(?:of )?(?:my|the|your|that|this) ", "", what, flags=re.IGNORECASE)
    asked = asked_about(f"Do you know {what}?") or asked_about(f"Do you know my {bare}?")
    return tuple(slot for slot in asked if not SLOTS[slot].many or _ALL_OF_IT.fullmatch(bare))


def _is_said_by(fact: ProfileFact, candidates: Iterable[FactCandidate]) -> bool:
    return any(
        same_value(fact.slot, fact.value, candidate.value)
        and fact.slot not in opposites(candidate.slot)
        for candidate in candidates
    )


def _fact_text(fact: ProfileFact) -> str:
    return f"{fact.kind.label} {fact.sentence}"


def _told_as_past(fact: ProfileFact) -> str:
    return f"{_fact_text(fact)} {fact.in_words}"


def _stems(text: str) -> frozenset[int]:
    telling = [word for word in content_words(text) if word not in _SAYS_LITTLE]
    return frozenset(stem_id(word) for word in telling)


def _holds(wanted: frozenset[int], text: str) -> bool:
    return bool(wanted) and wanted <= _stems(text)


# --- Saying it -----------------------------------------------------------------------------------


def _ask(prompt: Prompt, answer: Answer, found: list[ProfileFact | Memory]) -> None:
    first, *others = found[:_MOST]
    arguments = {"fact_id": str(first.pk)}
    more = {"further": [str(one.pk) for one in others]} if others else {}
    result = ask_first(prompt, answer, "forget_fact", {**arguments, **more})
    assert isinstance(result, ForgetResult)
    how = f"Press Yes or No there, or say so; [here]({result.link}) it can be brought back."
    if not others:
        answer.say(f"Shall I forget that? The card below names it. {how}")
        return
    answer.say(f"Shall I forget these {formatting.number(len(others) + 1)}? {how}")
    for text in [result.text, *(one.text for one in result.further)]:
        answer.point(literal(text))
    if left := len(found) - len(others) - 1:
        answer.paragraph(f"There are {left} more; ask me again after these.")
    else:
        answer.paragraph("One yes is for all of them.")


def _say_how_it_is_erased(answer: Answer, fact: ProfileFact) -> None:
    told = literal(fact.in_words)
    erase = reverse("ledger:erase", args=[fact.pk])
    timeline = reverse("ledger:timeline")
    answer.paragraph(
        f"{told}: that is over and stands on [your timeline]({timeline}). I use it only where you "
        f"ask about earlier times; you can [erase it for good]({erase})."
    )
    answer.rest_on(used_fact(fact))


def _say_that_nothing_fits(prompt: Prompt, answer: Answer, order: _Order) -> None:
    """That nothing like it is noted, unless it waits to be settled or holds here alone."""
    candidates = extract_facts(order.what)
    profile = f"[your profile]({reverse('memory:profile')})"
    rivals = [fact for side in prompt.recall.challengers.values() for fact in side]
    if any(_is_said_by(rival, candidates) for rival in rivals):
        answer.say(
            "That is one side of a question that is open. Settle it under "
            f"[Conflicts]({reverse('ledger:conflicts')}), and the other side alone stays."
        )
        return
    here = [override for overrides in prompt.recall.overrides.values() for override in overrides]
    if any(same_value(o.slot, o.value, candidate.value) for o in here for candidate in candidates):
        answer.say(f"That holds in this conversation only; {profile} lists it, with its way out.")
        return
    answer.say(
        f"I find nothing like that among my notes. What I hold stands on {profile} and under "
        f"[Memories]({reverse('memory:memories')})."
    )
    if is_correction(prompt.question.content, corrections.said_before(prompt)):
        answer.say(corrections.HEARD)
