"""Where a mail stands in a text, wherever in a line it begins.

It is told by its build alone: a chain of headers, an address behind one, the line that forwarding
or replying puts above it. One word with a colon ("From: Monday I work") is no mail.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest

Stretch = tuple[int, int]

_SENDERS = "from|von|de|da|van|od|от"
_OTHERS = "to|cc|bcc|reply-to|an|para|à|a|aan|do|кому|копия"
_MATTERS = (
    "subject|date|sent|betreff|datum|gesendet|objet|envoyé|asunto|fecha|enviado|assunto|data|"
    "oggetto|inviato|onderwerp|verzonden|temat|wysłano|тема|дата|отправлено"
)
_ADDRESS = r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}"
_HEADER = re.compile(
    rf"(?<!\w)(?:(?P<sender>{_SENDERS})|(?P<other>{_OTHERS})|(?P<matter>{_MATTERS}))"
    r"[ \t*]*:[ \t*]*(?=\S)",
    re.IGNORECASE,
)
_TO_AN_ADDRESS = re.compile(rf"[^\n:]{{0,80}}?<{_ADDRESS}>|{_ADDRESS}")
_AT_A_LINE = re.compile(r"(?:\A|\n)[ \t*]*\Z")
# A value of a header ends within so many characters, or no other header belongs to it.
_LONGEST_VALUE = 120

_FORWARDED = (
    r"original|forwarded|ursprüngliche|weitergeleitete|message (?:d'origine|original|transféré)|"
    r"mensaje (?:original|reenviado)|mensagem (?:original|encaminhada)|messaggio|oorspronkelijk|"
    r"doorgestuurd|wiadomość|пересылаемое|исходное"
)
_SEPARATOR = re.compile(
    rf"^[ \t]*-{{2,}}[ \t]*(?:{_FORWARDED})\b[^\n-]{{0,40}}-*"
    rf"|(?<!-)-{{3,}}+[ \t]*(?:{_FORWARDED})\b[^\n-]{{0,40}}-{{3,}}"
    r"|(?:^[ \t]*begin|(?<!\w)(?-i:Begin)) forwarded message:"
    r"|(?<!\w)(?-i:Anfang) der weitergeleiteten [\w-]+:"
    r"|(?<!\w)(?-i:Début) du message (?:réexpédié|transféré) ?:"
    r"|(?<!\w)(?-i:Inicio) del mensaje reenviado:|(?<!\w)(?-i:Inizio) messaggio inoltrato:"
    r"|(?<!\w)(?-i:Fwd|FWD|Fw|FW)[ \t]*:[ \t]*(?=\S)"
    # "TR: I live in Oslo" is a word of its own; above other lines it is a subject.
    r"|^[ \t]*(?-i:WG|TR|RV|Doorst)[ \t]*:[ \t]*\S[^\n]*(?=\n)",
    re.IGNORECASE | re.MULTILINE,
)
_NAMED = r"(?:[A-ZÀ-ÞА-Я][\w.'’-]*|<?" + _ADDRESS + r">?)"
# A day, who wrote, a colon; where the colon ends the line the day may be without a number. In some
# languages the writer stands before the verb, in some behind.
_REPLY = re.compile(
    r"(?:(?<!\w)(?:On|Am|Le|El|Il|Op|Em|W dniu|Dnia)|^[ \t]*(?:on|am|le|el|il|op|em|w dniu|dnia))"
    r"[ \t](?=[^\n]{0,40}\d|[^\n]{5,140}:[ \t]*$)[^\n]{5,120}?(?:\n[^\n]{0,60}?)?"
    r"(?:(?<!\bI)(?<!\byo)(?<!\bja)[\s>](?:wrote|a écrit|escribió|ha scritto|escreveu|napisała?|"
    r"napisał\(a\)|pisze)[ \t]?:"
    rf"|\b(?:schrieb|schreef)[ \t]{_NAMED}[^\n:]{{0,80}}:)"
    r"|(?<!\w)\d[^\n]{5,120}?\s(?:написала?|пишет)[ \t]?:",
    re.MULTILINE,
)
_QUOTED = re.compile(r"[ \t]*>")
# "Dear Sir," begins a letter, signed or not; "Hi Ann," only one that is signed.
_DEAR = re.compile(
    r"^[ \t]*(?:(?P<formal>dear (?:sir|madam|mr|mrs|ms|dr|hiring|all|team|customer|colleagues?"
    r"|[A-Z]\w+)[^\n]{0,40},|to whom it may concern[,:]?)"
    r"|(?:dear|hi|hey|hello|sehr geehrte\w*|liebe[rs]?|hallo|estimad[oa]s?|hola|cher|chère|"
    r"bonjour)\b[^\n.!?]{0,60},[ \t]*\n)",
    re.IGNORECASE | re.MULTILINE,
)
_FEWEST_WORDS = 3
_YOURS = re.compile(
    r"^[ \t]*(?:(?:kind|best|warm) regards|regards|sincerely|yours\b|best wishes|cheers|"
    r"mit freundlichen grüßen|viele grüße|liebe grüße|saludos|atentamente|cordialement|bien à)"
    r"[^\n]{0,40}(?:\n\s*(?-i:[A-Z])[\w.'-]*(?: (?-i:[A-Z])[\w.'-]*){0,3}[ \t]*$)?",
    re.IGNORECASE | re.MULTILINE,
)


def stretches(text: str) -> Iterator[Stretch]:
    """Each mail as [start, end): to the end of the text, or, of one whose body is quoted by marks
    at its lines, to the end of these: what stands below them answers it.
    """
    done = 0
    lines = (match.span() for sign in (_SEPARATOR, _REPLY) for match in sign.finditer(text))
    for start, end in sorted([*_chains(text), *lines]):
        if start >= done:
            done = _end(text, end)
            yield start, done


def letters(text: str) -> Iterator[Stretch]:
    """Yield a letter without such a head, from its greeting to the name beneath it."""
    dear = _DEAR.search(text)
    if dear is None:
        return
    yours = _YOURS.search(text, dear.end())
    if yours:
        yield dear.start(), yours.end()
    elif dear["formal"] and len(text[dear.end() :].split()) >= _FEWEST_WORDS:
        yield dear.start(), len(text)


def _chains(text: str) -> Iterator[Stretch]:
    """Runs of headers that make the head of a mail, each to the end of its last line."""
    run: list[re.Match[str]] = []
    for header in _HEADER.finditer(text):
        if not _may_be_header(text, header):
            continue
        if run and header.start() - run[-1].end() > _LONGEST_VALUE:
            yield from _head(text, run)
            run = []
        run.append(header)
    yield from _head(text, run)


def _may_be_header(text: str, header: re.Match[str]) -> bool:
    """In the middle of a line it has a capital, as mail programs write it, or an address."""
    return (
        header[0][0].isupper()
        or _begins_a_line(text, header)
        or bool(_TO_AN_ADDRESS.match(text, header.end()))
    )


def _head(text: str, run: list[re.Match[str]]) -> Iterator[Stretch]:
    """The part of a run of headers that is the head of a mail, if any is: all of it where somebody
    sends something about something, else from a header with an address or one above another.
    """
    named = any(match["sender"] and not text[match.end()].islower() for match in run)
    if named and any(match["matter"] for match in run):
        begins = run[:1]
    else:
        following = zip_longest(run, run[1:])
        begins = [one for one, other in following if _is_first(text, one, other)]
    if begins:
        line_end = text.find("\n", run[-1].end())
        yield begins[0].start(), len(text) if line_end < 0 else line_end


def _is_first(text: str, match: re.Match[str], other: re.Match[str] | None) -> bool:
    """Whether a header names an address, or the next line is another header."""
    if match["matter"] is None and _TO_AN_ADDRESS.match(text, match.end()):
        return True
    if other is None or other[0].casefold() == match[0].casefold():
        return False
    between = text[match.end() : other.start()].rstrip(" \t*")
    return _begins_a_line(text, match) and between.endswith("\n") and between.count("\n") == 1


def _begins_a_line(text: str, header: re.Match[str]) -> bool:
    return bool(_AT_A_LINE.search(text, max(0, header.start() - 8), header.start()))


def _end(text: str, start: int) -> int:
    """Where the mail ends whose head ends at `start`."""
    end = 0
    position = start
    while position < len(text):
        stop = text.find("\n", position)
        stop = len(text) if stop < 0 else stop
        if _QUOTED.match(text, position, stop):
            end = stop
        elif text[position:stop].strip() and not _HEADER.match(text, position, stop):
            return end or len(text)
        position = stop + 1
    return end or len(text)
