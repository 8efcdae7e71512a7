"""Compute reports in a test, and read numbers from pages and files."""

import csv
import io
import re
from html.parser import HTMLParser
from typing import Any

from django.test import Client

from judging.core.clock import now
from judging.core.jobs.running import run
from judging.models import Job, ReportKind, Study
from judging.understanding.jobs.reporting import make_reports
from judging.understanding.services.reports import request_report
from tests.support.html import compact


def make(study: Study, kind: ReportKind, **parameters: Any) -> Job:
    """Compute a report inside the transaction of a test, which never commits and so never starts a job."""
    job = request_report(study=study, kind=kind, parameters=parameters, now=now())
    run(job.pk, make_reports)
    job.refresh_from_db()
    return job


def base(study: Study) -> str:
    return f"/console/studies/{study.slug}/understanding/"


def text_of(console: Client, address: str) -> str:
    answer = console.get(address)
    assert answer.status_code == 200, address
    return compact(answer.content.decode())


def states_of_figures(console: Client, study: Study) -> dict[str, str]:
    """Return name of a figure → "made", "possible" or "missing", from the list of figures."""
    listed = text_of(console, f"{base(study)}figures/")
    return dict(re.findall(r'data-figure="([^"]+)" data-state="([^"]+)"', listed))


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[Any]]] = []
        self.charts: dict[str, list[list[Any]]] = {}
        self.inside = False
        self.chart = ""
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "figure" and "data-chart" in given:
            self.chart = given["id"] or ""
        if tag == "a":
            self.links.append(given["href"] or "")
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.inside = True
        elif tag == "data" and self.inside:
            self.tables[-1][-1][-1] = float(given["value"] or "nan")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.inside = False
        if tag == "figure":
            self.chart = ""
        if tag == "table" and self.chart:
            self.charts[self.chart] = self.tables.pop()

    def handle_data(self, data: str) -> None:
        if self.inside and isinstance(self.tables[-1][-1][-1], str):
            self.tables[-1][-1][-1] += data.strip()


def tables_in(text: str) -> list[list[list[Any]]]:
    """Return the bodies of a page's tables, without those of charts; numbers are exact."""
    parser = _Tables()
    parser.feed(text)
    return [table[1:] for table in parser.tables]


def charts_in(text: str) -> dict[str, list[list[Any]]]:
    """Return id of a chart → the body of its table; numbers are exact, from the values of their elements."""
    parser = _Tables()
    parser.feed(text)
    return {name: table[1:] for name, table in parser.charts.items()}


def links_in(text: str) -> list[str]:
    """Return where the links of a page lead, in order."""
    parser = _Tables()
    parser.feed(text)
    return parser.links


def csv_of(console: Client, address: str) -> list[list[str]]:
    answer = console.get(address)
    assert answer.status_code == 200, address
    assert answer["Content-Disposition"].startswith("attachment;")
    lines = b"".join(answer.streaming_content).decode()
    return list(csv.reader(io.StringIO(lines)))


def numbers(row: list[Any], places: slice) -> list[float | None]:
    """Return the cells of a row as numbers; None for a dash or an empty cell."""
    return [None if cell in ("", "–") else float(cell) for cell in row[places]]
