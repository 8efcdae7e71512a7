"""Reads the titles of documents, or the first words of documents without a title."""

from collections.abc import Collection
from typing import Final, NamedTuple

from django.db.models.functions import Substr

from judging.models import Document, Study

LENGTH: Final = 80
"""How many characters of a document without a title are read."""


class Opening(NamedTuple):
    """What tells a document from others: its title or, if `is_title` is false, its first words."""

    text: str
    is_title: bool


def openings(study: Study, documents: Collection[str]) -> dict[str, Opening]:
    """Return a dict from the id of each of these documents to its opening. This takes one query.

    The query reads only the start of each text.
    """
    rows = Document.objects.filter(study=study, document_id__in=documents).order_by()
    starts = rows.values_list("document_id", "title", Substr("text", 1, LENGTH + 1))
    return {name: _opening(title.strip(), start) for name, title, start in starts}


def _opening(title: str, start: str) -> Opening:
    if title:
        return Opening(title, is_title=True)
    words = " ".join(start[:LENGTH].split())
    return Opening(f"{words}…" if len(start) > LENGTH else words, is_title=False)
