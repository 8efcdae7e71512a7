"""Read the documents of a collection as a stream, so that only pooled documents stay in memory."""

from array import array
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import Final

import numpy as np

from judging.core.faults import Faults, Where
from judging.core.study_imports import Progress
from judging.protocol.layout import Layout, loses_structure
from judging.protocol.markup import Markup
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.column_maps import read_format
from judging.setup.intake.content import DocumentContent, StudyContent
from judging.setup.intake.marked_documents import MarkedDocuments
from judging.setup.intake.paths import Paths
from judging.setup.intake.readers.document_files import FORMATS, files_of, read_documents
from judging.setup.intake.study_file import read_document_settings
from judging.setup.intake.toml_table import Table

WITHOUT_MARKUP: Final = ("trec", "cranfield")
"""The formats whose readers take the tags out of the texts."""
SHOWN: Final = 3
"""The number of documents that the set-up shows as examples."""


class DocumentStream:
    """Reads the files of `[documents]`, and keeps only the documents that pools and anchors need.

    `skipped` collects the ids of Cranfield documents without text. The Cranfield collection is known to have
    a few, so they cause only a notice. For other formats, `textless` collects the needed documents without
    text: it maps each id to the document's place. Such a document is a fault if it is in a pool. Otherwise,
    it is just never drawn as an anchor.
    """

    def __init__(self, top: Table, content: StudyContent, paths: Paths) -> None:
        self.skipped: set[str] = set()
        self.textless: dict[str, Where] = {}
        self._content = content
        self._faults = top.faults
        table = top.table("documents")
        self._read_as = read_format(table, "documents", FORMATS, needed=True)
        self._format = self._read_as.name
        settings = read_document_settings(table)
        content.fields |= settings
        content.where |= {key: table.where(key) for key in settings}
        self._layout, self._markup = settings["layout"], settings["markup"]
        if self._format == "cranfield" and self._layout != Layout.PARAGRAPHS:
            table.fault(
                "layout",
                _(
                    'The layout "{layout}" does not work with the format "{format}", which wraps long lines.'
                    ' Use the layout "paragraphs", or convert the documents to jsonl.'
                ),
                layout=self._layout,
                format=self._format,
            )
        if self._format in WITHOUT_MARKUP and self._markup != Markup.TEXT:
            table.fault(
                "markup",
                _(
                    'The markup "{markup}" does not work with the format "{format}", whose texts are plain.'
                    ' Use the markup "text", or convert the documents to jsonl.'
                ),
                markup=self._markup,
                format=self._format,
            )
        self._marked = MarkedDocuments(self._faults, is_set_up=paths.is_enclosed)
        self._joined: list[str] = []
        named = paths.files(table, "path")
        self._files = [file for source in named for file in files_of(source, self._format)]
        table.close()

    def read(self, wanted: set[str], progress: Progress) -> None:
        """Read all documents, and keep those whose ids are in `wanted`."""
        if self._format not in FORMATS:
            return
        ids = _Ids()
        for document in progress(self._documents(), desc="documents", unit="doc"):
            ids.add(document.id)
            self._show(document)
            if document.id in wanted:
                self._keep(document)
            if not document.text and self._format == "cranfield":
                self.skipped.add(document.id)
        self._content.pictures = self._marked.pictures
        self._content.notices += self._marked.notices()
        self._notice_unknown_grades(ids)
        if suspects := ids.suspects():
            self._add_repetitions(suspects)
        if self.skipped:
            names = ", ".join(sorted(self.skipped))
            skipped = _("These documents have no text, so they are not in any pool: {documents}.")
            self._content.notices.append(Sentence(skipped, {"documents": names}))
        if self._joined:
            self._content.notices.append(_joined_lines(len(self._joined), self._joined[0]))

    def _notice_unknown_grades(self, ids: "_Ids") -> None:
        """Add a notice about graded documents that are not in the collection. Their ids may be misspelt."""
        for grades in self._content.grade_sets:
            graded = sorted({document for listed in grades.grades.values() for document in listed})
            if unknown := ids.lacking(graded):
                text = _(
                    "Not in the collection: {number} of the {total} graded documents in {grades}, "
                    "for example {document}."
                )
                values = {"number": len(unknown), "total": len(graded)}
                self._content.notices.append(
                    Sentence(text, {**values, "grades": grades.name, "document": unknown[0]})
                )

    def _documents(self, faults: Faults | None = None) -> Iterator[DocumentContent]:
        keeps_lines = self._layout != Layout.PARAGRAPHS
        for file in self._files:
            source = file.sibling(file.path, faults)
            for document in read_documents(
                source, self._read_as, keeps_lines=keeps_lines, default=self._markup
            ):
                if document.text[:1].isspace() and self._is_joined(document):
                    yield replace(document, text=document.text.lstrip())
                else:
                    yield document

    def _is_joined(self, document: DocumentContent) -> bool:
        """Return whether pages join the lines of a document's paragraphs."""
        is_plain = (document.markup or self._markup) == Markup.TEXT
        return is_plain and (document.layout or self._layout) == Layout.PARAGRAPHS

    def _show(self, document: DocumentContent) -> None:
        self._content.documents_read += 1
        if len(self._content.first_read) < SHOWN:
            self._content.first_read.append(document)

    def _keep(self, document: DocumentContent) -> None:
        if document.text:
            self._content.documents.setdefault(document.id, document)
            self._marked.check(document, self._markup)
            if self._is_joined(document) and loses_structure(document.text):
                self._joined.append(document.id)
        elif self._format != "cranfield":
            self.textless.setdefault(document.id, document.where)

    def _add_repetitions(self, suspects: set[int]) -> None:
        """Read the documents again, and add a fault for each repeated id.

        Check only ids whose hash is in `suspects`.
        """
        first: dict[str, Where] = {}
        for document in self._documents(Faults()):  # the first reading found all other faults
            if _hash(document.id) not in suspects:
                continue
            if document.id in first:
                text = _(
                    "The id {document} is already used by the document in {place}. Delete one of"
                    " the two documents."
                )
                values = {"document": document.id, "place": first[document.id]}
                self._faults.add(document.where, "id", text, like="second", **values)
            else:
                first[document.id] = document.where


