"""Table 1 in the console holds what its export holds, cell by cell."""

import csv
import io
import re
from html import unescape

import pytest
from django.test import Client

from judging.archive.catalogue import EXPORTS, export_chunks
from judging.models import Study, Unit
from judging.protocol.checks import unit_checks
from judging.watching.services.curation import exclude_unit
from tests.factories import inverted, judge_unit, later, live_assignment, make_study, make_worker, send
from tests.site.test_studies import page
from tests.support.exports import export_lines

ADDRESS = "/console/studies/study/table1/"


@pytest.fixture
def judged(db: None) -> Study:
    """Units completed at once, after a failed try, and excluded ones; topics whose numbers sort as texts."""
    study = make_study(topics=3, judgments_per_document=3)
    study.topics.filter(number="403").update(number="99")
    for _ in range(2):
        worker = make_worker(study)
        for unit in range(3):
            judge_unit(worker, now=later(hours=unit))
    revising = make_worker(study)
    judge_unit(revising, seconds=1, magnitude=inverted)
    while live_assignment(revising).cursor:
        send(revising, action="back", now=later(hours=4))
    judge_unit(revising, now=later(hours=4))
    exclude_unit(unit=Unit.objects.filter(state="done")[0], reason="Odd.", now=later(hours=9))
    return study


def test_the_page_shows_exactly_what_the_export_gives(console: Client, judged: Study) -> None:
    text = page(console, ADDRESS)
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", text, re.DOTALL)
    shown = [
        [unescape(cell) for cell in re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", row, re.DOTALL)]
        for row in rows
    ]
    header, *exported = csv.reader(io.StringIO("".join(export_lines(judged, "table1", "csv"))))
    assert sorted(shown) == sorted(exported)
    assert [row[0] for row in shown] == ["99", "401", "402", "all"], "as people count; files compare texts"
    totals = dict(zip(header, shown[-1], strict=True))
    assert (totals["units"], totals["failed_c_1"], totals["failed_d_1"]) == ("6", "1", "1")
    assert shown[1][3:5] == ["D401-H", "D401-N"]


def test_its_downloads_are_the_exports(console: Client, judged: Study) -> None:
    links = re.findall(r'href="([^"]+export/table1[^"]+)"', page(console, ADDRESS))
    assert links == [f"/console/studies/study/export/table1.{form}" for form in EXPORTS["table1"].formats]
    for link, form in zip(links, EXPORTS["table1"].formats, strict=True):
        given = b"".join(console.get(link).streaming_content)
        assert given == b"".join(export_chunks(judged, "table1", form))


def test_who_may_not_take_it_home_is_offered_no_download(
    console: Client, judged: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judging.core.access.may_export", lambda user, study, what: False)
    assert "download" not in page(console, ADDRESS)


def test_a_study_without_units_has_a_table_of_zeros(console: Client, db: None) -> None:
    make_study(topics=1, opened=False)
    triples = 1 + len(unit_checks())  # of uses of back, and of each check
    assert page(console, ADDRESS).count("<td>0</td>") == 2 * (1 + 2 * triples), "units, and 1 and ≥ 2 of each"
