"""Check a set-up: read it in the same way as a study file, and return its contents and all problems.

The contents are written into the study at once, even if there are problems, so that a researcher can choose
anchors from the pools. The study cannot open while there are problems.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import Final, NotRequired, TypedDict, cast

import polars as pl
from django.db import transaction

from judging.core.clock import now
from judging.core.documents.plain import count_words, shown_text
from judging.core.faults import Fault, Faults, Where
from judging.core.selectors.attempts import has_begun
from judging.core.services.deleting import clear_contents
from judging.core.stored_sentences import StoredSentence, to_json
from judging.core.study_imports import Progress, no_progress
from judging.models import Setup, Topic
from judging.protocol.anchor_proposals import (
    RunProposal,
    propose_from_other_topics,
    propose_from_runs,
)
from judging.protocol.setup_files import FileKind
from judging.protocol.states import Grade
from judging.setup.intake.assemble import assemble
from judging.setup.intake.content import FrozenPools, StudyContent, TopicContent
from judging.setup.intake.grades import count_meanings
from judging.setup.intake.readers.runs import first_documents
from judging.setup.intake.study_values import Places, setup_values
from judging.setup.intake.toml_table import Table
from judging.setup.making import lock_setup
from judging.setup.steps import step_of
from judging.setup.study_files.comparing import Comparison
from judging.setup.study_files.updating import frozen_pools
from judging.setup.study_files.writing import Writer

DEPTHS: Final = 100
"""The largest depth for which the sizes of the pools are counted."""
_START: Final = 300


class FaultSummary(TypedDict):
    """A problem, and the step at which it can be fixed. `place` is a topic, a file, or empty."""

    step: str
    place: str
    line: int | None
    field: str
    what: StoredSentence


class AnchorSummary(TypedDict):
    id: str
    words: int


class ProposalSummary(TypedDict):
    """A document that was proposed as an anchor because of its ranks in runs: see `RunProposal`."""

    id: str
    ranks: dict[str, int]
    more: int
    top_of: NotRequired[str]


class TopicSummary(TypedDict):
    """A topic.

    `others` is the number of pooled documents besides the anchors. `depths` lists this number for each pool
    depth, starting with depth 1. `proposals` maps H and N to the documents that the runs propose. Topics with
    known grades, and topics whose anchors can no longer change, have no `proposals`.
    """

    number: str
    title: str
    others: int
    depths: list[int]
    anchors: dict[str, AnchorSummary]
    anchor_warnings: list[StoredSentence]
    proposals: NotRequired[dict[str, list[ProposalSummary]]]


class RunSummary(TypedDict):
    """A run. `documents` is the number of lines in the run that belong to topics of the study."""

    tag: str
    file: str
    topics: int
    documents: int


class GradesSummary(TypedDict):
    """A set of known grades. `values` lists (value, grade, number of documents) for each value."""

    name: str
    topics: int
    values: list[tuple[str, str, int]]
    unlisted: str


class DocumentSummary(TypedDict):
    id: str
    title: str
    start: str
    words: int


class DocumentsSummary(TypedDict):
    read: int
    pooled: int
    first: list[DocumentSummary]


class Reading(TypedDict, total=False):
    """The result of a check, in types that JSON supports: see `read_setup`.

    It is empty before the first check.
    """

    version: int
    depth: int | None
    faults: list[FaultSummary]
    missing: list[str]
    counts: dict[str, int]
    more: int
    notices: list[StoredSentence]
    topics: list[TopicSummary]
    shared: list[int]
    overlap: list[int]
    runs: list[RunSummary]
    grades: list[GradesSummary]
    documents: DocumentsSummary


def read_setup(setup: Setup, *, progress: Progress = no_progress) -> Reading:
    """Check a set-up, write its contents into the study, and return the result for the pages.

    In the result, `version` and `depth` are those of the set-up that was read. `missing` lists the parts that
    the set-up does not have yet. `counts` maps each step to the number of its problems. `faults` lists the
    problems, and `more` is the number of problems that the list omits. `topics`, `documents`, `grades`
    and `runs` describe the contents.

    `shared` and `overlap` do not count anchors. For each depth d from 1 to `DEPTHS`, `shared` has the number
    of documents that two or more runs retrieve in their first d ranks. Documents outside the pool are
    included. `overlap` lists how many pooled documents are retrieved by no run, by exactly one run, by
    exactly two runs, and so on. For `overlap`, each run is read down to the pool depth or, if the pool is a
    list, down to depth `DEPTHS`.
    """
    faults = Faults()
    study = setup.study.changes_to
    frozen = frozen_pools(study) if study else {}
    content = assemble_setup(setup, faults, progress, frozen=frozen)
    if study is not None and not faults.count and has_begun(study):
        Comparison(study, content, faults).compare()
    missing = missing_parts(setup)
    listed = [fault for fault in faults.listed if not _is_about_missing(fault, missing)]
    hidden = len(faults.listed) - len(listed)
    _write(setup, content, sound=not faults.count, now=now(), progress=progress)
    counts: dict[str, int] = dict.fromkeys(map(_step_of_missing, missing), 0)
    for part in missing:
        counts[_step_of_missing(part)] += 1
    for (file, field), number in faults.counts.items():
        step = step_of(_relative(file, setup.folder), field)
        counts[step] = counts.get(step, 0) + number
    if hidden:
        counts["files"] -= hidden
    reading: Reading = {
        "version": setup.version,
        "depth": setup.pool_depth,
        "faults": [_plain(fault, setup.folder) for fault in listed],
        "missing": missing,
        "counts": {step: number for step, number in counts.items() if number},
        "more": faults.more,
        "notices": [to_json(notice, without=f"{setup.folder}/") for notice in content.notices],
    }
    return {**reading, **_describe_contents(content, setup.pool_depth, frozen)}


def assemble_setup(
    setup: Setup, faults: Faults, progress: Progress = no_progress, *, frozen: FrozenPools | None = None
) -> StudyContent:
    """Read a set-up in the same way as a study file, and return its contents.

    If `faults` contains problems afterwards, the contents may be incomplete. `frozen` holds the pools that
    can no longer change. If `frozen` is None, the function looks these pools up.
    """
    values = setup_values(setup)
    top = Table(values, Places(values), faults)
    top.text("slug")
    study = setup.study.changes_to
    if frozen is None:
        frozen = frozen_pools(study) if study else {}
    return assemble(
        top,
        setup.folder,
        frozen=frozen,
        progress=progress,
        enclosed=True,
        waiting_topics=waiting_topic_files(setup),
    )


def waiting_topic_files(setup: Setup) -> list[str]:
    """Return the uploaded files of topics that are not imported yet, for example because of a fault."""
    used = set(setup.files.values_list("path", flat=True))
    return [name for name in setup.topic_files if name not in used and (setup.folder / name).is_file()]


def missing_parts(setup: Setup) -> list[str]:
    """Return which of `documents`, `topics` and `pool` the set-up does not have yet."""
    kinds = set(setup.files.values_list("kind", flat=True))
    is_present = {
        "documents": FileKind.DOCUMENTS in kinds,
        "topics": Topic.objects.filter(study=setup.study).exists(),
        "pool": setup.pool_depth is not None or FileKind.POOL in kinds,
    }
    return [part for part, present in is_present.items() if not present]


def _is_about_missing(fault: Fault, missing: list[str]) -> bool:
    table = fault.field.partition(".")[0] or "topics"
    return not fault.where.file and table in missing


def _step_of_missing(part: str) -> str:
    return "topics" if part == "topics" else "files"


def _relative(file: str, folder: Path) -> str:
    return file.removeprefix(f"{folder}/")


def _plain(fault: Fault, folder: Path) -> FaultSummary:
    """Return a problem in types that JSON supports, without the path of the server's folder."""
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
def _write(setup: Setup, content: StudyContent, *, sound: bool, now: datetime, progress: Progress) -> None:
    """Write the pools, grades and runs, unless the set-up has changed or the study has opened.

    An open study must keep its contents: its units are planned from them, and workers are judging those
    units.
    """
    stored = lock_setup(setup)
    if stored is None or stored.version != setup.version:
        return
    study = stored.study
    clear_contents(study)
    writer = Writer(study, content, progress, now=now)
    topics = {topic.number: topic for topic in Topic.objects.filter(study=study)}
    writer.write_contents([topic for topic in content.topics if topic.number in topics], topics)
    writer.write_runs()
    stored.read_version = setup.version if sound else None
    stored.save(update_fields=["read_version"])


