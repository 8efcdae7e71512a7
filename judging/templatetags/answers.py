"""The filter that shows the answer of a worker."""

from django import template

from judging.core.pages.shown_answers import shown_answer
from judging.models import Study

register = template.Library()


@register.filter
def answer_in(text: str, study: Study) -> str:
    """Return an answer that a worker typed or chose as the pages of the study show it."""
    return shown_answer(text, study)
