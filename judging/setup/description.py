"""Read a study file into a set-up: its settings, its topics and the files that it names.

Unlike a study file for an import, this file may be incomplete. But everything in it must be valid: the set-up
is refused if the file has any problem.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judging.core.faults import Faults, Where
from judging.core.study_imports import slug_fault
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.checks.comprehension import OPTIONS
from judging.protocol.markup import HEAD, picture_type
from judging.protocol.settings import TEXTS, Kind
from judging.protocol.setup_files import FileKind
from judging.protocol.states import Grade
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.column_maps import Column, read_format
from judging.setup.intake.datasets import is_dataset
from judging.setup.intake.files import SourceFile
from judging.setup.intake.grades import read_set_name
from judging.setup.intake.paths import Paths
from judging.setup.intake.readers.document_files import FORMATS
from judging.setup.intake.readers.grades import FORMATS as GRADE_FORMATS
from judging.setup.intake.readers.sgml import LONGEST_NUMBER, id_fault
from judging.setup.intake.study_file import FieldReader, read_document_settings
from judging.setup.intake.toml_file import read_study_file
from judging.setup.intake.toml_table import Table
from judging.setup.intake.topics import (
    LONGEST_REASON,
    LONGEST_TITLE,
    check_texts,
    read_named,
    topics_of_files,
)
from judging.setup.study_files.importing import FILE_NAME


@dataclass
class DescribedTopic:
    """A topic, which may be incomplete. `right_option` is None if no option is marked as right."""

    number: str
    title: str = ""
    description: str = ""
    narrative: str = ""
    question: str = ""
    options: list[str] = field(default_factory=list)
    right_option: int | None = None
    named: dict[Anchor, str] = field(default_factory=dict)
    anchor_reason: str = ""


@dataclass
class DescribedFile:
    """A file of the study, with the fields of the model `SetupFile`."""

    kind: FileKind
    path: str
    encoding: str = ""
    format: str = ""
    name: str = ""
    columns: dict[str, Column] = field(default_factory=dict)
    levels: dict[str, str] = field(default_factory=dict)
    unlisted: str = ""


@dataclass
class Description:
    """The contents of a study file.

    `settings` maps fields of the model `Study` to their values. `imported_files` are the paths of files that
    are no longer needed, because the description contains everything in them. `absent` are the paths of topic
    files that are not in the folder.
    """

    slug: str
    settings: dict[str, Any]
    topics: list[DescribedTopic]
    files: list[DescribedFile]
    pool_depth: int | None
    imported_files: list[str]
    absent: list[str]


def read_description(folder: Path) -> Description:
    """Return the contents of the study file in a folder, including its topics.

    Raise StudyRefusedError, with a line for each problem, if anything in the file is invalid.
    """
    faults = Faults()
    top = read_study_file(folder / FILE_NAME, faults)
    faults.raise_if_any()
    assert top is not None
    description = describe(top, folder)
    description.files += _picture_files(folder)
    faults.raise_if_any()
    return description


def describe(top: Table, folder: Path) -> Description:
    """Return the contents of a study file. The contents are complete only if `top.faults` stays empty."""
    paths = Paths(folder, enclosed=True)
    reader = FieldReader(top, paths)
    reader.read()
    documents = top.table("documents")
    settings = {**reader.fields, **read_document_settings(documents)}
    absent = [path for path in _topic_paths(top) if _is_absent(paths, path)]
    topics, left_out = _topics(top, paths, read_files=not absent)
    _add_questions(top, topics, left_out)
    _add_anchors(top, topics, left_out, settings["anchor_pairs"])
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
        files=_without_duplicates(files, top),
        pool_depth=depth,
        imported_files=[path for path in (*texts, *_topic_paths(top)) if path and path not in absent],
        absent=absent,
    )


def _topic_paths(top: Table) -> list[str]:
    if "topics" not in top:
        return []
    table = top.table("topics")
    return [table.text("path")] if table.is_text("path") else table.texts("path") or []


def _is_absent(paths: Paths, path: str) -> bool:
    source = paths.at(path, Where(""), "topics.path", Faults())
    return source is not None and not source.is_dataset and not source.path.exists()


def _topics(top: Table, paths: Paths, *, read_files: bool) -> tuple[dict[str, DescribedTopic], set[str]]:
    topics: dict[str, DescribedTopic] = {}
    contents, left_out = topics_of_files(top, paths) if read_files else ([], set())
    for content in contents:
        check_texts(content, top.faults)
        topic = DescribedTopic(content.number, content.title, content.description, content.narrative)
        _add_topic(topics, content.where, topic, top)
    for table in top.tables("topic"):
        topic = DescribedTopic(
            _number(table, "number"),
            title=table.text("title", longest=LONGEST_TITLE),
            description=table.text("description"),
            narrative=table.text("narrative"),
        )
        _add_question(table, topic)
        table.close()
        _add_topic(topics, table.where("number"), topic, top)
    return topics, left_out - topics.keys()


def _number(table: Table, key: str) -> str:
    number = table.text(key, needed=True)
    if number and (fault := id_fault(number, LONGEST_NUMBER)):
        table.fault(key, fault)
    return number


def _add_topic(topics: dict[str, DescribedTopic], where: Where, topic: DescribedTopic, top: Table) -> None:
    if topic.number in topics:
        text = _("The file has topic {topic} twice. Delete one of the two.")
        top.faults.add(where, "number", text, topic=topic.number)
    topics.setdefault(topic.number, topic)


def _add_question(table: Table, topic: DescribedTopic) -> None:
    """Add the question in a TOML table to a topic, even if the question is incomplete."""
    if not any(key in table for key in ("question", "options", "answer")):
        return
    topic.question, answer = table.text("question"), table.text("answer")
    options = table.texts("options") or []
    if len(options) > OPTIONS:
        text = _("There are {number} options; the limit is {limit}. Remove some.")
        table.fault("options", text, number=len(options), limit=OPTIONS)
        return
    topic.options = options + [""] * (OPTIONS - len(options))
    if answer and answer not in options:
        table.fault("answer", _("The answer is not one of the options. Copy the right option exactly."))
    topic.right_option = options.index(answer) if answer in options else None


def _add_questions(top: Table, topics: dict[str, DescribedTopic], left_out: set[str]) -> None:
    for table in top.tables("question"):
        number = _number(table, "topic")
        if number in left_out:
            table.pass_over()
        elif number:
            _add_question(table, topics.setdefault(number, DescribedTopic(number)))
        table.close()


def _add_anchors(top: Table, topics: dict[str, DescribedTopic], left_out: set[str], pairs: int) -> None:
    for table in top.tables("anchor"):
        number = _number(table, "topic")
        if number in left_out:
            table.pass_over()
        elif number:
            topic = topics.setdefault(number, DescribedTopic(number))
            topic.named = read_named(table, pairs, may_be_empty=True)
            topic.anchor_reason = table.text("reason", longest=LONGEST_REASON)
        table.close()


def _document_files(table: Table, paths: Paths, folder: Path) -> Iterator[DescribedFile]:
    form = read_format(table, "documents", FORMATS, needed="path" in table)
    for source in paths.files(table, "path") if "path" in table else ():
        yield _file(FileKind.DOCUMENTS, source, folder, format=form.name, columns=form.columns)
    table.close()


def _picture_files(folder: Path) -> Iterator[DescribedFile]:
    """Yield the pictures in the folder of a study, whose documents may name them."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not path.is_symlink() and not any(part.startswith(".") for part in name.parts):
            with path.open("rb") as file:
                if picture_type(file.read(HEAD)) is not None:
                    yield DescribedFile(FileKind.PICTURES, name.as_posix(), "")


