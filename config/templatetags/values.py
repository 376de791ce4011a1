"""Template filters for user text and cells of a list."""

from collections.abc import Iterable, Iterator
from typing import Any

from django import template
from django.utils.html import escape
from django.utils.text import capfirst

from accounts.support import formatting

register = template.Library()
register.filter("capital", formatting.capital)


@register.filter
def labelled(row: Iterable[str], headers: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the cells of a row of an admin list as HTML, each with the name of its column.

    On a phone a row is a card, where the style sheet shows the name beside the value.
    """
    for cell, header in zip(row, headers, strict=False):
        label = "" if "action-checkbox" in cell[:40] else capfirst(header["text"])
        yield f'{cell[:3]} data-label="{escape(label)}"{cell[3:]}'
