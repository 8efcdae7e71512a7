"""Read documents, topics and grades from records, using a map of columns."""

from collections.abc import Iterator

from judging.protocol.markup import Markup
from judging.setup.intake.column_maps import ColumnMap
from judging.setup.intake.content import DocumentContent, TopicContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.layouts import (
    clean_text,
    layout_fault,
    markup_fault,
    without_blank_ends,
)
from judging.setup.intake.readers.records import Record, read_records
from judging.setup.intake.readers.sgml import LONGEST_ID, LONGEST_NUMBER, id_fault
from judging.setup.intake.readers.sources import read_sources


def read_mapped_documents(
    source: SourceFile, form: ColumnMap, default: str = Markup.TEXT
) -> Iterator[DocumentContent]:
    """Yield a document for each record. `default` is the markup of documents that do not have their own."""
    for line, texts in read_records(source, "documents", form):
        layout, markup = texts["layout"].strip(), texts["markup"].strip()
        with source.faults.watch() as watch:
            if fault := layout_fault(layout):
                source.fault(line, "layout", fault)
            if fault := markup_fault(markup):
                source.fault(line, "markup", fault)
            sources = read_sources(source, line, texts["sources"])
        if _has_id(source, Record(line, texts), "id") and watch.clean:
            title, text = " ".join(texts["title"].split()), clean_text(texts["text"], markup or default)
            name = texts["id"].strip()
            yield DocumentContent(name, title, text, source.at(line), layout, markup, sources)


def read_mapped_topics(source: SourceFile, form: ColumnMap) -> Iterator[TopicContent]:
    """Yield a topic for each record."""
    for line, texts in read_records(source, "topics", form):
        if _has_id(source, Record(line, texts), "number", LONGEST_NUMBER):
            yield TopicContent(
                number=texts["number"].strip(),
                title=" ".join(texts["title"].split()),
                description=without_blank_ends(texts["description"]),
                narrative=without_blank_ends(texts["narrative"]),
                where=source.at(line),
            )


def read_mapped_grades(source: SourceFile, form: ColumnMap) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line number of each record, and a dict with the record's topic, document and grade."""
    for line, texts in read_records(source, "grades", form):
        record = Record(line, {name: text.strip() for name, text in texts.items()})
        if _has_id(source, record, "topic", LONGEST_NUMBER) and _has_id(source, record, "document"):
            yield record


def _has_id(source: SourceFile, record: Record, name: str, longest: int = LONGEST_ID) -> bool:
    """Return whether a field has a valid id. Add a fault if not."""
    if fault := id_fault(record.texts[name].strip(), longest):
        source.fault(record.line, name, fault, like=fault.text)
    return fault is None
