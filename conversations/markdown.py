"""Rendering untrusted Markdown as safe HTML."""

import re

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from accounts.support.process_cache import once_per_process

# No images: loading one would tell a remote server who reads the page, and when.
_TAGS = {
    *("p", "br", "hr", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "a", "table", "thead", "tbody", "tr", "th", "td"),
    "span",
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_ATTRIBUTES |= {tag: {"class"} for tag in ("code", "span", "td", "th")}
_FRAME = '<div class="table-frame" tabindex="0" role="group" aria-label="Table">'
# Only so many characters are rendered; the rest is shown as plain text. Answers are never that
# long, but imported text may be, and rendering is slow.
LONGEST = 32_768
# Longer code is not highlighted, because highlighting untrusted code may take long.
_LONGEST_COLOURED = 8_192
# After these characters a line needs no separator before the next one.
_ENDS = ".:;,!?…"
# Characters with a meaning in Markdown inside a line.
_SPECIAL = re.compile(r"[\\`*_\[\]<|~]|&(?=#?\w+;)")


@once_per_process
def _parser() -> MarkdownIt:
    options = {"html": False, "breaks": True, "highlight": _coloured}
    parser = MarkdownIt("commonmark", options).enable("table")
    parser.core.ruler.push("headings_below_the_page", _lower_headings)
    parser.core.ruler.push("pictures_as_links", _link_pictures)
    parser.core.ruler.push("aligned_cells", _align_cells)
    return parser


def _coloured(code: str, language: str, _: str) -> str:
    """Return the code as HTML with a class for each kind of token; '' for an unknown language."""
    if not language or len(code) > _LONGEST_COLOURED:
        return ""
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return ""
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True, classprefix="hl-")))


def _link_pictures(state: StateCore) -> None:
    """Replace images by links with their alternative text."""
    for token in state.tokens:
        if token.children:
            token.children = [new for old in token.children for new in _linked(old)]


def _align_cells(state: StateCore) -> None:
    """Replace the style of aligned table cells by a class, as the CSP forbids styles."""
    for token in state.tokens:
        if token.type in ("th_open", "td_open") and (style := token.attrs.pop("style", "")):
            token.attrs["class"] = str(style).replace("text-align:", "align-")


def _linked(token: Token) -> list[Token]:
    if token.type != "image":
        return [token]
    opening, words = Token("link_open", "a", 1), Token("text", "", 0)
    opening.attrs = {"href": token.attrs.get("src", "")}
    words.content = token.content or "Picture"
    return [opening, words, Token("link_close", "a", -1)]


def _lower_headings(state: StateCore) -> None:
    """Lower the heading levels: the page has its own first-level heading."""
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"


def render(text: str) -> SafeString:
    """Return a message as HTML. Raw HTML is escaped; only http, https and mailto links stay. Text
    beyond LONGEST characters is shown unrendered.
    """
    beginning, rest = _split(text)
    html = nh3.clean(
        _parser().render(beginning) + (f"<pre>{escape(rest)}</pre>" if rest else ""),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener nofollow",
    )
    # Wide tables scroll in a frame, also with the keyboard.
    html = html.replace("<table>", f"{_FRAME}<table>").replace("</table>", "</table></div>")
    return mark_safe(html)  # noqa: S308 - cleaned above


def plain(text: str) -> str:
    """Return the text of a rendered message on one line, blocks separated by a dot. Without markup,
    link addresses and table bars.
    """
    lines: list[str] = []
    beginning, rest = _split(text)
    for token in _parser().parse(beginning):
        if token.type == "inline":
            words = "".join(_text_of(child) for child in token.children or ())
        else:
            words = token.content if token.type in ("fence", "code_block") else ""
        if words := " ".join(words.split()):
            lines.append(words)
    if rest := " ".join(rest.split()):
        lines.append(rest)
    ended = (line if line[-1] in _ENDS else f"{line} ·" for line in lines[:-1])
    return " ".join([*ended, *lines[-1:]])


def _split(text: str) -> tuple[str, str]:
    """Split a text into the part that is rendered, ending at a line break if possible, and the
    rest.
    """
    if len(text) <= LONGEST:
        return text, ""
    end = text.rfind("\n", 0, LONGEST) + 1 or LONGEST
    return text[:end], text[end:]


def _text_of(token: Token) -> str:
    return " " if token.type in ("softbreak", "hardbreak") else token.content


def literal(text: str) -> str:
    """Return a text escaped so that Markdown shows it unchanged."""
    return _SPECIAL.sub(r"\\\g<0>", text).replace("\n", " ")
