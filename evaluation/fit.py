"""Whether runs fit judgments: topics and documents that are in one alone, the likeliest cause, and the order.

Scores of a run that does not fit the judgments look like scores: a run with the ids of another collection has
the nDCG of a run that retrieves nothing relevant. `check` says beforehand what is in both.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import polars as pl

from .conventions import Negative
from .coverage import FEW_JUDGED
from .errors import shown
from .frames import Gains
from .options import checked
from .runs import Run, Runs
from .showing import counted, short_repr
from .sources import Source

TOP: Final = 10
"""The depth, besides that of the run, to which the share of judged documents is given."""
_KEYS: Final = ("topic_id", "document_id")
SPELLINGS: Final[dict[str, Callable[[str], str]]] = {
    "upper and lower case differ": str.casefold,
    "one of them has white space at its ends": str.strip,
    "one of them has zeros at its beginning": lambda name: name.lstrip("0"),
    "one of them has a prefix": lambda name: re.split(r"[:/_#\s-]", name)[-1],
    "one of them has a suffix": lambda name: re.split(r"[.#]", name)[0],
    "one of them has an ending of letters or punctuation": lambda name: re.sub(r"\W+", "", name),
}
"""How ids of the same thing can be spelt in two ways, each with what makes them alike."""


@dataclass(frozen=True)
class Finding:
    """What was found of a run, or of the qrels if `run` is empty.

    `code` names the kind of finding, `text` is a sentence without a full stop, and `count` is the number of
    topics or documents that it is about. A warning means that scores can mislead.
    """

    code: str
    run: str
    text: str
    count: int = 0
    is_warning: bool = True

    def __str__(self) -> str:
        return f"{self.run or 'qrels'}: {'warning: ' if self.is_warning else ''}{self.text}"


@short_repr
@dataclass(frozen=True)
class Fit:
    """What `check` has found, the qrels first, then the runs in their order."""

    findings: tuple[Finding, ...]

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings without which scores can mislead."""
        return tuple(finding for finding in self.findings if finding.is_warning)

    def sentences(self) -> list[str]:
        """Return one sentence for each finding."""
        return [*map(str, self.findings)]


@checked
def check(qrels: Source, runs: Source, *, negative: Negative = "error") -> Fit:
    """Return what can make scores of these runs by these judgments misleading.

    `qrels` can be anything that `Gains` accepts, and `runs` anything that `Runs` accepts. Raise `InputError`
    for arguments that cannot be read, such as a run that retrieves a document twice for a topic.

    Example: `check("qrels.txt", ["bm25.run"]).warnings`.
    """
    gains = Gains(qrels, negative=negative)
    findings = [*_of_qrels(gains)]
    for run in Runs(runs):
        findings += _of_run(gains, run)
    return Fit(tuple(findings))


def _of_qrels(gains: Gains) -> Iterator[Finding]:
    table = gains.table
    topics, judged = table["topic_id"].n_unique(), table.select(_KEYS).n_unique()
    relevant = table.filter(pl.col("gain") > 0).select(_KEYS).n_unique()
    yield Finding(
        "qrels",
        "",
        f"{counted(topics, 'topic')}, {counted(judged, 'judged document')}, {relevant:,} of them with a gain",
        judged,
        is_warning=False,
    )
    if relevant == judged and judged:
        yield Finding(
            "positives-only",
            "",
            "no document has a judged value of 0, so bpref and infAP say nothing: they need judged documents "
            "that are not relevant",
            judged,
        )


def _of_run(gains: Gains, run: Run) -> Iterator[Finding]:
    tag, retrieved, judged = run.tag, run.table, gains.table.select(_KEYS).unique()
    known = pl.col("topic_id").is_in(judged["topic_id"].unique().implode())
    in_both = retrieved.filter(known)
    yield _size(run)
    without = retrieved.filter(~known)["topic_id"].unique(maintain_order=True)
    if in_both.is_empty():
        cause = _cause(retrieved["topic_id"], judged["topic_id"])
        yield Finding("no-topic-judged", tag, f"no topic of the run is judged: {cause}", len(without))
        return
    if len(without):
        text = f"topics without judgments, which scores leave out: {_some(without)}"
        yield Finding("topics-not-judged", tag, text, len(without))
    absent = judged["topic_id"].unique().sort()
    absent = absent.filter(~absent.is_in(retrieved["topic_id"].unique().implode()))
    if len(absent):
        text = f"judged topics without a list, which count as 0: {_some(absent)}"
        yield Finding("topics-not-answered", tag, text, len(absent))
    yield from _of_documents(tag, in_both, judged)
    yield from _of_order(tag, in_both)


