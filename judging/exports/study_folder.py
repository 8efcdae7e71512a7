"""A stored study as a study file with the files it names: imported again, it makes an equal study.

What is written is what is stored: documents of the pools alone, the anchors by name, the grades and the runs
of the study's topics, and the pools by their depth where the runs give them so, else as lists. Retired topics
are left out, as nobody gets them any more.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from judging.exports.pool_depth import pool_depth
from judging.exports.writing import write_file
from judging.intake.toml_writer import toml_text
from judging.models import Document, GradeSet, KnownGrade, PoolDocument, Question, Ranking, Study, Topic
from judging.protocol.settings import SETTINGS, UNLIMITED
from judging.services.errors import RefusedError

FILE_NAME: Final = "study.toml"


def write_study_folder(
    study: Study, folder: Path, *, slug: str | None = None, changes: Mapping[str, Any] | None = None
) -> Path:
    """Write `study.toml` and its files into an empty folder; returns the study file's path.

    `slug` takes the place of the study's own, `changes` those of keys at the top of the file; None takes a
    key away. Raises RefusedError where the study cannot be said in a file.
    """
    topics = list(Topic.objects.filter(study=study, retired_at__isnull=True).order_by("place"))
    values = {**_fields(study, slug or study.slug), **(changes or {})}
    values["topic"] = [_topic(topic) for topic in topics]
    _write_lines(folder / "documents.jsonl", _documents(topics))
    values["documents"] |= {"format": "jsonl", "path": "documents.jsonl"}
    if (depth := pool_depth(study, topics)) is not None:
        values["pool"] = {"depth": depth}
    else:
        _write_lines(folder / "pool.txt", _pool(topics))
        values["pool"] = {"path": "pool.txt"}
    values["grades"] = list(_grades(study, topics, folder))
    values["run"] = list(_runs(study, topics, folder))
    values["anchor"] = [anchor for topic in topics if (anchor := _anchor(topic))]
    file = folder / FILE_NAME
    _write_lines(file, [toml_text({key: value for key, value in values.items() if value not in ([], None)})])
    return file


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    write_file(path, (line.encode() for line in lines))


def _fields(study: Study, slug: str) -> dict[str, Any]:
    values: dict[str, Any] = {"slug": slug}
    for setting in SETTINGS.values():
        value = getattr(study, setting.key)
        if value is None and setting.unlimited:
            value = UNLIMITED
        if value is not None:
            table = values.setdefault(setting.table, {}) if setting.table else values
            table[setting.key] = _said(value)
    return values


def _said(value: Any) -> Any:
    if isinstance(value, Decimal):
        return str(value)  # in quotes, an exact decimal
    return Decimal(repr(value)) if isinstance(value, float) else value


def _topic(topic: Topic) -> dict[str, Any]:
    values: dict[str, Any] = {
        key: getattr(topic, key) for key in ("number", "title", "description", "narrative")
    }
    if question := Question.objects.filter(topic=topic).first():
        values["question"], values["options"] = question.text, question.options
        values["answer"] = question.options[question.right_option]
    return values


def _documents(topics: list[Topic]) -> Iterator[str]:
    found = Document.objects.filter(pools__topic__in=topics).distinct().order_by("document_id")
    for document in found.iterator():
        values = {"id": document.document_id, "title": document.title, "text": document.text}
        if document.layout:
            values["layout"] = document.layout
        yield json.dumps(values, ensure_ascii=False) + "\n"


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
    return {"topic": topic.number, **dict(sorted(named.items())), **reason} if named else {}


def _grades(study: Study, topics: list[Topic], folder: Path) -> Iterator[dict[str, Any]]:
    for place, grades in enumerate(GradeSet.objects.filter(study=study).order_by("place"), start=1):
        known = KnownGrade.objects.filter(grade_set=grades, topic__in=topics)
        levels: dict[str, str] = {}
        for value, level in known.order_by().values_list("value", "level").distinct():
            if levels.setdefault(value, level) != level:
                raise RefusedError(
                    f"Study {study.slug} cannot be written to a study file: its grades {grades.name} have"
                    f" {value!r} for {levels[value]} and for {level}."
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


def _run_lines(tag: str, rankings: Any) -> Iterator[str]:
    for ranking in rankings.iterator():
        rows = zip(ranking.document_ids, ranking.ranks, ranking.scores, strict=True)
        for document, rank, score in rows:
            yield f"{ranking.topic.number} Q0 {document} {rank} {score!r} {tag}\n"
