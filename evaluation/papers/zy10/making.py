"""Compute the tables and examples of [ZY10], from the paper's own numbers and for the runs of a study."""

from typing import Final

import polars as pl

from ...distances import WeakOrder, rho, tau_a
from ...frames import Gains
from ...report.building import Makers
from ...report.content import Content, Numbers
from ...report.data import ReportData
from ...runs import Run
from ...scores import score
from ...text import Text
from .example import PRINTED, SYSTEMS, agr, table_2
from .of_runs import add_means, add_table_2

RANKS: Final = ((1, 5, 4, 2, 3), (2, 1, 3, 4, 5))
"""Example 2: the ranks of five documents in two rankings."""
ORDERS: Final = (("d1", "d3", "d2", "d4"), ("d1", "d3", "d4", "d2"))
"""Example 3: four documents in the order of two rankings."""
RECALL_BASE: Final = {"d1": 3, "d2": 2, "d3": 1}
"""Example 5: the gains of the relevant documents. Each system retrieves only d2, at another rank."""
RANK_OF_D2: Final = {"rank 3": 3, "rank 5": 5}
_COMPARED: Final = Text("The printed values, and those of the formulas")


def _example_2(data: ReportData) -> Content:
    first, second = (
        WeakOrder.from_scores({f"d{number}": -rank for number, rank in enumerate(ranks, start=1)})
        for ranks in RANKS
    )
    content = Content(tables=[_compared("example-2", [("ρ", "", "−.3", rho(first, second))])])
    add_means(content, data, "example-2", distances=("rho",))
    return content


def _example_3(data: ReportData) -> Content:
    first, second = (WeakOrder.from_levels([[document] for document in order]) for order in ORDERS)
    content = Content(tables=[_compared("example-3", [("τ", "", ".67", tau_a(first, second))])])
    add_means(content, data, "example-3", distances=("tau_a", "tau_b"))
    return content


def _example_5(data: ReportData) -> Content:
    topic = "example"
    gains = Gains({topic: RECALL_BASE})
    runs = []
    for tag, rank in RANK_OF_D2.items():
        documents = [*(f"x{place}" for place in range(1, rank)), "d2"]
        runs.append(Run.from_columns(tag, [topic] * rank, documents, list(range(rank, 0, -1))))
    values = {(row.run, row.measure): row.value for row in score(gains, runs, ["WAP", "Q"]).means()}
    printed = {
        ("rank 3", "WAP"): ".11",
        ("rank 5", "WAP"): ".11",
        ("rank 3", "Q"): ".11",
        ("rank 5", "Q"): ".09",
    }
    rows = [(measure, tag, value, values[tag, measure]) for (tag, measure), value in printed.items()]
    content = Content(tables=[_compared("example-5", rows)])
    add_means(content, data, "example-5", measures=("WAP", "Q"))
    return content


def _table_2(data: ReportData) -> Content:
    computed = table_2()
    of_base = agr(in_ranking=False)
    columns: dict[str, list[str | float | None]] = {"measure": [*PRINTED, "agr [S04]"]}
    for place, tag in enumerate(SYSTEMS):
        columns[f"{tag}_printed"] = [*(printed[place] for printed in PRINTED.values()), None]
        columns[tag] = [*(computed[measure][place] for measure in PRINTED), of_base[place]]
    beside = Numbers("table-2-printed", _COMPARED, pl.DataFrame(columns))
    caption = Text("Table 2 from the paper’s own rankings")
    content = Content(tables=[Numbers("table-2", caption, computed), beside])
    add_table_2(content, data)
    return content


def _compared(key: str, rows: list[tuple[str, str, str, float | None]]) -> Numbers:
    """Return a table of printed values beside the values that the formulas give."""
    schema = {"measure": pl.String, "system": pl.String, "printed": pl.String, "formula": pl.Float64}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    if not table["system"].to_list()[0]:
        table = table.drop("system")
    return Numbers(key, _COMPARED, table, heads=len(table.columns) - 2)


MAKERS: Final[Makers] = {
    "example-2": _example_2,
    "example-3": _example_3,
    "example-5": _example_5,
    "table-2": _table_2,
}
"""The function that computes each item."""
