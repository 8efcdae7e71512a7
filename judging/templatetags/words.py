"""Filters that show sentences in the language of the page."""

from django import template
from django.utils.translation import gettext

from judging.core.words import translated as translated_sentence
from judging.protocol.words import Sentence

register = template.Library()


@register.filter
def translated(sentence: Sentence | str) -> str:
    """Return a sentence, or an English string from the catalogue, in the language of the page."""
    return translated_sentence(sentence) if isinstance(sentence, Sentence) else gettext(sentence)
