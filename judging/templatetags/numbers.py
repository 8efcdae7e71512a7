"""The filter that shows the numbers of reports."""

from django import template

from judging.core.pages.numbers import exact

register = template.Library()
register.filter(exact)
