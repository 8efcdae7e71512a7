"""The words of stored reports in the language of a page."""

from django import template

from judging.understanding.reports.words import Words, in_language

register = template.Library()


@register.filter(name="in_language")
def words_in_language(words: Words) -> str:
    """Return words of a report in the language that is active now: `{{ report.content.alt|in_language }}`."""
    return in_language(words)
