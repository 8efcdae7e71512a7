"""Write a stored study as a study file with all files that it names.

Importing the study file creates a study with the same contents.

The files contain what is stored: the documents of the pools, the ids of the anchors, and the grades and runs
for the study's topics. If pooling the runs to some depth gives the stored pools, the study file has this
depth. Otherwise, it has the pools as a list. Retired topics are left out, because no worker gets them. A
set-up is written with its uploaded files.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any
from zipfile import ZipFile

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from judging.core.formats.packing import chunks_of, pack
from judging.core.formats.writing import write_file
from judging.core.services.errors import RefusedError
from judging.models import Document, GradeSet, KnownGrade, Picture, PoolDocument, Ranking, Setup, Study, Topic
from judging.protocol.anchor_pairs import Anchor
from judging.setup.intake.study_values import active_topics, setting_values, setup_values, topic_values
from judging.setup.study_files.arms import arm_values
from judging.setup.study_files.importing import FILE_NAME
from judging.setup.study_files.pool_depth import pool_depth
from judging.setup.study_files.toml_writer import toml_text
from judging.setup.study_files.uploads import names_in


def write_study_folder(
    study: Study, folder: Path, *, slug: str | None = None, changes: Mapping[str, Any] | None = None
) -> Path:
    """Write `study.toml` and its files into an empty folder, and return the path of the study file.

    If the study is an arm, write the study file of all its arms. `slug` replaces the slug of the study.
    `changes` maps top-level keys of the file to new values. A key whose new value is None is removed. Raise
    RefusedError if a study file cannot express the study.
    """
    front = study.entrance
    values = {**_stored_values(front, folder, slug or front.slug), **(changes or {})}
    return _write_study_file(folder, values)


def write_setup_folder(setup: Setup, folder: Path, *, slug: str | None = None) -> Path:
    """Write a set-up with its uploaded files, and return the path of the study file.

    Files are hard-linked if possible, which is safe because no file of a set-up ever changes.
    """
    for name in names_in(setup.folder):
        path, copy = setup.folder / name, folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        try:
            copy.hardlink_to(path)
        except OSError:
            copyfile(path, copy)
    return _write_study_file(folder, setup_values(setup, slug))


def zip_folder(folder: Path) -> IO[bytes]:
    """Return a zip of all files in a folder except hidden files. The same files give the same bytes.

    The zip is a temporary file, which is deleted when it is closed.
    """
    archive = TemporaryFile()  # noqa: SIM115 - the response closes it
    with ZipFile(archive, "w") as opened:
        for name in names_in(folder):
            with (folder / name).open("rb") as file:
                pack(opened, str(name), chunks_of(file))
    archive.seek(0)
    return archive


def zip_study(study: Study) -> IO[bytes]:
    """Return a stored study as a zip. Raise RefusedError if a study file cannot express the study."""
    with TemporaryDirectory() as folder:
        write_study_folder(study, Path(folder))
        return zip_folder(Path(folder))


def _write_study_file(folder: Path, values: Mapping[str, Any]) -> Path:
    file = folder / FILE_NAME
    _write_lines(file, [toml_text({key: value for key, value in values.items() if value not in ([], None)})])
    return file


def _stored_values(study: Study, folder: Path, slug: str) -> dict[str, Any]:
    if study.is_for_analysis:
        text = _(
            "Study {slug} is for analysis, so it has no set-up. To get a copy of the study, import its files"
            " or its bundle again."
        )
        raise RefusedError(text.format(slug=study.slug))
    topics = active_topics(study)
    values = setting_values(study, slug)
    values["topic"] = [topic_values(topic) for topic in topics]
    _write_pictures(study, folder)
    _write_lines(folder / "documents.jsonl", _documents(topics))
    values["documents"] |= {"format": "jsonl", "path": "documents.jsonl"}
    if (depth := pool_depth(study, topics)) is not None:
        pool: dict[str, Any] = {"depth": depth}
    elif study.is_sampled:
        text = _(
            "Plumbline cannot write study {slug} to a study file: its sample needs pools from runs, but its"
            " pools lack documents that its runs retrieve. Copy the study from its own files instead."
        )
        raise RefusedError(text.format(slug=study.slug))
    else:
        _write_lines(folder / "pool.txt", _pool(topics))
        pool = {"path": "pool.txt"}
    values["pool"] = {**pool, **values.get("pool", {})}
    values["grades"] = list(_grades(study, topics, folder))
    values["run"] = list(_runs(study, topics, folder))
    values["anchor"] = [anchor for topic in topics if (anchor := _anchor(topic))]
    values["arms"] = arm_values(study)
    return values


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    write_file(path, (line.encode() for line in lines))


def _documents(topics: list[Topic]) -> Iterator[str]:
    documents = Document.objects.filter(pools__topic__in=topics).distinct().order_by("document_id")
    for document in documents.iterator():
        values = {"id": document.document_id, "title": document.title, "text": document.text}
        own = {"layout": document.layout, "markup": document.markup, "sources": document.sources}
        values |= {name: value for name, value in own.items() if value}
        yield json.dumps(values, ensure_ascii=False) + "\n"


def _write_pictures(study: Study, folder: Path) -> None:
    for picture in Picture.objects.filter(study=study).iterator(chunk_size=10):
        path = folder / picture.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture.content)


def _pool(topics: list[Topic]) -> Iterator[str]:
    for topic in topics:
        pool = PoolDocument.objects.filter(topic=topic).order_by("document__document_id")
        for document in pool.values_list("document__document_id", flat=True):
            yield f"{topic.number} {document}\n"


def _anchor(topic: Topic) -> dict[str, str]:
    named = dict(
        PoolDocument.objects.filter(topic=topic)
        .exclude(anchor="")
        .values_list("anchor", "document__document_id")
    )
    reason = {"reason": topic.anchor_reason} if topic.anchor_reason else {}
    in_order = {anchor.value: named[anchor] for anchor in Anchor if anchor in named}
    return {"topic": topic.number, **in_order, **reason} if named else {}


def _grades(study: Study, topics: list[Topic], folder: Path) -> Iterator[dict[str, Any]]:
    for place, grades in enumerate(GradeSet.objects.filter(study=study).order_by("place"), start=1):
        known = KnownGrade.objects.filter(grade_set=grades, topic__in=topics)
        levels: dict[str, str] = {}
        for value, level in known.order_by().values_list("value", "level").distinct():
            if levels.setdefault(value, level) != level:
                text = _(
                    "Plumbline cannot write study {slug} to a study file: in the set of grades "
                    "{name}, the value {value} has two meanings, {first} and {second}."
                )
                raise RefusedError(
                    text.format(
                        slug=study.slug,
                        name=grades.name,
                        value=repr(value),
                        first=levels[value],
                        second=level,
                    )
                )
        if not levels:
            continue
        path = f"grades-{place}.txt"
        rows = known.order_by("topic__place", "document_id").values_list(
            "topic__number", "document_id", "value"
        )
        _write_lines(folder / path, (f"{topic} 0 {document} {value}\n" for topic, document, value in rows))
        yield {"name": grades.name, "path": path, "levels": dict(sorted(levels.items()))}


def _runs(study: Study, topics: list[Topic], folder: Path) -> Iterator[dict[str, str]]:
    for place, run in enumerate(study.runs.order_by("pk"), start=1):
        path = f"run-{place}.txt"
        rankings = Ranking.objects.filter(run=run, topic__in=topics).order_by("topic__place")
        if not rankings.exists():
            continue
        _write_lines(folder / path, _run_lines(run.tag, rankings.select_related("topic")))
        yield {"path": path}


def _run_lines(tag: str, rankings: QuerySet[Ranking]) -> Iterator[str]:
    for ranking in rankings.iterator():
        rows = zip(ranking.document_ids, ranking.ranks, ranking.scores, strict=True)
        for document, rank, score in rows:
            yield f"{ranking.topic.number} Q0 {document} {rank} {score!r} {tag}\n"
