"""A draft read whole, as an import reads it, with nothing written: what was understood, and every fault."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from judging.intake.assemble import assemble
from judging.intake.content import ANCHORS, Progress, StudyContent, TopicContent, no_progress
from judging.intake.faults import Fault, Faults, Where
from judging.intake.grades import count_meanings
from judging.intake.importing import FILE_NAME
from judging.intake.readers.runs import first_documents
from judging.intake.study_file import read_slug
from judging.intake.tables import read_study_file
from judging.models import Study
from judging.selectors.readiness import small_pool, study_faults

DEPTHS: Final = 100
"""Pools are counted for every depth up to this one."""
_TEXTS: Final = ".texts"
_START: Final = 300
_MOST_CANDIDATES: Final = 200
"""Documents of a grade in the lists to choose anchors from."""

Reading = dict[str, Any]
"""What a check found, as JSON: see `read_draft`."""


def read_draft(
    folder: Path, *, taken: bool, now: datetime | None, progress: Progress = no_progress
) -> Reading:
    """Read the study file in a draft's folder; `taken`: another study has its name already.

    `faults` are those that an import would tell: file, line, field, what. `opening` is what would keep the
    study from opening. The rest says what was understood: `topics`, `documents`, `grades`, `runs`, and
    `shared`, for each depth how many pooled documents two runs or more agree on. The documents that could
    be anchors are laid beside, see `candidates`.
    """
    faults = Faults()
    top = read_study_file(folder / FILE_NAME, faults)
    if top is None:
        return {"faults": _faults(faults, folder), **_counted(faults, folder)}
    slug = read_slug(top, None, folder)
    if taken:
        top.fault("slug", f"there is a study named {slug} already; choose another name")
    content = assemble(top, folder / FILE_NAME, frozen={}, progress=progress, enclosed=True)
    _lay_candidates(content, folder)
    return {
        "faults": _faults(faults, folder),
        **_counted(faults, folder),
        "opening": _opening(content, now),
        "notices": [notice.replace(f"{folder}/", "") for notice in content.notices],
        **_understood(content),
    }


def candidates(folder: Path, place: int) -> list[dict[str, Any]]:
    """The pooled documents of a topic by its place: id, title, text, words, grade; those H and N first."""
    try:
        return list(json.loads((folder / _TEXTS / f"{place}.json").read_text(encoding="utf-8")))
    except FileNotFoundError:
        return []


def _faults(faults: Faults, folder: Path) -> list[dict[str, Any]]:
    return [_plain(fault, f"{folder}/") for fault in faults.kept]


def _counted(faults: Faults, folder: Path) -> dict[str, Any]:
    """`more`: how many lines are not told; `counts`: file, field and how many lines there are in all."""
    counts = [
        [file.removeprefix(f"{folder}/"), field, number] for (file, field), number in faults.counts.items()
    ]
    return {"more": faults.more, "counts": counts}


def _plain(fault: Fault, prefix: str) -> dict[str, Any]:
    """A fault without the server's folder in it."""
    where = fault.where if fault.where.line else Where.parsed(fault.where.file)
    what = " ".join(fault.told.replace(prefix, "").split())
    return {"file": where.file.removeprefix(prefix), "line": where.line, "field": fault.field, "what": what}


def _opening(content: StudyContent, now: datetime | None) -> list[str]:
    """What would keep it from opening beside faults: the sentences of `selectors.readiness`."""
    study = Study(**content.fields)
    short = [
        small_pool(topic.number, len(topic.pool) - 2, study.others_per_unit)
        for topic in content.topics
        if len(topic.anchors) == len(ANCHORS) and len(topic.pool) - 2 < study.others_per_unit
    ]
    return [*study_faults(study, now), *short]


