"""Figures for people."""

from django import template

register = template.Library()


@register.filter
def percent(share: float | None) -> str:
    """A share from 0 to 1 in whole percent; nothing for a value that is missing."""
    return "" if share is None or share == "" else f"{100 * share:.0f}"
