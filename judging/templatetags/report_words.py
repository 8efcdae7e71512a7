"""The filter that shows the words of stored reports in the language of the page."""

from django import template

from judging.understanding.reports.words import Words, in_language

register = template.Library()


@register.filter(name="in_language")
def words_in_language(words: Words) -> str:
    """Return words of a report in the active language: `{{ report.content.alt|in_language }}`."""
    return in_language(words)
