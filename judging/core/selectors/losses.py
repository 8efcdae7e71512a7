"""Find what pages cannot show of the documents of a study."""

from collections.abc import Iterator

from django.db.models import Q

from judging.core.documents.citations import SourceText
from judging.core.documents.pictures import lost_parts
from judging.core.documents.plain import texts_of
from judging.models import Document, Picture, Study
from judging.protocol.markup import Markup
from judging.protocol.words import Sentence


def lost_in_study(study: Study) -> Iterator[Sentence]:
    """Yield a sentence for each part of a document that workers see as a placeholder."""
    stored = set(Picture.objects.filter(study=study).values_list("name", flat=True))
    documents = Document.objects.filter(study=study).order_by("document_id")
    if study.markup == Markup.TEXT:
        documents = documents.filter(~Q(markup__in=["", Markup.TEXT.value]) | ~Q(sources=[]))
    for document in documents.iterator(chunk_size=100):
        sources = [SourceText(**source) for source in document.sources]
        for text, markup in texts_of(document, sources, study.markup):
            for lost in lost_parts(text, markup, stored):
                yield lost.sentence(document.document_id)
