"""The filter that shows stored sentences in the language of the page."""

from django import template

from judging.core.stored_sentences import StoredSentence, in_language

register = template.Library()


@register.filter
def stored_sentence(stored: StoredSentence) -> str:
    """Return a stored sentence in the language of the page."""
    return in_language(stored)
