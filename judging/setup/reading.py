"""A set-up read whole, as an import reads a study file: what was understood, and every fault.

What was understood is written into the study at once, so that anchors can be chosen among pooled documents
before all is right. While there is a fault the study cannot open.
"""

from itertools import accumulate
from pathlib import Path
from typing import Final, TypedDict

import polars as pl
from django.db import transaction

from judging.core.intake.assemble import assemble
from judging.core.intake.content import Progress, StudyContent, TopicContent, no_progress
from judging.core.intake.faults import Fault, Faults, Where
from judging.core.intake.grades import count_meanings
from judging.core.intake.readers.runs import first_documents
from judging.core.intake.study_values import Places, setup_values
from judging.core.intake.tables import Table
from judging.core.selectors.attempts import begun
from judging.core.services.deleting import clear_contents
from judging.core.stored_sentences import StoredSentence, to_json
from judging.models import Setup, Topic
from judging.protocol.setup_files import FileKind
from judging.setup.making import still_set_up
from judging.setup.steps import step_of
from judging.setup.study_files.comparing import Comparison
from judging.setup.study_files.updating import frozen_pools
from judging.setup.study_files.writing import Writer

DEPTHS: Final = 100
"""Pools are counted for every depth up to this one."""
_START: Final = 300


class FaultFound(TypedDict):
    """A fault with the step that mends it; `place` is a topic, a file, or empty."""

    step: str
    place: str
    line: int | None
    field: str
    what: StoredSentence


class AnchorFound(TypedDict):
    id: str
    words: int


class TopicFound(TypedDict):
    """`others`: documents beside the anchors; `depths`: the same if the runs were pooled to each depth."""

    number: str
    title: str
    others: int
    depths: list[int]
    anchors: dict[str, AnchorFound]
    anchor_warnings: list[StoredSentence]


class RunFound(TypedDict):
    """`documents`: lines of the run, cut to the topics of the study."""

    tag: str
    file: str
    topics: int
    documents: int


class GradesFound(TypedDict):
    """`values`: value, grade and number of documents."""

    name: str
    topics: int
    values: list[tuple[str, str, int]]
    unlisted: str


class DocumentFound(TypedDict):
    id: str
    title: str
    start: str
    words: int


class DocumentsFound(TypedDict):
    read: int
    pooled: int
    first: list[DocumentFound]


class Reading(TypedDict, total=False):
    """What a check found, as JSON: see `read_setup`. Empty before the first check."""

    version: int
    depth: int | None
    faults: list[FaultFound]
    missing: list[str]
    counts: dict[str, int]
    more: int
    notices: list[StoredSentence]
    topics: list[TopicFound]
    shared: list[int]
    runs: list[RunFound]
    grades: list[GradesFound]
    documents: DocumentsFound


def read_setup(setup: Setup, *, progress: Progress = no_progress) -> Reading:
    """Read all that a set-up says, write what was understood into its study, and return what a page shows.

    `version` and `depth` are those that were read. `faults`: step, place, line, field, what. `missing`: what
    nobody has given yet. `counts`: step → how many faults it has in all, and `more` how many of them are not
    told. The rest says what was understood: `topics`, `documents`, `grades`, `runs`, and `shared`, for each
    depth how many pooled documents two runs or more agree on.
    """
    faults = Faults()
    content = assemble_setup(setup, faults, progress)
    study = setup.study.changes_to
    if study is not None and not faults.count and begun(study):
        Comparison(study, content, faults).compare()
    missing = missing_parts(setup)
    told = [fault for fault in faults.listed if not _says_what_is_missing(fault, missing)]
    hidden = len(faults.listed) - len(told)
    _write(setup, content, sound=not faults.count, progress=progress)
    counts: dict[str, int] = dict.fromkeys(map(_step_of_missing, missing), 0)
    for part in missing:
        counts[_step_of_missing(part)] += 1
    for (file, field), number in faults.counts.items():
        step = step_of(_relative(file, setup.folder), field)
        counts[step] = counts.get(step, 0) + number
    if hidden:
        counts["files"] -= hidden
    understood = _understood(content)
    found: Reading = {
        "version": setup.version,
        "depth": setup.pool_depth,
        "faults": [_plain(fault, setup.folder) for fault in told],
        "missing": missing,
        "counts": {step: number for step, number in counts.items() if number},
        "more": faults.more,
        "notices": [to_json(notice, without=f"{setup.folder}/") for notice in content.notices],
    }
    return {**found, **understood}


def assemble_setup(setup: Setup, faults: Faults, progress: Progress = no_progress) -> StudyContent:
    """Read what a set-up says, by the readers of study files; it is whole only if `faults` stayed empty."""
    values = setup_values(setup)
    top = Table(values, Places(values), faults)
    top.text("slug")
    study = setup.study.changes_to
    frozen = frozen_pools(study) if study else {}
    return assemble(top, setup.folder, frozen=frozen, progress=progress, enclosed=True)


