"""The tables of [ZY10] for the runs of a study, which take the place of the paper's systems."""

from collections.abc import Sequence

import polars as pl

from ... import analyses
from ...distances import AGGREGATIONS
from ...report import needs
from ...report.content import Content, Numbers, titled
from ...report.data import ReportData
from ...report.of_measures import DISTANCES, preference_measures
from ...report.parts import lacks
from ...text import Text
from .example import PRINTED

NEEDS = (needs.judgments, needs.whole, needs.one_run)


def add_means(
    content: Content,
    data: ReportData,
    key: str,
    *,
    distances: Sequence[str] = (),
    measures: Sequence[str] = (),
) -> None:
    """Add a table for each set of gains with the mean of every run, or the reason why there is none."""
    if missing := lacks(NEEDS, data.facts):
        content.missing += missing[:1]
        return

    def add(name: str) -> None:
        scores = analyses.preference_scores(
            data.all_gains[name], data.runs, distances=distances, measures=measures
        )
        caption = titled(Text("The same for the runs of this study"), data.shown(name))
        note = Text("The means cover {topics} topics.", topics=len(scores.topics))
        table = analyses.preference_table(scores)
        content.tables.append(Numbers(f"{key}-runs-{data.number_of(name)}", caption, table, notes=(note,)))

    content.add_each(data.all_gains, add)


def add_table_2(content: Content, data: ReportData) -> None:
    """Add Table 2 for the runs of the study, once for each set of gains."""
    if missing := lacks(NEEDS, data.facts):
        content.missing += missing[:1]
        return
    collection = collection_size(data)

    def add(name: str) -> None:
        scores = analyses.preference_scores(
            data.all_gains[name],
            data.runs,
            distances=DISTANCES,
            measures=preference_measures(data, name),
            scale="minmax",
            N=collection,
        )
        table = analyses.preference_table(scores)
        headings = dict(zip(scores.measures, ("ndpm", "adm", *list(PRINTED)[:6]), strict=True))
        caption = titled(Text("Table 2 for the runs of this study"), data.shown(name))
        note = Text(
            "adm is the mean over the collection of {documents} documents that the judgments, the grades "
            "and the runs name, with the scores of the run and the gains scaled to the range from 0 to 1. "
            "ndcg is the mean over the first 100 ranks. The means cover {topics} topics.",
            documents=collection,
            topics=len(scores.topics),
        )
        wide = table.rename(headings).select("run", *PRINTED)
        content.tables.append(Numbers(f"table-2-runs-{data.number_of(name)}", caption, wide, notes=(note,)))

    content.add_each(data.all_gains, add)
    _add_combined(content, data)


def _add_combined(content: Content, data: ReportData) -> None:
    """Add a table of the runs by the workers' preferences, combined in several ways."""
    users = {"gains": data.gains} | {
        method: analyses.combine_preferences(data.judgments, method) for method in AGGREGATIONS
    }
    columns = []
    for method, gains in users.items():
        scores = analyses.preference_scores(gains, data.runs, measures=())
        columns.append(analyses.preference_table(scores).rename({scores.measures[0]: method}))
    table = columns[0]
    for column in columns[1:]:
        table = table.join(column, on="run", how="left", maintain_order="left")
    note = Text(
        "Each number is the mean ndpm, printed as 1 − NDPM, of a run. “gains” takes the order of the "
        "gains for the user’s preferences. “borda” and “copeland” combine the orders in the units, "
        "without comparing numbers from different units."
    )
    caption = Text("Runs by the combined preferences of the workers")
    content.tables.append(Numbers("table-2-combined", caption, table, notes=(note,)))


def collection_size(data: ReportData) -> int:
    """Return how many different documents the judgments, the known grades and the runs name."""
    tables = [data.judgments.table, *(gains.table for gains in data.known.values())]
    tables += [run.table for run in data.runs]
    return pl.concat([table.select("document_id") for table in tables])["document_id"].n_unique()