def _understood(content: StudyContent) -> dict[str, Any]:
    heads = [first_documents(run.frame, DEPTHS) for run in content.runs]
    ranks = {topic.number: _ranks(topic.number, heads) for topic in content.topics}
    seconds = (
        found[1]
        for topic in content.topics
        for document, found in ranks[topic.number].items()
        if len(found) > 1 and document not in topic.anchors.values()
    )
    return {
        "left_out": sorted(content.left_out),
        "topics": [_topic(content, topic, ranks[topic.number]) for topic in content.topics],
        "shared": _cumulated(list(seconds)) if heads else [],
        "runs": [_run(run.tag, run.frame.origin.path, run.frame.table) for run in content.runs],
        "grades": [_grade_set(content, place) for place in range(len(content.grade_sets))],
        "documents": {
            "read": content.documents_read,
            "pooled": len(content.documents),
            "first": [
                {"id": one.id, "title": one.title, "start": one.text[:_START], "words": _words(one.text)}
                for one in content.first_read
            ],
        },
    }


def _ranks(topic: str, heads: list[dict[str, dict[str, Where]]]) -> dict[str, list[int]]:
    """Document → the ranks that the runs give it, best first."""
    found: dict[str, list[int]] = {}
    for head in heads:
        for rank, document in enumerate(head.get(topic, ()), start=1):
            found.setdefault(document, []).append(rank)
    return {document: sorted(ranks) for document, ranks in found.items()}


def _cumulated(ranks: list[int]) -> list[int]:
    """How many of the ranks are at most 1, 2, … DEPTHS."""
    counts = [0] * DEPTHS
    for rank in ranks:
        counts[rank - 1] += 1
    return list(accumulate(counts))


def _topic(content: StudyContent, topic: TopicContent, ranks: dict[str, list[int]]) -> dict[str, Any]:
    """`others`: documents beside the anchors; `depths`: the same if the runs were pooled to each depth."""
    anchors = {grade.value: _anchor(content, document) for grade, document in topic.anchors.items()}
    entering = [found[0] for document, found in ranks.items() if document not in topic.anchors.values()]
    return {
        "number": topic.number,
        "title": topic.title,
        "description": topic.description,
        "narrative": topic.narrative,
        "asked": topic.question is not None,
        "others": len(topic.pool) - len(anchors),
        "depths": _cumulated(entering) if ranks else [],
        "anchors": anchors,
        "anchor_warnings": topic.anchor_warnings,
    }


def _anchor(content: StudyContent, document: str) -> dict[str, Any]:
    found = content.documents.get(document)
    return {"id": document, "words": _words(found.text) if found else 0}


def _run(tag: str, path: str, table: Any) -> dict[str, Any]:
    return {
        "tag": tag,
        "file": Path(path).name,
        "topics": table["topic_id"].n_unique(),
        "documents": table.height,
    }


def _grade_set(content: StudyContent, place: int) -> dict[str, Any]:
    grades = content.grade_sets[place]
    return {
        "name": grades.name,
        "topics": len(grades.grades),
        "values": count_meanings(grades),
        "unlisted": grades.unlisted.value if grades.unlisted else "",
    }


def _words(text: str) -> int:
    return len(text.split())


def _lay_candidates(content: StudyContent, folder: Path) -> None:
    texts = folder / _TEXTS
    texts.mkdir(exist_ok=True)
    for place, topic in enumerate(content.topics):
        rows = list(_candidates(content, topic))
        beside = texts / f".{place}.new"
        beside.write_text(json.dumps(rows), encoding="utf-8")
        beside.rename(texts / f"{place}.json")


def _candidates(content: StudyContent, topic: TopicContent) -> Iterator[dict[str, Any]]:
    order = {"H": 0, "N": 1}
    graded = [(content.grade(topic.number, document), document) for document in topic.pool]
    listed: Counter[str | None] = Counter()
    for grade, document in sorted(graded, key=lambda pair: (order.get(pair[0] or "", 2), pair[1])):
        listed[grade] += 1
        if listed[grade] > _MOST_CANDIDATES:
            continue
        if (found := content.documents.get(document)) is not None:
            yield {
                "id": document,
                "title": found.title,
                "text": found.text,
                "layout": found.layout or content.fields["layout"],
                "words": _words(found.text),
                "grade": grade.value if grade else "",
            }
