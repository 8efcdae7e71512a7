"""A study file taken in to be set up further: its settings, topics and the files that it names.

Unlike an import, nothing has to be complete yet. What is written has to be right: a fault refuses the whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judging.core.intake.faults import Faults, Where
from judging.core.intake.files import SourceFile
from judging.core.intake.grades import read_set_name
from judging.core.intake.paths import Paths
from judging.core.intake.readers.documents import READERS
from judging.core.intake.readers.grades import LEVELS
from judging.core.intake.readers.sgml import id_fault
from judging.core.intake.study_file import FieldReader, read_setting, slug_fault
from judging.core.intake.tables import Table, read_study_file
from judging.core.intake.topics import (
    LONGEST_NUMBER,
    LONGEST_REASON,
    LONGEST_TITLE,
    check_texts,
    topics_of_files,
)
from judging.protocol.checks.comprehension import OPTIONS
from judging.protocol.settings import SETTINGS, TEXTS, Kind
from judging.protocol.setup_files import FileKind
from judging.protocol.states import Grade
from judging.setup.study_files.importing import FILE_NAME


@dataclass
class DescribedTopic:
    """A topic as far as it is written; `right_option` is None while no option is the right one."""

    number: str
    title: str = ""
    description: str = ""
    narrative: str = ""
    question: str = ""
    options: list[str] = field(default_factory=list)
    right_option: int | None = None
    named_h: str = ""
    named_n: str = ""
    anchor_reason: str = ""


@dataclass
class DescribedFile:
    """A file that the study is read from; the fields are those of the model `SetupFile`."""

    kind: FileKind
    path: str
    encoding: str = ""
    format: str = ""
    name: str = ""
    levels: dict[str, str] = field(default_factory=dict)
    unlisted: str = ""


@dataclass
class Description:
    """`settings` are the fields of the model `Study`. `taken_in` are files that are not needed any more.

    `absent` are files of topics that are not in the folder.
    """

    slug: str
    settings: dict[str, Any]
    topics: list[DescribedTopic]
    files: list[DescribedFile]
    pool_depth: int | None
    taken_in: list[str]
    absent: list[str]


def read_description(folder: Path) -> Description:
    """Read the study file of a folder, and its topics.

    Raise StudyRefusedError, with a line for every fault, if anything in it cannot be taken over.
    """
    faults = Faults()
    top = read_study_file(folder / FILE_NAME, faults)
    faults.raise_if_any()
    assert top is not None
    description = describe(top, folder)
    faults.raise_if_any()
    return description


def describe(top: Table, folder: Path) -> Description:
    """Return what the tables of a study file say; it is whole only if `top.faults` stayed empty."""
    paths = Paths(folder, enclosed=True)
    reader = FieldReader(top, paths)
    reader.read()
    documents = top.table("documents")
    settings = {**reader.fields, "layout": read_setting(SETTINGS["layout"], documents)}
    absent = [path for path in _topic_paths(top) if _is_absent(paths, path)]
    topics, left_out = _topics(top, paths, read_files=not absent)
    _add_questions(top, topics, left_out)
    _add_anchors(top, topics, left_out)
    depth, pool_files = _pool(top.table("pool"), paths, folder)
    files = [
        *_document_files(documents, paths, folder),
        *pool_files,
        *_grade_files(top, paths, folder),
        *_run_files(top, paths, folder),
    ]
    slug = top.text("slug")
    if slug and (fault := slug_fault(slug)):
        top.fault("slug", fault)
    top.close()
    texts = [top.text(f"{setting.key}_file") for setting in TEXTS if setting.kind == Kind.MARKDOWN]
    return Description(
        slug=slug,
        settings=settings,
        topics=list(topics.values()),
        files=_once_each(files, top),
        pool_depth=depth,
        taken_in=[path for path in (*texts, *_topic_paths(top)) if path and path not in absent],
        absent=absent,
    )


def _topic_paths(top: Table) -> list[str]:
    if "topics" not in top:
        return []
    table = top.table("topics")
    return [table.text("path")] if table.is_text("path") else table.texts("path") or []


def _is_absent(paths: Paths, path: str) -> bool:
    source = paths.at(path, Where(""), "topics.path", Faults())
    return source is not None and not source.path.exists()


def _topics(top: Table, paths: Paths, *, read_files: bool) -> tuple[dict[str, DescribedTopic], set[str]]:
    topics: dict[str, DescribedTopic] = {}
    found, left_out = topics_of_files(top, paths) if read_files else ([], set())
    for one in found:
        check_texts(one, top.faults)
        topic = DescribedTopic(one.number, one.title, one.description, one.narrative)
        _add(topics, one.where, topic, top)
    for table in top.tables("topic"):
        topic = DescribedTopic(
            _number(table, "number"),
            title=table.text("title", longest=LONGEST_TITLE),
            description=table.text("description"),
            narrative=table.text("narrative"),
        )
        _ask(table, topic)
        table.close()
        _add(topics, table.where("number"), topic, top)
    return topics, left_out - topics.keys()


def _number(table: Table, key: str) -> str:
    number = table.text(key, needed=True)
    if number and (fault := id_fault(number, LONGEST_NUMBER)):
        table.fault(key, fault)
    return number


def _add(topics: dict[str, DescribedTopic], where: Where, topic: DescribedTopic, top: Table) -> None:
    if topic.number in topics:
        top.faults.add(where, "number", f"topic {topic.number} stands twice; delete one")
    topics.setdefault(topic.number, topic)


def _ask(table: Table, topic: DescribedTopic) -> None:
    """Give a topic the question of a table, as far as it is written."""
    if not any(key in table for key in ("question", "options", "answer")):
        return
    topic.question, answer = table.text("question"), table.text("answer")
    options = table.texts("options") or []
    if len(options) > OPTIONS:
        table.fault("options", f"there are {len(options)}; write at most {OPTIONS}")
        return
    topic.options = options + [""] * (OPTIONS - len(options))
    if answer and answer not in options:
        table.fault("answer", "is none of the options; repeat the right one word for word")
    topic.right_option = options.index(answer) if answer in options else None


def _add_questions(top: Table, topics: dict[str, DescribedTopic], left_out: set[str]) -> None:
    for table in top.tables("question"):
        number = _number(table, "topic")
        if number in left_out:
            table.pass_over()
        elif number:
            _ask(table, topics.setdefault(number, DescribedTopic(number)))
        table.close()


def _add_anchors(top: Table, topics: dict[str, DescribedTopic], left_out: set[str]) -> None:
    for table in top.tables("anchor"):
        number = _number(table, "topic")
        if number in left_out:
            table.pass_over()
        elif number:
            topic = topics.setdefault(number, DescribedTopic(number))
            topic.named_h, topic.named_n = table.text("H"), table.text("N")
            topic.anchor_reason = table.text("reason", longest=LONGEST_REASON)
            for grade, document in ((Grade.H, topic.named_h), (Grade.N, topic.named_n)):
                if document and (fault := id_fault(document)):
                    table.fault(grade, fault)
        table.close()


def _document_files(table: Table, paths: Paths, folder: Path) -> Iterator[DescribedFile]:
    form = table.choice("format", list(READERS), needed="path" in table)
    for source in paths.of(table, "path") if "path" in table else ():
        yield _file(FileKind.DOCUMENTS, source, folder, format=form)
    table.close()


def _pool(table: Table, paths: Paths, folder: Path) -> tuple[int | None, list[DescribedFile]]:
    by_depth = "depth" in table
    depth = table.whole("depth", 10, least=1, most=10_000) if by_depth else None
    files = []
    if "path" in table and by_depth:
        table.fault("path", "stands beside depth; keep one of the two")
    elif "path" in table and (source := paths.one(table, "path")):
        files.append(_file(FileKind.POOL, source, folder))
    table.close()
    return depth, files


def _grade_files(top: Table, paths: Paths, folder: Path) -> Iterator[DescribedFile]:
    names: set[str] = set()
    for table in top.tables("grades"):
        name = read_set_name(table, names)
        form = table.choice("format", list(LEVELS))
        levels = table.mapping("levels") or {}
        unlisted = table.choice("unlisted", [grade.value for grade in Grade])
        if source := paths.one(table, "path"):
            read_as = {"format": form, "name": name, "levels": levels, "unlisted": unlisted}
            yield _file(FileKind.GRADES, source, folder, **read_as)
        table.close()


def _run_files(top: Table, paths: Paths, folder: Path) -> Iterator[DescribedFile]:
    for table in top.tables("run"):
        if source := paths.one(table, "path"):
            yield _file(FileKind.RUN, source, folder)
        table.close()


def _file(kind: FileKind, source: SourceFile, folder: Path, **read_as: Any) -> DescribedFile:
    path, encoding = str(source.path.relative_to(folder)), "" if source.is_utf_8 else source.encoding
    return DescribedFile(kind, path, encoding, **read_as)


def _once_each(files: list[DescribedFile], top: Table) -> list[DescribedFile]:
    kept: dict[str, DescribedFile] = {}
    for file in files:
        if file.path in kept:
            top.faults.add(top.where(), file.kind, f"{file.path} is named twice; take one of the two out")
        kept.setdefault(file.path, file)
    return list(kept.values())
