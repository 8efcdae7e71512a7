"""The table of the runs in a result, the best first. On phones, each run is a card."""

from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from judging.core.pages.numbers import exact
from judging.core.pages.page_table import Column, ShownTable, Table
from judging.understanding.reports.stored_result import StoredResult

Row = dict[str, Any]
_DIFFERENCE = ("difference", "difference_low", "difference_high")


def run_table(request: HttpRequest, result: StoredResult) -> ShownTable:
    """Return the table: means, differences from the best run and from the baseline, p, wins and losses."""
    rows: list[Row] = result["summary"]["runs"]
    columns: list[Column[Row]] = [
        Column("", _("Run"), lambda row: row["run"], css="text"),
        Column("", result["about"][1], _with_interval("mean", "low", "high")),
    ]
    headings = {
        "": _("Difference from the best run"),
        "baseline_": _("Difference from {run}").format(run=result["summary"]["baseline"]),
    }
    for prefix, heading in headings.items():
        if any(row[f"{prefix}p"] is not None for row in rows):
            columns += _compared(prefix, heading)
    if any(row["judged_share"] is not None for row in rows):
        columns.append(Column("", _("Judged"), _judged_share))
    table = Table(request, columns, heading="runs", key="runs", of=_("runs"), css="runs", per_page=0)
    return table.at_hand(rows)


def _compared(prefix: str, heading: str) -> Iterator[Column[Row]]:
    """Yield the columns that compare a run with the best run or, with this prefix, with the baseline."""

    def counts(row: Row) -> SafeString | None:
        found = [row[f"{prefix}{name}"] for name in ("wins", "ties", "losses")]
        return None if found[0] is None else _from_left(" – ".join(map(str, found)))

    yield Column("", heading, _with_interval(*(f"{prefix}{name}" for name in _DIFFERENCE)))
    yield Column("", _("p, adjusted"), lambda row: exact(row[f"{prefix}adjusted"]))
    yield Column("", _("Wins – ties – losses"), counts)


def _from_left(text: str) -> SafeString:
    """Return numbers that stand from left to right, also on pages in Arabic."""
    return format_html('<bdi dir="ltr">{}</bdi>', text)


def _with_interval(value: str, low: str, high: str) -> Callable[[Row], SafeString | None]:
    """Return a function that writes a value of a row with its interval."""

    def cell(row: Row) -> SafeString | None:
        if row[value] is None:
            return None
        bounds = "" if row[low] is None else f" [{row[low]:.3f}, {row[high]:.3f}]"
        return _from_left(f"{row[value]:.3f}{bounds}".replace("-", "−"))

    return cell


def _judged_share(row: Row) -> str | None:
    return None if row["judged_share"] is None else f"{row['judged_share'] * 100:.0f} %"
