"""What a message looks like on a page, whoever wrote it: links safe, nothing loaded, HTML shown."""

import re
import time

import pytest

from conversations.markdown import LONGEST, plain, render


def tags(text: str) -> set[str]:
    return set(re.findall(r"<(\w+)", render(text)))


@pytest.mark.parametrize(
    "text",
    [
        "![A cat](http://elsewhere.example/cat.png)",
        "![A cat][there]\n\n[there]: http://elsewhere.example/cat.png",
        "[![A cat](http://elsewhere.example/cat.png)](http://elsewhere.example)",
    ],
)
def test_a_picture_is_a_link_that_loads_nothing(text: str) -> None:
    assert tags(text) == {"p", "a"}
    assert "A cat</a>" in render(text)
    assert 'rel="noopener nofollow"' in render(text)


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<script>alert(1)</script>",
        "<a href='http://x' onclick=alert(1)>k</a>",
        '<span class="toast">Signed out</span>',
        "<style>*{background:url(http://elsewhere.example)}</style>",
    ],
)
def test_html_is_shown_and_does_nothing(text: str) -> None:
    assert tags(text) <= {"p"}
    assert "&lt;" in render(text)


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "vbscript:x", "data:text/html,x", "file:///etc"],
)
@pytest.mark.parametrize("mark", ["[k]({})", "![k]({})", "<{}>", "[k][l]\n\n[l]: {}"])
def test_a_link_leads_nowhere_but_to_a_page_or_a_letter(mark: str, address: str) -> None:
    assert "href" not in render(mark.format(address)).replace('href=""', "")


@pytest.mark.parametrize("address", ["https://e.example/a?b=c", "mailto:ann@e.example"])
def test_a_good_link_stays(address: str) -> None:
    assert f'href="{address}"' in render(f"[k]({address})")


@pytest.mark.parametrize("unit", ["word ", "[", "![a", "|a", "- a\n", "*a **b _c ", "word\n\n"])
def test_a_text_of_a_megabyte_is_rendered_as_far_as_answers_go(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))

    def seconds(length: int) -> float:
        began = time.process_time()
        render(text[:length])
        plain(text[:length])
        return time.process_time() - began

    # Thirty times the text, and little more work.
    assert seconds(1_000_000) < 3 * seconds(LONGEST) + 1


def test_nothing_of_a_long_text_is_lost() -> None:
    text = "# One\n\n" + "two <b>three</b>\n\n" * 3_000 + "the *end*"
    assert "the *end*</pre>" in render(text)
    assert "<b>" not in render(text)
    assert plain(text).endswith("the *end*")
    assert "<em>end</em>" in render(text[-300:])
