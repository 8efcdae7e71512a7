"""Numbers of reports on a page."""

from django import template

from judging.pages.console.numbers import exact

register = template.Library()
register.filter(exact)
