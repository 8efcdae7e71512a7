"""The documents of a collection, streamed: of half a million only those of the pools are kept."""

from array import array
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import Final

import numpy as np

from judging.core.intake.content import DocumentContent, Progress, StudyContent
from judging.core.intake.faults import Faults, Where
from judging.core.intake.paths import Paths
from judging.core.intake.readers.documents import KEEPING_LINES, READERS, files_of
from judging.core.intake.study_file import read_setting
from judging.core.intake.tables import Table
from judging.protocol.layout import Layout, loses_structure
from judging.protocol.settings import SETTINGS

SHOWN: Final = 3
"""Documents shown, to see how they were understood."""


class DocumentStream:
    """Reads `[documents]` once and keeps what is wanted.

    The Cranfield collection is known to have empty documents: they are `skipped`, with a notice. In other
    formats a document without a text is `textless`, a fault where it is pooled.
    """

    def __init__(self, top: Table, content: StudyContent, paths: Paths) -> None:
        self.skipped: set[str] = set()
        self.textless: dict[str, Where] = {}
        self._content = content
        self._faults = top.faults
        table = top.table("documents")
        self._format = table.choice("format", list(READERS), needed=True)
        self._layout = read_setting(SETTINGS["layout"], table)
        content.fields["layout"], content.where["layout"] = self._layout, table.where("layout")
        if self._format == "cranfield" and self._layout != Layout.PARAGRAPHS:
            table.fault(
                "layout",
                f'cannot be "{self._layout}" with format "{self._format}", whose files wrap their lines;'
                ' write "paragraphs", or give the documents as jsonl',
            )
        self._joined: list[str] = []
        named = paths.of(table, "path")
        self._files = [file for source in named for file in files_of(source, self._format)]
        table.close()

    def read(self, wanted: set[str], progress: Progress) -> None:
        if self._format not in READERS:
            return
        ids = _Ids()
        for document in progress(self._documents(), desc="documents", unit="doc"):
            ids.add(document.id)
            self._show(document)
            if document.id in wanted:
                self._keep(document)
            if not document.text and self._format == "cranfield":
                self.skipped.add(document.id)
        self._notice_unknown_grades(ids)
        if suspects := ids.suspects():
            self._tell_repetitions(suspects)
        if self.skipped:
            names = ", ".join(sorted(self.skipped))
            self._content.notices.append(f"documents without a text, left out of every pool: {names}.")
        if self._joined:
            self._content.notices.append(
                f"line breaks are joined in {len(self._joined)} documents that look like lists, tables, poems"
                f" or code, such as {self._joined[0]}. To keep them, set layout in [documents]."
            )

    def _notice_unknown_grades(self, ids: "_Ids") -> None:
        """Say how many graded documents the collection lacks: ids may be spelt in two ways."""
        for grades in self._content.grade_sets:
            graded = sorted({document for listed in grades.grades.values() for document in listed})
            if unknown := ids.lacking(graded):
                self._content.notices.append(
                    f"{len(unknown):,} of {len(graded):,} documents graded in {grades.name} are not in the"
                    f" documents, the first {unknown[0]}."
                )

    def _documents(self, faults: Faults | None = None) -> Iterator[DocumentContent]:
        readers = READERS if self._layout == Layout.PARAGRAPHS else KEEPING_LINES
        for file in self._files:
            for document in readers[self._format](file.beside(file.path, faults)):
                if document.text[:1].isspace() and self._is_joined(document):
                    yield replace(document, text=document.text.lstrip())
                else:
                    yield document

    def _is_joined(self, document: DocumentContent) -> bool:
        return (document.layout or self._layout) == Layout.PARAGRAPHS

    def _show(self, document: DocumentContent) -> None:
        self._content.documents_read += 1
        if len(self._content.first_read) < SHOWN:
            self._content.first_read.append(document)

    def _keep(self, document: DocumentContent) -> None:
        if document.text:
            self._content.documents.setdefault(document.id, document)
            if self._is_joined(document) and loses_structure(document.text):
                self._joined.append(document.id)
        elif self._format != "cranfield":
            self.textless.setdefault(document.id, document.where)

    def _tell_repetitions(self, suspects: set[int]) -> None:
        """Read once more, and compare the ids themselves where they may come twice."""
        seen: dict[str, Where] = {}
        for document in self._documents(Faults()):  # what else is wrong has been told the first time
            if _hash(document.id) not in suspects:
                continue
            if document.id in seen:
                what = f"{document.id} is the id of the document in {seen[document.id]} too; delete one"
                self._faults.add(document.where, "id", what, like="second")
            else:
                seen[document.id] = document.where


class _Ids:
    """Remembers each id in eight bytes: a set of half a million texts would hold a hundred."""

    def __init__(self) -> None:
        self._hashes = array("Q")

    def add(self, name: str) -> None:
        self._hashes.append(_hash(name))

    def lacking(self, names: list[str]) -> list[str]:
        """Return which of the names were not added."""
        hashes = np.frombuffer(self._hashes, dtype=np.uint64) if self._hashes else np.empty(0, np.uint64)
        there = np.isin(np.array([_hash(name) for name in names], dtype=np.uint64), hashes)
        return [name for name, known in zip(names, there, strict=True) if not known]

    def suspects(self) -> set[int]:
        """The hashes that came more than once: of an id that comes twice or, hardly ever, of two ids."""
        hashes = np.sort(np.frombuffer(self._hashes, dtype=np.uint64)) if self._hashes else np.empty(0)
        return {int(one) for one in hashes[1:][hashes[1:] == hashes[:-1]]}


def _hash(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest())
