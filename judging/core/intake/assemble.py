"""From a study file and all it points to, to one `StudyContent`; every fault on the way is noted."""

from pathlib import Path

from judging.core.intake.content import FrozenPools, Progress, StudyContent
from judging.core.intake.documents import DocumentStream
from judging.core.intake.grades import add_grade_sets
from judging.core.intake.paths import Paths
from judging.core.intake.pools import PoolMaker, PoolSources
from judging.core.intake.readers.grades import read_pool
from judging.core.intake.readers.runs import first_documents, read_study_run
from judging.core.intake.study_file import FieldReader
from judging.core.intake.tables import Table
from judging.core.intake.topics import add_anchors, add_questions, read_topics

_SECTIONS = ("pool", "grades", "run", "topics")


def assemble(
    top: Table, folder: Path, *, frozen: FrozenPools, progress: Progress, enclosed: bool = False
) -> StudyContent:
    """Read everything that the values of a study name. It is whole only where `top.faults` stayed empty.

    `frozen` are the pools of topics that may no longer change: runs that came later add nothing to them.
    `enclosed`: files outside `folder` are faults.
    """
    faults = top.faults
    paths = Paths(folder, enclosed=enclosed)
    reader = FieldReader(top, paths)
    reader.read()
    topics, left_out = read_topics(top, paths, faults)
    if not topics and not faults.count:
        top.fault(None, "there are no topics; name a file of them in [topics], or write [[topic]] tables")
    waiting = add_questions(top, topics, left_out, faults)
    content = StudyContent(
        top.where(),
        reader.fields,
        reader.where,
        topics=list(topics.values()),
        left_out=left_out,
        sections={name: top.where(name) for name in _SECTIONS},  # where what is gone would have to stand
    )
    if waiting:
        content.notices.append(f"questions of topics that are not chosen are ignored: {', '.join(waiting)}.")
    with faults.watch() as grading:
        add_grade_sets(top, content, paths)
    _add_runs(top, content, paths, progress)
    sources = _pool_sources(top, content, paths)
    add_anchors(top, topics, left_out)
    maker = PoolMaker(content, sources, frozen, faults)
    with faults.watch() as reading:
        documents = DocumentStream(top, content, paths)
        documents.read(maker.wanted(), progress)
    maker.fill(documents.skipped, documents.textless, read=reading.clean, graded=grading.clean)
    top.close()
    return content


def _add_runs(top: Table, content: StudyContent, paths: Paths, progress: Progress) -> None:
    numbers = {topic.number for topic in content.topics}
    tables = top.tables("run")
    first: dict[str, str] = {}
    for table in progress(tables, desc="runs", unit="run"):
        source = paths.one(table, "path")
        table.close()
        if source is None:
            continue
        run, others = read_study_run(source, numbers)
        if run is None or not numbers:
            continue
        if run.tag in first:
            source.fault(1, "tag", f"{run.tag} is also that of {first[run.tag]}; give each its own")
        if others:
            content.notices.append(
                f"{source.path}: {others} topics that the study does not have are ignored."
            )
        first.setdefault(run.tag, source.path.name)
        content.runs.append(run)


def _pool_sources(top: Table, content: StudyContent, paths: Paths) -> PoolSources:
    table = top.table("pool")
    by_depth = "depth" in table
    sources = PoolSources(by_depth=by_depth)
    if by_depth and "path" in table:
        table.fault("path", "stands beside depth; keep one of the two")
    elif by_depth:
        depth = table.whole("depth", 10, least=1, most=10_000)
        if not top.tables("run"):
            table.fault("depth", "needs runs to take the documents from; add a run, or a list of the pool")
        sources.documents = {run.tag: first_documents(run.frame, depth) for run in content.runs}
    elif "path" in table:
        if (source := paths.one(table, "path")) is not None:
            sources.documents = {"list": read_pool(source, {topic.number for topic in content.topics})}
    else:
        table.fault(None, 'says nothing; write depth = 10 to pool the runs, or path = "…" of a list')
    table.close()
    return sources
