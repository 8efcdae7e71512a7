"""Assemble a `StudyContent` from a study file and the files it refers to, and collect all faults."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from judging.core.faults import UNCHECKED, Where
from judging.core.study_imports import Progress
from judging.protocol.settings import Purpose
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import FrozenPools, StudyContent
from judging.setup.intake.document_stream import DocumentStream
from judging.setup.intake.grades import add_grade_sets, ignored_topics
from judging.setup.intake.judged import (
    add_judged_topics,
    fill_from_judgments,
    read_judgments_file,
    refuse_unsuitable,
)
from judging.setup.intake.paths import Paths
from judging.setup.intake.pools import PoolMaker, PoolSources
from judging.setup.intake.readers.grades import read_pool
from judging.setup.intake.readers.runs import first_documents, read_study_run
from judging.setup.intake.sampling import add_sample
from judging.setup.intake.study_file import FieldReader
from judging.setup.intake.toml_table import Table
from judging.setup.intake.topics import ReadTopics, add_anchors, add_questions, read_topics

_SECTIONS = ("pool", "grades", "run", "topics")


def assemble(
    top: Table,
    folder: Path,
    *,
    frozen: FrozenPools,
    progress: Progress,
    enclosed: bool = False,
    waiting_topics: Sequence[str] = (),
) -> StudyContent:
    """Return the content of a study. The content is complete only if there are no faults in `top.faults`.

    `frozen` holds the pools that must not change, even if runs that were added later contain other documents.
    If `enclosed` is true, a path outside `folder` is a fault. `waiting_topics` names files of topics that
    are not imported yet. Lines for their topics are not faults of the other files.
    """
    faults = top.faults
    paths = Paths(folder, enclosed=enclosed)
    reader = FieldReader(top, paths)
    reader.read()
    purpose = reader.fields["purpose"]
    refuse_unsuitable(top, purpose, reader.fields["scale"])
    read = read_topics(top, paths, faults)
    if waiting_topics:
        read = replace(read, are_whole=False)
    topics = read.by_number
    if purpose == Purpose.ANALYSIS:
        content = _content(top, reader, read)
        _add_analysis(top, content, paths, progress)
        top.close()
        return content
    if not topics and not faults.count:
        no_topics = _(
            "The study has no topics. Give the path of a topic file in [topics], or add [[topic]] tables."
        )
        top.fault(None, no_topics)
    waiting = add_questions(top, read, faults)
    content = _content(top, reader, read)
    if waiting:
        ignored = _("These topics are not selected, so their questions are ignored: {topics}.")
        content.notices.append(Sentence(ignored, {"topics": ", ".join(waiting)}))
    with faults.watch() as grading:
        add_grade_sets(top, content, paths)
    _add_runs(top, content, paths, progress)
    sources = _pool_sources(top, content, paths)
    add_anchors(top, topics, read.left_out, reader.fields["anchor_pairs"], are_whole=read.are_whole)
    maker = PoolMaker(content, sources, frozen, faults)
    with faults.watch() as reading:
        documents = DocumentStream(top, content, paths)
        documents.read(maker.wanted(), progress)
    if faults.has_unchecked:
        content.notices.append(Sentence(UNCHECKED))
        for name in waiting_topics:
            not_imported = _(
                "The topics of this file are not imported yet, and other files have lines for them. Import"
                " the topics, or remove the file."
            )
            faults.add(Where(str(folder / name)), "", not_imported)
    maker.fill(documents.skipped, documents.textless, read=reading.clean, graded=grading.clean)
    if content.is_sampled and sources.depth is not None and not faults.count:
        add_sample(content, sources.depth, frozen, faults)
    top.close()
    return content


def _content(top: Table, reader: FieldReader, read: ReadTopics) -> StudyContent:
    return StudyContent(
        top.where(),
        reader.fields,
        reader.where,
        topics=list(read.by_number.values()),
        left_out=read.left_out,
        notices=list(top.faults.notices),
        sections={name: top.where(name) for name in _SECTIONS},
        has_all_topics=read.are_whole,
    )


def _add_analysis(top: Table, content: StudyContent, paths: Paths, progress: Progress) -> None:
    """Add the files of a study whose purpose is analysis.

    Read the judgments first, then the files about the judged topics.
    """
    content.judgments = read_judgments_file(top, paths)
    if content.judgments is not None:
        add_judged_topics(content, content.judgments)
    add_grade_sets(top, content, paths)
    _add_runs(top, content, paths, progress)
    if content.judgments is not None:
        fill_from_judgments(top, content, content.judgments, paths, progress)
    else:
        for name in ("documents", "anchor"):
            top.pass_over(name)


def _add_runs(top: Table, content: StudyContent, paths: Paths, progress: Progress) -> None:
    numbers = {topic.number for topic in content.topics}
    tables = top.tables("run")
    first: dict[str, str] = {}
    for table in progress(tables, desc="runs", unit="run"):
        source = paths.file(table, "path")
        table.close()
        if source is None:
            continue
        run, others = read_study_run(source, numbers, are_whole=content.has_all_topics)
        if others and not content.has_all_topics:
            source.faults.has_unchecked = True
        if run is None or not numbers or run.frame.table.is_empty():
            continue
        if run.tag in first:
            same_tag = _("The tag {tag} is already used by {file}. Give each run its own tag.")
            source.fault(1, "tag", same_tag, tag=run.tag, file=first[run.tag])
        if others and content.has_all_topics:
            content.notices.append(ignored_topics(source.path, others))
        first.setdefault(run.tag, source.path.name)
        content.runs.append(run)


def _pool_sources(top: Table, content: StudyContent, paths: Paths) -> PoolSources:
    table = top.table("pool")
    table.pass_over("sample")  # the settings of the sample are read with all others
    by_depth = "depth" in table
    sources = PoolSources()
    if by_depth and "path" in table:
        table.fault("path", _("The pool has both path and depth. Remove one of the two."))
    elif by_depth:
        sources.depth = depth = table.whole("depth", 10, least=1, most=10_000)
        if not top.tables("run"):
            table.fault(
                "depth",
                _("There are no runs to pool. Add a run, or replace depth with the path of a pool file."),
            )
        for run in content.runs:
            # Two runs with the same tag are a fault. Until it is mended, the pool has the documents of both.
            of_tag = sources.documents.setdefault(run.tag, {})
            for topic, documents in first_documents(run.frame, depth).items():
                of_tag[topic] = documents | of_tag.get(topic, {})
    elif "path" in table:
        if content.is_sampled:
            text = _(
                "The chances of a sample follow from the ranks of the documents in the runs, but this pool is"
                " a list. Replace path by depth to pool the runs, or remove the sample."
            )
            table.fault("sample", text)
        if (source := paths.file(table, "path")) is not None:
            numbers = {topic.number for topic in content.topics}
            sources.documents = {"list": read_pool(source, numbers, are_whole=content.has_all_topics)}
    else:
        table.fault(
            None,
            _('The pool is missing. Write depth = 10 to pool the runs, or path = "…" to read a pool file.'),
        )
    table.close()
    return sources
