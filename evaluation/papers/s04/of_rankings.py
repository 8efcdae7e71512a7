"""How alike the measures rank the runs, and where nCG stops changing ([S04], section 2, Tables 4 and 5)."""

from functools import partial
from typing import Final

import polars as pl

from ... import analyses, figures
from ...comparison import correlation_matrix, rankings
from ...frames import Gains
from ...report.answers import MAGNITUDES
from ...report.content import Content, Drawn, Numbers, titled
from ...report.data import ReportData
from ...report.of_reliability import BATTERY
from ...runs import Run
from ...scores import score
from ...text import Text
from .battery import LABELS, battery_scores, describe_runs, label

CUTOFFS: Final = (10, 100, 1000)
_FOUND_AT: Final = (5, 1000)
"""The example of nCG: the ranks at which two runs retrieve one of five relevant documents."""


def freezing_of(data: ReportData) -> Content:
    """Return an example of two lists with the same nCG, and how many topics have complete ideal lists."""
    content = Content(tables=[_example_of_freezing()])
    rows = []
    for name, gains in data.all_gains.items():
        with_gain = gains.table.filter(pl.col("gain") > 0).group_by("topic_id").len()["len"]
        rows += [
            (data.shown(name), cutoff, int((with_gain <= cutoff).sum()), len(with_gain)) for cutoff in CUTOFFS
        ]
    schema = {"gains": pl.String, "cutoff": pl.Int64, "complete": pl.Int64, "topics": pl.Int64}
    note = Text(
        "“Complete” is the number of topics whose ideal list has all its gain at or before the cut-off. "
        "In these topics, nCG does not see at which ranks up to the cut-off a run has its documents."
    )
    caption = Text("Topics with complete ideal lists")
    table = pl.DataFrame(rows, schema=schema, orient="row")
    content.tables.append(Numbers("freezing", caption, table, heads=2, notes=(note,)))
    return content


def _example_of_freezing() -> Numbers:
    topic = "example"
    gains = Gains({topic: {f"d{number}": 1 for number in range(1, 6)}})
    runs = []
    for rank in _FOUND_AT:
        documents = [*(f"x{place}" for place in range(1, rank)), "d1"]
        scores = list(range(rank, 0, -1))
        runs.append(Run.from_columns(str(rank), [topic] * rank, documents, scores))
    names = [measure for measure in BATTERY if label(measure) in ("nCG@1000", "nDCG@1000")]
    means = rankings(score(gains, runs, names))
    table = pl.DataFrame({"rank": list(_FOUND_AT), **{label(name): means[name] for name in names}})
    caption = Text("One of five relevant documents of one grade, at two ranks")
    return Numbers("freezing-example", caption, table)


def taus_by_grades(data: ReportData) -> Content:
    """Return τ between the rankings of the runs by all measures, for each set of known grades."""
    content = Content()
    content.add_each(data.known, partial(_add_taus, content, data, "table-4"))
    return content


def taus_by_crowd(data: ReportData) -> Content:
    """Return τ between the rankings of the runs by the measures that use gains, for the crowd's gains."""
    content = Content()
    content.add_each([MAGNITUDES], partial(_add_taus, content, data, "table-5"))
    return content


def _add_taus(content: Content, data: ReportData, key: str, name: str) -> None:
    scores = battery_scores(data, name)
    table = analyses.correlation_table(correlation_matrix(rankings(scores)))
    caption = Text(
        "τ between {measures} measures: {name}", measures=len(scores.measures), name=data.shown(name)
    )
    notes = (
        Text("Each number is Kendall’s τ_b. There is no value if a measure ties all runs."),
        describe_runs(data, scores),
    )
    content.tables.append(Numbers(f"{key}-{data.number_of(name)}", caption, table, notes=notes))


def runs_by_ap(data: ReportData) -> Content:
    """Return the means of the runs by every measure, with the runs numbered by relaxed AP."""
    content = Content()

    def add(name: str) -> None:
        scores = battery_scores(data, name)
        changes = analyses.rank_changes(scores, by=LABELS[0])
        rises = analyses.inconsistencies(changes)
        place, shown = data.number_of(name), describe_runs(data, scores)
        caption = titled(Text("Number of rises for each measure"), name)
        content.tables.append(Numbers(f"rises-{place}", caption, rises, notes=(shown,)))
        draw = partial(figures.rank_changes, changes, by=LABELS[0], width="page")
        caption = titled(Text("Runs by relaxed AP"), name)
        content.figures.append(Drawn(f"runs-{place}", caption, (shown,), draw))

    content.add_each(data.known, add)
    return content