def _size(run: Run) -> Finding:
    depths = run.table.group_by("topic_id").len()["len"].to_list()
    least, most = min(depths, default=0), max(depths, default=0)
    depth = counted(most, "document") if least == most else f"{least:,} to {most:,} documents"
    text = f"{counted(len(depths), 'topic')}, {depth} a topic"
    return Finding("run", run.tag, text, run.table.height, is_warning=False)


def _of_documents(tag: str, in_both: pl.DataFrame, judged: pl.DataFrame) -> Iterator[Finding]:
    found = in_both.join(judged.with_columns(pl.lit(True).alias("judged")), on=_KEYS, how="left")
    placed = found.with_columns(
        place=pl.col("score").rank("ordinal", descending=True).over("topic_id"),
        judged=pl.col("judged").fill_null(False),
    )
    number = int(placed["judged"].sum())
    if number == 0:
        cause = _cause(in_both["document_id"], judged["document_id"])
        yield Finding("no-document-judged", tag, f"no retrieved document is judged: {cause}", in_both.height)
        return
    top = placed.filter(pl.col("place") <= TOP)["judged"]
    share = top.sum() / len(top)
    text = f"{share:.0%} of the first {TOP} documents are judged, and {number / placed.height:.0%} of all"
    is_few = share < FEW_JUDGED
    if is_few:
        text += "; unjudged documents count as not relevant, so compare this run with care"
    yield Finding("judged-share", tag, text, number, is_warning=is_few)


def _of_order(tag: str, in_both: pl.DataFrame) -> Iterator[Finding]:
    scores = in_both.group_by("topic_id", maintain_order=True).agg(
        pl.col("score").n_unique().alias("different"),
        pl.col("score").cast(pl.Float32).n_unique().alias("in 32 bits"),
        pl.len().alias("number"),
        (pl.col("score").sort_by("rank") if "rank" in in_both.columns else pl.col("score")).alias("ordered"),
    )
    tied = scores.filter(pl.col("different") < pl.col("number"))["topic_id"]
    if len(tied):
        text = f"topics with documents of the same score, which trec_eval orders by their ids: {_some(tied)}"
        yield Finding("tied-scores", tag, text, len(tied))
    close = scores.filter(pl.col("in 32 bits") < pl.col("different"))["topic_id"]
    if len(close):
        text = f"topics with different scores that are equal in 32 bits, as trec_eval 9 reads: {_some(close)}"
        yield Finding("close-scores", tag, text, len(close))
    if "rank" in in_both.columns:
        rises = pl.col("ordered").list.diff().list.max() > 0
        against = scores.filter(rises.fill_null(False))["topic_id"]
        if len(against):
            text = f"topics in which a later rank has a higher score; scores decide: {_some(against)}"
            yield Finding("ranks-against-scores", tag, text, len(against))


def _cause(ours: pl.Series, theirs: pl.Series) -> str:
    """Return the likeliest reason why no id of the run is an id of the qrels, with an example of each."""
    run_ids, qrels_ids = (list(dict.fromkeys(ids.to_list())) for ids in (ours, theirs))
    for reason, alike in SPELLINGS.items():
        known = {alike(name): name for name in reversed(qrels_ids) if alike(name)}
        if found := next((name for name in run_ids if alike(name) in known), None):
            return f"{reason} ({shown(found)} in the run, {shown(known[alike(found)])} in the qrels)"
    if not run_ids or not qrels_ids:
        return "one of them is empty"
    return (
        f"the ids look like those of another collection ({shown(run_ids[0])} in the run, "
        f"{shown(qrels_ids[0])} in the qrels)"
    )


def _some(names: pl.Series, limit: int = 5) -> str:
    listed = ", ".join(names.head(limit).to_list()) + (", …" if len(names) > limit else "")
    return f"{len(names)} ({listed})"
