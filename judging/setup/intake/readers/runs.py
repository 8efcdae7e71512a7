"""Read run files with `evaluation`, and keep only the topics of the study."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import polars as pl

from evaluation.files import read_run
from evaluation.order import sort_by_score
from evaluation.origin import Origin
from evaluation.runs import Run as RunFrame
from judging.core.faults import InputError, Where
from judging.core.storable import unstorable
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import RunContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.sgml import LONGEST_ID


@dataclass(frozen=True)
class RankedList:
    """The documents that a run retrieves for a topic, in the order in which the run file lists them."""

    document_ids: list[str]
    scores: list[float]
    ranks: list[int]


def read_study_run(
    source: SourceFile, topics: Collection[str], *, are_whole: bool = True
) -> tuple[RunContent | None, int]:
    """Return the run with only the study's topics, and the number of topics that are left out.

    A run without any of the study's topics is a fault. If `are_whole` is false, topics are missing from
    `topics`, so it is none.

    If the run cannot be read or stored, add a fault and return None and 0.
    """
    with source.faults.watch() as watch:
        if source.is_text_of():
            next(source.lines(), None)  # adds a fault, at the place in the study file, if it is unreadable
    if not watch.clean:
        return None, 0
    try:
        with source.in_utf_8() as path:
            frame = read_run(path)
            if frame.tag == PurePath(path).name:  # a table without tags, which can be a copy
                frame = RunFrame(frame, source.path.name)
    except InputError as error:
        if watch.clean:
            source.faults.add_input_error(error, "")
        return None, 0
    if not watch.clean:
        return None, 0
    table = frame.table.with_row_index("row")
    in_study = table.filter(pl.col("topic_id").is_in(list(topics)))
    if fault := _fault(frame, in_study, needs_topics=bool(topics) and are_whole):
        source.fault(1, "", fault)
        return None, 0
    origin = Origin(str(source.path), frame.origin.lines)
    return RunContent(frame.replaced(table=in_study, origin=origin), source.named_at), (
        table["topic_id"].n_unique() - in_study["topic_id"].n_unique()
    )


def _fault(frame: RunFrame, in_study: pl.DataFrame, *, needs_topics: bool) -> Sentence | None:
    """Return why a run cannot be stored, or None. `in_study` holds the rows for the study's topics."""
    if unstorable(frame.tag):
        return Sentence(_("The run's tag has a character that cannot be stored. Remove it."))
    if len(frame.tag) > LONGEST_ID:
        long_tag = _("The run's tag has {number} characters; the limit is {limit}. Shorten it.")
        return Sentence(long_tag, {"number": len(frame.tag), "limit": LONGEST_ID})
    if needs_topics and in_study.is_empty():
        return Sentence(
            _("The run has none of the study's topics. Use the study's topic numbers, or remove the run.")
        )
    if not in_study["score"].is_finite().all():
        return Sentence(
            _("The run has an infinite score for a topic of the study. Replace it with a finite number.")
        )
    if in_study["document_id"].str.contains("\0", literal=True).any():
        return Sentence(_("The run has a NUL character in a document id. Remove it."))
    longest = in_study["document_id"].str.len_chars().max()
    if isinstance(longest, int) and longest > LONGEST_ID:
        long_id = _("The run has a document id of {number} characters; the limit is {limit}. Shorten it.")
        return Sentence(long_id, {"number": longest, "limit": LONGEST_ID})
    return None


def first_documents(frame: RunFrame, depth: int) -> dict[str, dict[str, Where]]:
    """Return the first `depth` documents of each topic, each document with its line in the run file.

    Documents are ranked as in trec_eval.
    """
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
    """Return the documents of one topic, ranked as in `first_documents`."""
    table = pl.DataFrame({"document_id": document_ids, "score": scores})
    return sort_by_score(table)["document_id"].to_list()


def ranked_lists(frame: RunFrame) -> dict[str, RankedList]:
    """Return the run's list of documents for each topic. Each list keeps the order of the run file."""
    lists = frame.table.group_by("topic_id", maintain_order=True).agg(pl.col("document_id", "score", "rank"))
    return {topic: RankedList(ids, scores, _whole(ranks)) for topic, ids, scores, ranks in lists.iter_rows()}


def _whole(ranks: Sequence[float]) -> list[int]:
    return [int(rank) for rank in ranks]