def _pool(table: Table, paths: Paths, folder: Path) -> tuple[int | None, list[DescribedFile]]:
    table.pass_over("sample")  # the settings of the sample are read with all others
    by_depth = "depth" in table
    depth = table.whole("depth", 10, least=1, most=10_000) if by_depth else None
    files = []
    if "path" in table and by_depth:
        table.fault("path", _("The pool has both a path and a depth. Keep only one of the two."))
    elif "path" in table and (source := paths.file(table, "path")):
        files.append(_file(FileKind.POOL, source, folder))
    table.close()
    return depth, files


def _grade_files(top: Table, paths: Paths, folder: Path) -> Iterator[DescribedFile]:
    names: set[str] = set()
    for table in top.tables("grades"):
        name = read_set_name(table, names)
        form = read_format(table, "grades", GRADE_FORMATS)
        levels = table.mapping("levels") or {}
        unlisted = table.choice("unlisted", [grade.value for grade in Grade])
        if source := paths.file(table, "path"):
            read_as = {"format": form.name, "columns": form.columns, "levels": levels}
            yield _file(FileKind.GRADES, source, folder, name=name, unlisted=unlisted, **read_as)
        table.close()


def _run_files(top: Table, paths: Paths, folder: Path) -> Iterator[DescribedFile]:
    for table in top.tables("run"):
        if source := paths.file(table, "path"):
            yield _file(FileKind.RUN, source, folder)
        table.close()


def _file(kind: FileKind, source: SourceFile, folder: Path, **read_as: Any) -> DescribedFile:
    path = source.path if source.is_dataset else source.path.relative_to(folder)
    return DescribedFile(kind, str(path), "" if source.is_utf_8 else source.encoding, **read_as)


def _without_duplicates(files: list[DescribedFile], top: Table) -> list[DescribedFile]:
    by_path: dict[tuple[str, str], DescribedFile] = {}
    for file in files:
        key = (file.kind if is_dataset(file.path) else "", file.path)
        if key in by_path:
            text = _("The study file names {path} twice. Remove one of the two.")
            top.faults.add(top.where(), file.kind, text, path=file.path)
        by_path.setdefault(key, file)
    return list(by_path.values())
