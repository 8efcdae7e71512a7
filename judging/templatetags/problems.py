"""Errors of a form: the summary at the top of the page, and the prefix of the page's title."""

from collections.abc import Iterable
from dataclasses import dataclass

from django import template
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.forms import BaseForm
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()


@dataclass(frozen=True)
class Problem:
    """An error message. `field` is the id of the field that it links to, or "" if it has no link."""

    message: str
    field: str = ""


@register.simple_tag(takes_context=True)
def error_prefix(context: template.Context, messages: Iterable[Message] = ()) -> str:
    """Return the prefix of the page's title if the page has problems, else ""."""
    # makemessages does not find calls inside an f-string.
    prefix = _("Error:")
    return f"{prefix} " if problems_of(context, messages) else ""


@register.inclusion_tag("core/_problems.html", takes_context=True)
def error_summary(context: template.Context, messages: Iterable[Message] = ()) -> dict[str, object]:
    """Show a box that receives the focus and lists the problems of the page, with links to their fields."""
    return {"problems": problems_of(context, messages)}


@register.simple_tag(takes_context=True)
def described(context: template.Context, field: str, hint: str = "") -> SafeString:
    """Return the attributes that connect a field to its hint and, if the field is invalid, to the error box.

    Use this for fields that a template writes without a Django form.
    """
    messages = context.get("messages")
    problems = problems_of(context, () if messages is None else messages)
    is_invalid = any(problem.field == field for problem in problems)
    names = " ".join(name for name in (hint, "problems" if is_invalid else "") if name)
    described_by = format_html(' aria-describedby="{}"', names) if names else ""
    return format_html("{}{}", described_by, SafeString(' aria-invalid="true"' if is_invalid else ""))


def problems_of(context: template.Context, messages: Iterable[Message] = ()) -> list[Problem]:
    """Return the problems of a page.

    The error messages in `messages` come first. The `extra_tags` of a message hold the id of its field. The
    errors of `form` come next, and those in `faults` come last. Both are variables of `context`: `form` is a
    Django form, and `faults` is a dict that maps ids of fields to error messages.
    """
    problems = [
        Problem(message.message, message.extra_tags or "")
        for message in messages
        if message.level == constants.ERROR
    ]
    form, faults = context.get("form"), context.get("faults")
    if isinstance(form, BaseForm):
        problems += _form_problems(form)
    if isinstance(faults, dict):
        problems += [Problem(message, field) for field, message in faults.items()]
    return problems


def _form_problems(form: BaseForm) -> list[Problem]:
    """Return the problems of a Django form. An error that is not about a field links to the first field."""
    if not form.errors:
        return []
    fields = form.visible_fields()
    first = fields[0].id_for_label if fields else ""
    whole = [Problem(str(error), first) for error in form.non_field_errors()]
    return whole + [Problem(str(error), field.id_for_label) for field in fields for error in field.errors]
