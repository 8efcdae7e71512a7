"""Measures under other gain values, and with adjusted gains ([S04], Tables 6 to 9)."""

from dataclasses import replace
from typing import Final

import polars as pl

from ... import analyses
from ...analyses.schemes import W, with_scheme
from ...comparison import rankings, tau_b
from ...measures import Measure
from ...report.content import Content, Numbers
from ...report.data import ReportData
from ...report.of_reliability import BATTERY
from ...scores import score
from ...text import Text
from .battery import LEVELS, RELAXED_AP, best_runs, describe_runs, label, measure_subsets

ASSIGNMENTS: Final = {"3:2:1": W["w3"], "1:1:1": W["w1"], "10:5:1": W["w10"]}
"""The gain values of the highest, the middle and the lowest relevant grade, with their schemes."""
ADJUSTED: Final = "adjusted"
_GRADED: Final = tuple(measure for measure in BATTERY if label(measure).split()[0] not in LEVELS.values())
"""The measures of the battery that use gains: Q, R_measure and those at cut-offs."""


def gain_values(data: ReportData) -> Content:
    """Return a table for each gain assignment, and each set of known grades with the grades 0 to 3."""
    content = Content()
    content.add_each(data.graded, lambda name: _add_assignments(content, data, name))
    return content


def measures_of(assignment: str) -> dict[str, str]:
    """Return the full names of the measures under a gain assignment, or adjusted, by their short names."""
    scheme = ASSIGNMENTS.get(assignment, ASSIGNMENTS["3:2:1"])
    named: dict[str, Measure] = {label(measure): with_scheme(measure, scheme) for measure in _GRADED}
    if assignment == ADJUSTED:
        named = {
            short: replace(measure, given=(*measure.given, ("adjust", "agr")))
            for short, measure in named.items()
        }
    return {short: str(measure) for short, measure in named.items()}


def _add_assignments(content: Content, data: ReportData, name: str) -> None:
    named = {assignment: measures_of(assignment) for assignment in (*ASSIGNMENTS, ADJUSTED)}
    every = [RELAXED_AP, *(measure for measures in named.values() for measure in measures.values())]
    scores = score(data.known[name], best_runs(data), every)
    stable, discriminating = measure_subsets(data, scores)
    reliability = analyses.reliability_table(stable, discriminating)
    means = rankings(scores)
    note = Text(
        "“τ with AP” compares the ranking of the runs with that by relaxed AP, and “τ with 3:2:1” with "
        "that by the same measure under 3:2:1. The other columns are those of sections 4.1 and 4.2, in "
        "the same draws of topics for all tables."
    )
    for number, (assignment, measures) in enumerate(named.items(), start=1):
        rows = pl.DataFrame({"measure": list(measures), "full": list(measures.values())})
        taus = {
            "tau_with_AP": [tau_b(means[full], means[RELAXED_AP]) for full in measures.values()],
            "tau_with_3:2:1": [
                tau_b(means[full], means[named["3:2:1"][short]]) for short, full in measures.items()
            ],
        }
        columns = [pl.Series(column, values, dtype=pl.Float64) for column, values in taus.items()]
        table = (
            rows.join(reliability.rename({"measure": "full"}), on="full", how="left", maintain_order="left")
            .drop("full", "largest")
            .with_columns(columns)
        )
        caption = Text("Gain values {assignment}: {name}", assignment=assignment, name=name)
        key = f"tables-6-9-{data.number_of(name)}-{number}"
        notes = (note, describe_runs(data, scores))
        content.tables.append(Numbers(key, caption, table, notes=notes))
