"""The audit log records every download of data, by console, API, file or command."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from judging.archive.catalogue import EXPORTS
from judging.models import AuditEntry, Job
from tests.factories import judge_unit, make_study, make_worker
from tests.people.conftest import People, browser_of, make_people


@pytest.fixture
def people(db: None, tmp_path: Path, settings: Any) -> People:
    settings.EXPORTS_FOLDER = tmp_path
    study = make_study(judgments_per_document=1)
    judge_unit(make_worker(study))
    return make_people(study, make_study(slug="other", opened=False))


def exports() -> list[tuple[str, str, str]]:
    rows = AuditEntry.objects.filter(verb="exported").order_by("pk")
    return [(row.actor_name, row.detail["what"], row.detail["format"]) for row in rows]


def test_every_download_is_written_down(people: People) -> None:
    browser = browser_of(people["viewer"])
    offered = [(what, form) for what in EXPORTS for form in EXPORTS[what].formats]
    for address in ("/console/studies/study/export/{}.{}", "/api/v1/studies/study/exports/{}.{}"):
        for what, form in offered:
            b"".join(browser.get(address.format(what, form)).streaming_content)
    assert exports() == [("viewer", what, form) for what, form in offered] * 2


@pytest.mark.parametrize(
    "address", ["/console/studies/study/export/units.csv", "/api/v1/studies/study/exports/units.csv"]
)
def test_what_is_not_given_is_not_written_down(people: People, address: str) -> None:
    browser_of(people["viewer"]).head(address)
    browser_of(people["stranger"]).get(address)
    browser_of(None).get(address)
    assert exports() == []


def test_a_file_made_behind_the_page_is_written_down_each_time_it_is_taken(
    people: People, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        browser_of(people["owner"]).post(
            "/console/studies/study/jobs/", {"kind": "export", "what": "units.csv"}
        )
    job = Job.objects.get()
    for _ in range(2):
        answer = browser_of(people["viewer"]).get(f"/console/studies/study/jobs/{job.pk}/file")
        assert b"".join(answer.streaming_content)
    assert exports() == [("viewer", "units", "csv")] * 2
    assert {audit_entry.detail["job"] for audit_entry in AuditEntry.objects.filter(verb="exported")} == {
        job.pk
    }


def test_the_command_line_is_written_down(people: People, tmp_path: Path) -> None:
    offered = (*EXPORTS, "payments")
    for what in offered:
        call_command("export", "study", "--what", what, "-o", str(tmp_path / what))
    forms = {what: EXPORTS[what].formats[0] if what in EXPORTS else "csv" for what in offered}
    assert exports() == [("", what, forms[what]) for what in offered]
    assert {audit_entry.study.slug for audit_entry in AuditEntry.objects.filter(verb="exported")} == {"study"}
