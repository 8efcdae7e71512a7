"""Reads the titles of documents, or the first words of documents without a title."""

from collections.abc import Collection
from typing import Final, NamedTuple

from django.db.models import Case, F, Q, TextField, When
from django.db.models.functions import Substr

from judging.core.documents.plain import plain_text
from judging.models import Document, Study
from judging.protocol.markup import Markup

LENGTH: Final = 80
"""How many characters of a document without a title are read."""


class Opening(NamedTuple):
    """What tells a document from others: its title or, if `is_title` is false, its first words."""

    text: str
    is_title: bool


def openings(study: Study, documents: Collection[str]) -> dict[str, Opening]:
    """Return a dict from the id of each of these documents to its opening. This takes one query.

    The query reads only the start of each text, but the whole text of untitled documents with markup.
    """
    rows = Document.objects.filter(study=study, document_id__in=documents).order_by()
    is_plain = Q(markup=Markup.TEXT) | ~Q(title="")
    if study.markup == Markup.TEXT:
        is_plain |= Q(markup="")
    beginning = Substr("text", 1, LENGTH + 1)
    start = Case(When(is_plain, then=beginning), default=F("text"), output_field=TextField())
    return {
        name: _opening(title.strip(), text, Markup(markup or study.markup))
        for name, title, markup, text in rows.values_list("document_id", "title", "markup", start)
    }


def _opening(title: str, text: str, markup: Markup) -> Opening:
    if title:
        return Opening(title, is_title=True)
    start = plain_text(text, markup)
    words = " ".join(start[:LENGTH].split())
    return Opening(f"{words}…" if len(start) > LENGTH else words, is_title=False)
