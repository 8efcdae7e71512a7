"""No number of one kind of judge mixes with those of another: a law over all exports, pages and answers.

A study in which a second kind of judge has worked gives, byte for byte, what it gives without them.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from judging.archive.catalogue import OFFERED, can_choose_kinds, export_chunks, manifest_of
from judging.core.formats import export_table
from judging.core.formats.texts import laid_out
from judging.core.published.judgments import JUDGMENTS
from judging.core.published.payments import PAYMENTS
from judging.core.selectors.adaptive import adaptation_of
from judging.core.selectors.kinds import (
    attempts_of,
    by_counted_in,
    counting,
    events_of,
    units_of,
    workers_of,
)
from judging.core.selectors.magnitudes import study_gains
from judging.core.selectors.payments import totals
from judging.core.selectors.readiness import readiness
from judging.models import Assignment, Event, Participation, Study, Unit
from judging.site.counts import site_counts
from judging.understanding.reports.study_data import read_study
from judging.understanding.reports.whole import report_data
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.selectors.progress import study_progress, topic_progress
from tests.benchmarks.addresses import addresses
from tests.benchmarks.large_site import LargeSite
from tests.factories import later
from tests.support.integrity import broken_invariants
from tests.support.rehearsals import into_rehearsal
from tests.support.second_kind import add_second_kind, take_out

AT: Final = later(hours=999)
_CHANGING: Final = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|nonce="[^"]+"|nonce-[^\']+')


@pytest.fixture
def site(db: None, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LargeSite:
    """Return a study with everything around it, on a site whose clock stands still."""
    for name in ("EXPORTS_FOLDER", "DRAFTS_FOLDER", "REPORTS_FOLDER"):
        setattr(settings, name, tmp_path)
    moment = AT.isoformat()
    monkeypatch.setattr(
        "judging.core.clock._EXPRESSIONS",
        {"sqlite": f"'{moment}'", "postgresql": f"timestamptz '{moment}'"},
    )
    return LargeSite(slug="small", judgments=32, topics=1, rows=5)


def numbers_of(study: Study) -> Iterator[tuple[str, object]]:
    """Yield what the selectors, exports and reports say of a study, under the name of each."""
    for name, rows in (
        ("workers", workers_of(study)),
        ("units", units_of(study)),
        ("attempts", attempts_of(study)),
        ("events", events_of(study)),
    ):
        yield name, sorted(rows.values_list("pk", flat=True))
    yield "totals", totals(study)
    yield "readiness", readiness(study, now=None)
    yield "adaptation", adaptation_of(study)
    yield "progress", (study_progress([study]), topic_progress(study))
    yield "metrics", [sorted(map(str, metric.samples)) for metric in site_counts()]
    yield "gains", study_gains(study).table.rows()
    for what, export in OFFERED.items():
        for form in export.formats:
            yield f"export of {what} as {form}", b"".join(export_chunks(study, what, form))
    yield "export with excluded", b"".join(export_chunks(study, JUDGMENTS.name, "csv", with_excluded=True))
    yield "manifest", manifest_of(study, JUDGMENTS.name, "csv", now=AT)
    yield "payments", b"".join(laid_out(export_table.of(PAYMENTS, study), "csv"))
    data = read_study(study)
    report = report_data(data, comments=True)
    yield "judgments of reports", (data.version, data.judgments.table.rows(), data.pks)
    yield "report", (report.excluded, report.settings, report.inputs)
    for table in (report.comments, report.topics):
        assert table is not None
        yield "table of the report", table.rows()


def pages_of(browser: Client, names: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield every page of the console and every answer of the API, without what differs at each request."""
    for page, address in names:
        response = browser.get(address)
        assert response.status_code == 200, address
        yield page, _CHANGING.sub("", response.content.decode())


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("person", "machine"),
        pytest.param("person", "simulated", marks=pytest.mark.long),
        pytest.param("simulated", "machine", marks=pytest.mark.long),
    ],
)
def test_a_second_kind_of_judge_changes_no_number(site: LargeSite, own: str, other: str) -> None:
    study = into_rehearsal(site.study, simulated=own == "simulated")
    add_second_kind(study, other)
    names = list(addresses(site))
    browser = Client()
    browser.force_login(get_user_model().objects.get(username=f"{site.slug}-admin"))

    def everything() -> dict[str, object]:
        compute_statistics(study=study, now=AT)
        return {**dict(numbers_of(study)), **dict(pages_of(browser, names))}

    with_others = everything()
    assert Participation.objects.filter(study=study, kind=other).count() == 6
    assert Event.objects.filter(participation__kind=other).exists()
    take_out(study, other)
    without = everything()
    assert [name for name in without if with_others[name] != without[name]] == []


