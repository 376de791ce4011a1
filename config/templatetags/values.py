"""How a template shows what a user said."""

from django import template
from django.utils.text import capfirst

register = template.Library()


@register.filter
def capital(value: str) -> str:
    """Return a value with a capital letter first; "iPhone 15" as it is written."""
    first, *_ = str(value).split(maxsplit=1) or [""]
    return str(value) if any(map(str.isupper, first)) else capfirst(value)
