"""The tag that lists the simulated crowds."""

from typing import Any

from django import template

from judging.crowd.names import DEFAULT, LABELS

register = template.Library()


@register.simple_tag
def crowd_labels() -> dict[str, Any]:
    """Return the `choices` (name, label) of a menu of crowds, and the name of the `default` crowd."""
    return {"choices": LABELS.items(), "default": DEFAULT}
