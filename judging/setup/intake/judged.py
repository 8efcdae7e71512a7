"""Read a study whose purpose is analysis.

Its judgments come from a file, which also gives topics, pools and anchors.
"""

from typing import Final

from evaluation.files.judgment_layouts import LAYOUTS, arranged, layout_of
from evaluation.origin import Origin
from evaluation.parsing.judgment_table import JudgmentTable, read_table, table_of_rows
from judging.core.faults import InputError, Where
from judging.core.study_imports import Progress
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.scales import SCALES, only_from_files
from judging.protocol.settings import Purpose
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import DocumentContent, StudyContent, TopicContent
from judging.setup.intake.document_stream import DocumentStream
from judging.setup.intake.files import WORKBOOK, SourceFile
from judging.setup.intake.paths import Paths
from judging.setup.intake.pools import warn_about_anchors
from judging.setup.intake.readers.sgml import LONGEST_NUMBER, id_fault
from judging.setup.intake.readers.workbooks import workbook_rows
from judging.setup.intake.toml_table import Table
from judging.setup.intake.topics import add_anchors

TABLE: Final = "judgments"


def read_judgments_file(top: Table, paths: Paths) -> JudgmentTable | None:
    """Return the judgments from the file in `[judgments]`, arranged in Plumbline's own columns.

    Add a fault and return None if the table or the file has a problem.
    """
    table = top.table(TABLE)
    with table.faults.watch() as watch:
        platform = table.choice("layout", list(LAYOUTS), "plumbline")
        columns, only = table.mapping("columns"), table.mapping("only")
        source = paths.file(table, "path")
        table.close()
        if source is not None and source.kind != WORKBOOK and source.is_text_of():
            next(source.lines(), None)  # adds a fault if the file cannot be read
    if source is None or not watch.clean:
        return None
    try:
        layout = layout_of(platform, columns, only)
    except InputError as error:
        table.fault("columns", error.text, **error.values)
        return None
    try:
        if source.kind == WORKBOOK:
            return _of_scale(arranged(read_workbook(source), layout), only)
        with source.in_utf_8() as path:
            judgments = read_table(path)
        origin = Origin(str(source.path), judgments.origin.lines)
        return _of_scale(arranged(JudgmentTable(judgments.header, judgments.rows, origin), layout), only)
    except InputError as error:
        if watch.clean:
            source.faults.add_input_error(error, "")
        return None


def _of_scale(judgments: JudgmentTable, only: dict[str, str] | None) -> JudgmentTable:
    """Return the judgments without the names of scales in the file, if `only` selects one of them.

    Files with several scales have names of their own for them, such as S4 and S100.
    """
    if "relevance_scale" not in (only or {}) or "relevance_scale" not in judgments.header:
        return judgments
    place = judgments.header.index("relevance_scale")
    header, *rows = ([*row[:place], *row[place + 1 :]] for row in (judgments.header, *judgments.rows))
    return JudgmentTable(header, rows, judgments.origin)


def read_workbook(source: SourceFile) -> JudgmentTable:
    """Return the judgments in the first sheet of an Excel workbook. Raise InputError if there are none.

    If the workbook cannot be read, add a fault too.
    """
    return table_of_rows(workbook_rows(source), str(source.path))


def add_judged_topics(content: StudyContent, judgments: JudgmentTable) -> None:
    """Add the judged topics that the study file does not describe. The added topics have no title."""
    known = {topic.number for topic in content.topics}
    for number, place in _first_places(judgments, "topic_id"):
        if number not in known:
            content.topics.append(TopicContent(number, "", "", "", place))


def fill_from_judgments(
    top: Table, content: StudyContent, judgments: JudgmentTable, paths: Paths, progress: Progress
) -> None:
    """Set the pools, the anchors and the documents of a study for analysis.

    A pool consists of the judged documents and the anchors. The documents that were shown second are judged
    too. The column `gold` marks the anchors, unless the study file names them. Documents without text are
    kept.
    """
    topics = {topic.number: topic for topic in content.topics}
    add_anchors(top, topics, content.left_out, content.fields["anchor_pairs"])
    where: dict[str, Where] = {}
    judged = [name for name in ("document_id", "compared_with") if name in judgments.header]
    for column, longest in (("topic_id", LONGEST_NUMBER), *((name, None) for name in judged)):
        for name, place in _first_places(judgments, column):
            fault = id_fault(name) if longest is None else id_fault(name, longest)
            if fault:
                top.faults.add(place, column, fault)
            elif column in judged:
                where.setdefault(name, place)
    marks = judgments.column("gold") if "gold" in judgments.header else [""] * len(judgments.rows)
    for number, document, mark in zip(
        judgments.column("topic_id"), judgments.column("document_id"), marks, strict=True
    ):
        topic = topics[number]
        topic.pool.add(document)
        _mark_anchor(topic, content.anchors, mark.strip(), document)
    if "compared_with" in judged:
        for number, document in zip(
            judgments.column("topic_id"), judgments.column("compared_with"), strict=True
        ):
            topics[number].pool |= {document} - {""}
    for topic in topics.values():
        topic.anchors |= topic.named
        topic.pool |= set(topic.anchors.values())
        warn_about_anchors(content, topic)
    wanted: set[str] = set().union(*(topic.pool for topic in topics.values()))
    if "documents" in top:
        DocumentStream(top, content, paths).read(wanted, progress)
    content.documents = {
        document: content.documents.get(document)
        or DocumentContent(document, "", "", where.get(document, content.file))
        for document in sorted(wanted)
    }


def _mark_anchor(topic: TopicContent, anchors: tuple[Anchor, ...], mark: str, document: str) -> None:
    """Make a document that is marked H or N the next anchor of its grade, if it is not an anchor yet."""
    if mark and document not in topic.anchors.values():
        free = (anchor for anchor in anchors if anchor.grade.value == mark and anchor not in topic.anchors)
        if (anchor := next(free, None)) is not None:
            topic.anchors[anchor] = document


def _first_places(judgments: JudgmentTable, column: str) -> list[tuple[str, Where]]:
    """Return the distinct ids in a column, each with the line on which it first occurs."""
    ids = judgments.column(column)
    rows = ids.arg_unique().sort()
    return [(ids[row], Where.parsed(judgments.origin.at(row))) for row in rows if ids[row]]


def refuse_unsuitable(top: Table, purpose: str, scale: str) -> None:
    """Add a fault for each setting or table that does not fit the study's purpose."""
    if purpose == Purpose.JUDGING and TABLE in top:
        text = _(
            'A study with the table [judgments] needs purpose = "analysis". Add the purpose, or remove the '
            "table."
        )
        top.fault(TABLE, text)
    if purpose == Purpose.JUDGING and scale in only_from_files():
        top.fault("scale", SCALES[scale].words.file_only)
