"""How a template shows what a user said."""

from django import template

from accounts.support import formatting

register = template.Library()
register.filter("capital", formatting.capital)
