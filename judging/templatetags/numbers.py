"""Numbers of reports on a page."""

from django import template

from judging.core.pages.numbers import exact

register = template.Library()
register.filter(exact)