def test_the_other_kind_is_there_for_whoever_asks(site: LargeSite) -> None:
    study = site.study
    add_second_kind(study, "machine")
    kinds = ["machine"]
    assert workers_of(study, kinds).count() == 6
    assert set(units_of(study, kinds)) == set(Unit.objects.filter(kind="machine"))
    assert set(attempts_of(study, kinds)) == set(Assignment.objects.filter(participation__kind="machine"))
    both = workers_of(study, ["machine", "person"])
    assert set(both) == set(Participation.objects.filter(study=study))
    assert broken_invariants(study) == [], "each kind judges only units of its own"


def test_exports_have_the_kinds_that_somebody_chooses(site: LargeSite) -> None:
    study = site.study
    add_second_kind(study, "machine")

    def rows(what: str, kinds: list[str] | None = None) -> list[dict[str, object]]:
        return [
            json.loads(line)
            for line in b"".join(export_chunks(study, what, "jsonl", kinds=kinds)).splitlines()
        ]

    for what in filter(can_choose_kinds, OFFERED):
        default, person, machine = rows(what), rows(what, ["person"]), rows(what, ["machine"])
        both = rows(what, ["machine", "person"])
        if "worker_id" not in default[0]:
            assert person == default
            assert machine != default != both
            continue
        assert [row.pop("judge") for row in person] == ["person"] * len(default)
        assert person == default
        assert machine
        assert {row["judge"] for row in machine} == {"machine"}
        # Normalisation uses all judgments of a topic, so this column depends on who is counted.
        for row in [*person, *machine, *both]:
            row.pop("normalized_relevance_score", None)
            row.pop("judge", None)
        assert sorted(both, key=str) == sorted([*person, *machine], key=str)


def test_the_manifest_says_which_kinds_somebody_chose(site: LargeSite, tmp_path: Path) -> None:
    study, file = site.study, tmp_path / "units.csv"
    add_second_kind(study, "machine")
    call_command("export", study.slug, "--what", "units", "--kinds", "machine", "-o", str(file))
    manifest = json.loads(file.with_name("units.csv.manifest.json").read_text())
    assert manifest["judges"] == ["machine"]
    assert manifest["counts"]["workers"] == 6
    assert manifest["files"][0]["columns"][-1]["name"] == "judge"
    for what in ("bundle", "payments", "decisions"):
        with pytest.raises(CommandError, match="--kinds"):
            call_command("export", study.slug, "--what", what, "--kinds", "machine", "-o", str(file))


def test_an_unpaid_kind_costs_nothing_and_needs_no_money(site: LargeSite) -> None:
    study = site.study
    before = totals(study)
    add_second_kind(study, "machine")
    assert totals(study) == before
    machines = Assignment.objects.filter(participation__kind="machine")
    assert {*machines.values_list("pay", "compensation")} == {(0, 0)}
    screened_out = Participation.objects.filter(kind="machine", state="screened_out")
    assert {*screened_out.values_list("compensation", flat=True)} == {0}


@pytest.mark.parametrize("own", ["person", "simulated"])
def test_sums_over_several_studies_count_what_each_study_counts(site: LargeSite, own: str) -> None:
    study = into_rehearsal(site.study, simulated=own == "simulated")
    add_second_kind(study, "machine")
    assert set(Unit.objects.filter(counting(study="topic__study__"))) == set(units_of(study))
    assert set(Participation.objects.filter(counting())) == set(workers_of(study))
    assert set(Assignment.objects.filter(by_counted_in([study]))) == set(attempts_of(study))
    assert {*Participation.objects.filter(counting()).values_list("kind", flat=True)} == {own}