def _describe_contents(content: StudyContent, depth: int | None, frozen: FrozenPools) -> Reading:
    deepest = depth or DEPTHS
    heads = [first_documents(run.frame, max(DEPTHS, deepest)) for run in content.runs]
    ranks = {topic.number: _ranks(topic.number, heads) for topic in content.topics}
    proposals = _proposals(content, ranks, deepest, frozen)
    retrieved_by = [
        sum(rank <= deepest for rank in ranks[topic.number].get(document, {}).values())
        for topic in content.topics
        for document in topic.pool - set(topic.anchors.values())
    ]
    return {
        "topics": [
            _topic(content, topic, ranks[topic.number]) | proposals.get(topic.number, cast(TopicSummary, {}))
            for topic in content.topics
        ],
        "shared": _cumulate(_second_ranks(content, ranks)) if heads else [],
        "overlap": _overlap(retrieved_by) if heads else [],
        "runs": [_run(run.tag, run.frame.origin.path or "", run.frame.table) for run in content.runs],
        "grades": [_grade_set(content, place) for place in range(len(content.grade_sets))],
        "documents": {
            "read": content.documents_read,
            "pooled": len(content.documents),
            "first": [
                {
                    "id": document.id,
                    "title": document.title,
                    "start": shown_text(document, content.fields["markup"])[:_START],
                    "words": count_words(document, content.fields["markup"]),
                }
                for document in content.first_read
            ],
        },
    }


Ranks = Mapping[str, Mapping[int, int]]
"""The ranks of the documents that runs retrieve for a topic.

Maps each document to a dict from the place of a run to the document's rank in that run.
"""