def missing_parts(setup: Setup) -> list[str]:
    """Return which of documents, topics and pool nobody has given yet."""
    kinds = set(setup.files.values_list("kind", flat=True))
    there = {
        "documents": FileKind.DOCUMENTS in kinds,
        "topics": Topic.objects.filter(study=setup.study).exists(),
        "pool": setup.pool_depth is not None or FileKind.POOL in kinds,
    }
    return [part for part, given in there.items() if not given]


def _says_what_is_missing(fault: Fault, missing: list[str]) -> bool:
    first = fault.field.partition(".")[0] or "topics"
    return not fault.where.file and first in missing


def _step_of_missing(part: str) -> str:
    return "topics" if part == "topics" else "files"


def _relative(file: str, folder: Path) -> str:
    return file.removeprefix(f"{folder}/")


def _plain(fault: Fault, folder: Path) -> FaultFound:
    """Return a fault without the server's folder in it."""
    where = fault.where if fault.where.line else Where.parsed(fault.where.file)
    place = _relative(where.file, folder)
    return {
        "step": step_of(place, fault.field),
        "place": place,
        "line": where.line,
        "field": fault.field,
        "what": to_json(fault.message, without=f"{folder}/"),
    }


@transaction.atomic
def _write(setup: Setup, content: StudyContent, *, sound: bool, progress: Progress) -> None:
    """Write the pools, grades and runs that were understood, unless the set-up was changed meanwhile.

    Nor if the study was opened: its units are planned from what stands there, and workers hold them.
    """
    stored = still_set_up(setup)
    if stored is None or stored.version != setup.version:
        return
    study = stored.study
    clear_contents(study)
    writer = Writer(study, content, progress)
    topics = {topic.number: topic for topic in Topic.objects.filter(study=study)}
    writer.write_contents([topic for topic in content.topics if topic.number in topics], topics)
    writer.write_runs()
    stored.read_version = setup.version if sound else None
    stored.save(update_fields=["read_version"])


def _understood(content: StudyContent) -> Reading:
    heads = [first_documents(run.frame, DEPTHS) for run in content.runs]
    ranks = {topic.number: _ranks(topic.number, heads) for topic in content.topics}
    seconds = (
        found[1]
        for topic in content.topics
        for document, found in ranks[topic.number].items()
        if len(found) > 1 and document not in topic.anchors.values()
    )
    return {
        "topics": [_topic(content, topic, ranks[topic.number]) for topic in content.topics],
        "shared": _cumulated(list(seconds)) if heads else [],
        "runs": [_run(run.tag, run.frame.origin.path or "", run.frame.table) for run in content.runs],
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
    """Return document → the ranks that the runs give it, best first."""
    found: dict[str, list[int]] = {}
    for head in heads:
        for rank, document in enumerate(head.get(topic, ()), start=1):
            found.setdefault(document, []).append(rank)
    return {document: sorted(ranks) for document, ranks in found.items()}


def _cumulated(ranks: list[int]) -> list[int]:
    """Return how many of the ranks are at most 1, 2, … DEPTHS."""
    counts = [0] * DEPTHS
    for rank in ranks:
        counts[rank - 1] += 1
    return list(accumulate(counts))


def _topic(content: StudyContent, topic: TopicContent, ranks: dict[str, list[int]]) -> TopicFound:
    anchors = {grade.value: _anchor(content, document) for grade, document in topic.anchors.items()}
    entering = [found[0] for document, found in ranks.items() if document not in topic.anchors.values()]
    return {
        "number": topic.number,
        "title": topic.title,
        "others": len(topic.pool) - len(anchors),
        "depths": _cumulated(entering) if ranks else [],
        "anchors": anchors,
        "anchor_warnings": [to_json(warning) for warning in topic.anchor_warnings],
    }


def _anchor(content: StudyContent, document: str) -> AnchorFound:
    found = content.documents.get(document)
    return {"id": document, "words": _words(found.text) if found else 0}


def _run(tag: str, path: str, table: pl.DataFrame) -> RunFound:
    return {
        "tag": tag,
        "file": Path(path).name,
        "topics": table["topic_id"].n_unique(),
        "documents": table.height,
    }


def _grade_set(content: StudyContent, place: int) -> GradesFound:
    grades = content.grade_sets[place]
    return {
        "name": grades.name,
        "topics": len(grades.grades),
        "values": count_meanings(grades),
        "unlisted": grades.unlisted.value if grades.unlisted else "",
    }


def _words(text: str) -> int:
    return len(text.split())
