"""Find the passages that workers marked in the documents of a study."""

from judging.core.documents.citations import SourceText
from judging.core.documents.passages import Passage, find_passage
from judging.core.documents.plain import plain_text, texts_of
from judging.models import Document, Judgment, Study


def passage_in(judgment: Judgment, study: Study, passage: str) -> tuple[Passage | None, bool]:
    """Return where a passage is in the text of the judged document, and whether the page shows it at all.

    A passage in a source of an answer has no place in the text of the document.
    """
    document = Document.objects.get(pools=judgment.pool_document_id)
    sources = [SourceText(**source) for source in document.sources]
    text, *others = [plain_text(*entry) for entry in texts_of(document, sources, study.markup)]
    place = find_passage(text, passage)
    return place, place is not None or any(find_passage(other, passage) for other in others)