def _ranks(topic: str, heads: list[dict[str, dict[str, Where]]]) -> Ranks:
    ranks: dict[str, dict[int, int]] = {}
    for place, head in enumerate(heads):
        for rank, document in enumerate(head.get(topic, ()), start=1):
            ranks.setdefault(document, {})[place] = rank
    return ranks


def _second_ranks(content: StudyContent, ranks: Mapping[str, Ranks]) -> Iterable[int]:
    """Yield the second-best rank of each document that two or more runs retrieve. Skip anchors."""
    for topic in content.topics:
        for document, by_run in ranks[topic.number].items():
            if len(by_run) > 1 and document not in topic.anchors.values():
                yield sorted(by_run.values())[1]


def _cumulate(ranks: Iterable[int]) -> list[int]:
    """Return how many of the ranks are at most 1, at most 2, and so on up to `DEPTHS`."""
    counts = [0] * DEPTHS
    for rank in ranks:
        if rank <= DEPTHS:
            counts[rank - 1] += 1
    return list(accumulate(counts))


def _overlap(runs: list[int]) -> list[int]:
    """Return how often each whole number from 0 to the largest number in `runs` occurs in `runs`."""
    counts = [0] * (max(runs, default=-1) + 1)
    for number in runs:
        counts[number] += 1
    return counts


def _proposals(
    content: StudyContent, ranks: Mapping[str, Ranks], deepest: int, frozen: FrozenPools
) -> dict[str, TopicSummary]:
    """Return a dict from topic numbers to incomplete summaries that contain only `proposals`.

    Topics that need no proposals are left out.
    """
    proposed = {
        topic.number: _proposed_by_runs(content, topic, ranks[topic.number], deepest)
        for topic in content.topics
    }
    high = {number: [entry.document for entry in listed[Grade.H]] for number, listed in proposed.items()}
    retrieved = _retrieved(content, {document for documents in high.values() for document in documents})
    needing = {
        number: listed
        for number, listed in proposed.items()
        if number not in frozen and not content.is_graded(number)
    }
    for number, listed in needing.items():
        listed[Grade.N] = listed[Grade.N] or propose_from_other_topics(
            number, high, retrieved=retrieved.get(number, set())
        )
    return {
        number: cast(
            TopicSummary,
            {"proposals": {grade.value: [_proposal(entry) for entry in by] for grade, by in listed.items()}},
        )
        for number, listed in needing.items()
    }


def _proposed_by_runs(
    content: StudyContent, topic: TopicContent, ranks: Ranks, deepest: int
) -> dict[Grade, list[RunProposal]]:
    tags = [run.tag for run in content.runs]
    in_pool = {
        document: {tags[place]: rank for place, rank in ranks.get(document, {}).items() if rank <= deepest}
        for document in topic.pool
        if document in content.documents
    }
    return propose_from_runs(in_pool, runs=len({place for by_run in ranks.values() for place in by_run}))


def _retrieved(content: StudyContent, documents: set[str]) -> dict[str, set[str]]:
    """Return a dict from each topic to a set of documents.

    The set contains those of `documents` that at least one run retrieves for the topic, at any rank.
    """
    retrieved: dict[str, set[str]] = {}
    for run in content.runs:
        rows = run.frame.table.filter(pl.col("document_id").is_in(documents))
        for topic, document in rows.select("topic_id", "document_id").iter_rows():
            retrieved.setdefault(topic, set()).add(document)
    return retrieved


def _proposal(proposal: RunProposal) -> ProposalSummary:
    return {
        "id": proposal.document,
        "ranks": dict(proposal.ranks),
        "more": proposal.more,
        "top_of": proposal.top_of,
    }


def _topic(content: StudyContent, topic: TopicContent, ranks: Ranks) -> TopicSummary:
    anchors = {grade.value: _anchor(content, document) for grade, document in topic.anchors.items()}
    anchored = topic.anchors.values()
    best_ranks = [min(by_run.values()) for document, by_run in ranks.items() if document not in anchored]
    return {
        "number": topic.number,
        "title": topic.title,
        "others": len(topic.pool) - len(anchors),
        "depths": _cumulate(best_ranks) if ranks else [],
        "anchors": anchors,
        "anchor_warnings": [to_json(warning) for warning in topic.anchor_warnings],
    }


def _anchor(content: StudyContent, document: str) -> AnchorSummary:
    stored = content.documents.get(document)
    return {"id": document, "words": count_words(stored, content.fields["markup"]) if stored else 0}


def _run(tag: str, path: str, table: pl.DataFrame) -> RunSummary:
    return {
        "tag": tag,
        "file": Path(path).name,
        "topics": table["topic_id"].n_unique(),
        "documents": table.height,
    }


def _grade_set(content: StudyContent, place: int) -> GradesSummary:
    grades = content.grade_sets[place]
    return {
        "name": grades.name,
        "topics": len(grades.grades),
        "values": count_meanings(grades),
        "unlisted": grades.unlisted or "",
    }