def _joined_lines(number: int, document: str) -> Sentence:
    singular, plural = ngettext_noop(
        "Line breaks are removed from {number} document that looks like a list, a table, a poem or code:"
        " {document}. To keep line breaks, set layout in [documents].",
        "Line breaks are removed from {number} documents that look like lists, tables, poems or code, such as"
        " {document}. To keep line breaks, set layout in [documents].",
    )
    return Sentence(singular, {"number": number, "document": document}, plural)


class _Ids:
    """The ids of a collection, stored as hashes of eight bytes each.

    A set of strings would take ten times the memory.
    """

    def __init__(self) -> None:
        self._hashes = array("Q")

    def add(self, name: str) -> None:
        self._hashes.append(_hash(name))

    def lacking(self, names: list[str]) -> list[str]:
        """Return the ids in `names` that were not added."""
        hashes = np.frombuffer(self._hashes, dtype=np.uint64) if self._hashes else np.empty(0, np.uint64)
        known = np.isin(np.array([_hash(name) for name in names], dtype=np.uint64), hashes)
        return [name for name, is_known in zip(names, known, strict=True) if not is_known]

    def suspects(self) -> set[int]:
        """Return the hashes that occur more than once.

        The reason is usually a repeated id. In rare cases, two different ids have the same hash.
        """
        hashes = np.sort(np.frombuffer(self._hashes, dtype=np.uint64)) if self._hashes else np.empty(0)
        return {int(repeated) for repeated in hashes[1:][hashes[1:] == hashes[:-1]]}


def _hash(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest())
