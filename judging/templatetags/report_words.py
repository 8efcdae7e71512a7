"""The filters that show the words of stored reports in the language of the page."""

from collections.abc import Iterable

from django import template

from judging.understanding.reports.catalogue import ADAPTIVE
from judging.understanding.reports.words import Words, in_language

register = template.Library()


@register.filter(name="in_language")
def words_in_language(words: Words) -> str:
    """Return words of a report in the active language: `{{ report.content.alt|in_language }}`."""
    return in_language(words)


@register.simple_tag
def adaptive_note() -> str:
    """Return, in the active language, the note on the intervals of an adaptive study."""
    return in_language(ADAPTIVE)


@register.filter
def by_reason(missing: Iterable[tuple[Words, Words]]) -> list[tuple[str, list[str]]]:
    """Return the reasons why parts are missing, each with the parts it applies to, in the active language.

    Leave out the full stop at the end of each reason.
    """
    parts: dict[str, list[str]] = {}
    for part, reason in missing:
        parts.setdefault(in_language(reason).removesuffix("."), []).append(in_language(part))
    return list(parts.items())
