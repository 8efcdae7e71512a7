"""Run files, read by `evaluation` and cut to the topics of the study."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from tempfile import NamedTemporaryFile

import polars as pl

from evaluation.files import read_run
from evaluation.frames import Run as RunFrame
from evaluation.order import sort_by_score
from judging.core.intake.content import RunContent
from judging.core.intake.faults import InputError, Where
from judging.core.intake.files import UTF_8, SourceFile
from judging.core.intake.readers.sgml import LONGEST_ID
from judging.core.intake.tables import unstorable


@dataclass(frozen=True)
class RankedList:
    """What a run answers to a topic, in the order of its file."""

    document_ids: list[str]
    scores: list[float]
    ranks: list[int]


def read_study_run(source: SourceFile, topics: Collection[str]) -> tuple[RunContent | None, int]:
    """The run, and how many topics of its file the study does not have; None and a fault if it is broken."""
    with source.faults.watch() as watch:
        next(source.lines(), None)  # a file that cannot be read is told where the study file names it
    if not watch.clean:
        return None, 0
    try:
        frame = _read_run(source)
    except InputError as error:
        if watch.clean:
            source.faults.add_input_error(error, "")
        return None, 0
    if not watch.clean:
        return None, 0
    table = frame.table.with_row_index("row")
    mine = table.filter(pl.col("topic_id").is_in(list(topics)))
    if fault := _fault(frame, mine, topics):
        source.fault(1, "", fault)
        return None, 0
    return RunContent(replace(frame, table=mine), source.named_at), (
        table["topic_id"].n_unique() - mine["topic_id"].n_unique()
    )


def _read_run(source: SourceFile) -> RunFrame:
    """The library reads UTF-8 alone: of a run in another encoding it is given a copy, line for line."""
    if source.is_utf_8:
        return read_run(source.path)
    with NamedTemporaryFile("w", encoding=UTF_8, suffix=".run") as copy:
        copy.writelines(f"{line}\n" for _, line in source.lines())
        copy.flush()
        try:
            frame = read_run(copy.name)
        except InputError as error:
            raise error.at(error.where.replace(copy.name, str(source.path), 1)) from None
    return replace(frame, origin=replace(frame.origin, path=str(source.path)))


def _fault(frame: RunFrame, mine: pl.DataFrame, topics: Collection[str]) -> str | None:
    if fault := unstorable(frame.tag) or (
        len(frame.tag) > LONGEST_ID and f"has over {LONGEST_ID} characters"
    ):
        return f"the tag {fault}"
    if topics and mine.is_empty():
        return "holds none of the study's topics; are they numbered alike? mend it or leave the run out"
    if not mine["score"].is_finite().all():
        return "holds an infinite score for a topic of the study; write finite ones"
    if mine["document_id"].str.contains("\0", literal=True).any():
        return "holds a NUL character in a document id; take it out"
    longest = mine["document_id"].str.len_chars().max()
    if isinstance(longest, int) and longest > LONGEST_ID:
        return f"holds a document id of {longest} characters; at most {LONGEST_ID} can be stored"
    return None


def first_documents(frame: RunFrame, depth: int) -> dict[str, dict[str, Where]]:
    """Topic → the first `depth` documents and their lines, as trec_eval ranks them."""
    heads = (
        sort_by_score(frame.table, "topic_id")
        .group_by("topic_id")
        .agg(pl.col("document_id", "row").head(depth))
    )
    return {
        topic: {
            document: Where.parsed(frame.origin.at(row))
            for document, row in zip(documents, rows, strict=True)
        }
        for topic, documents, rows in heads.iter_rows()
    }


def pooling_order(document_ids: Sequence[str], scores: Sequence[float]) -> list[str]:
    """One topic's documents in the order in which `first_documents` takes them."""
    table = pl.DataFrame({"document_id": document_ids, "score": scores})
    return sort_by_score(table)["document_id"].to_list()


def ranked_lists(frame: RunFrame) -> dict[str, RankedList]:
    """Topic → the list of the run, in the order of the file."""
    lists = frame.table.group_by("topic_id", maintain_order=True).agg(pl.col("document_id", "score", "rank"))
    return {topic: RankedList(ids, scores, _whole(ranks)) for topic, ids, scores, ranks in lists.iter_rows()}


def _whole(ranks: Sequence[float]) -> list[int]:
    return [int(rank) for rank in ranks]
