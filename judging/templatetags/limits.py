"""The tag that shows a time limit as text."""

from datetime import UTC, datetime
from typing import Final

from django import template
from django.utils.timesince import timesince

from judging import limits

register = template.Library()
_START: Final = datetime(2001, 1, 1, tzinfo=UTC)


@register.simple_tag
def span_of(name: str) -> str:
    """Return a time limit in the language of the page: `{% span_of "RESET_LINK" %}` shows "4 hours"."""
    return timesince(_START, _START + getattr(limits, name))
