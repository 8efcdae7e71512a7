"""Downloads are the exports of the command line, streamed."""

import json
import re
import sys
from hashlib import sha256
from subprocess import PIPE, Popen

import pytest
from django.test import Client
from pytest_django import Settings

from judging.archive.catalogue import OFFERED, export_chunks
from judging.core.formats.texts import MEDIA_TYPES
from judging.core.pages.turns import WAIT, NotYourTurnError, Turn, one_at_a_time
from judging.core.published import PUBLISHED
from judging.models import AuditEntry, Unit
from judging.watching.services.curation import exclude_unit
from tests.factories import judge_unit, later, make_study, make_worker


def test_every_link_gives_the_export_it_names(console: Client) -> None:
    study = make_study(judgments_per_document=1)
    judge_unit(make_worker(study))
    links = re.findall(
        r'href="(/console/studies/study/export/[^"/]+)"',
        console.get("/console/studies/study/jobs/").content.decode(),
    )
    offered = [(what, form) for what, export in OFFERED.items() for form in export.formats]
    assert links == [f"/console/studies/study/export/{what}.{form}" for what, form in offered]
    for link, (what, form) in zip(links, offered, strict=True):
        answer = console.get(link)
        assert answer.status_code == 200
        assert answer.streaming
        assert b"".join(answer.streaming_content) == b"".join(export_chunks(study, what, form))
        end = {"qrels": "txt", "spreadsheet": "spreadsheet.csv"}.get(form, form)
        assert answer["Content-Disposition"] == f'attachment; filename="study-{what}.{end}"'
        assert answer["Content-Type"] == MEDIA_TYPES[form]
        assert "no-store" in answer["Cache-Control"]


def test_excluded_units_come_when_asked_for(console: Client) -> None:
    study = make_study(topics=1, judgments_per_document=1)
    judge_unit(make_worker(study))
    exclude_unit(unit=Unit.objects.get(), reason="Odd.", now=later(hours=1))
    address = "/console/studies/study/export/judgments.csv"
    assert len(b"".join(console.get(address).streaming_content).splitlines()) == 1
    with_excluded = console.get(address, {"with_excluded": "1"})
    assert len(b"".join(with_excluded.streaming_content).splitlines()) == 9


@pytest.mark.parametrize("name", ["judgments.qrels", "judgments.exe", "payments.csv", "secrets.csv"])
def test_what_is_not_in_the_catalogue_is_not_found(console: Client, name: str) -> None:
    make_study(opened=False)
    assert console.get(f"/console/studies/study/export/{name}").status_code == 404


def test_what_may_not_be_taken_home_is_neither_offered_nor_given(
    console: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_study(opened=False)
    monkeypatch.setattr("judging.core.access.may_export", lambda user, study, what: what != "workers")
    assert "export/workers" not in console.get("/console/studies/study/jobs/").content.decode()
    assert console.get("/console/studies/study/export/workers.csv").status_code == 403
    assert console.get("/console/studies/study/export/units.csv").status_code == 200


def test_beside_each_download_stands_its_manifest(console: Client) -> None:
    """Its sum is that of the file, its dictionary that of the columns; nobody took anything home."""
    study = make_study(judgments_per_document=1)
    judge_unit(make_worker(study))
    page = console.get("/console/studies/study/jobs/").content.decode()
    for what, export in OFFERED.items():
        for form in export.formats:
            address = f"/console/studies/study/export/{what}.{form}"
            assert f'href="{address}/manifest"' in page
            before = AuditEntry.objects.count()
            answer = console.get(f"{address}/manifest")
            assert AuditEntry.objects.count() == before
            told = json.loads(answer.content)
            download = console.get(address)
            content = b"".join(download)
            (file,) = told["files"]
            assert file["sha256"] == sha256(content).hexdigest()
            assert (told["export"], told["format"], told["study"]["seed"]) == (what, form, study.seed)
            assert answer["Content-Disposition"] == f'attachment; filename="{file["name"]}.manifest.json"'
            assert file["name"] in download["Content-Disposition"]
            if what in PUBLISHED:
                columns = [column.name for column in PUBLISHED[what].columns()]
                assert {column["name"] for column in file["columns"]} <= {*columns, "grade"}
    excluded = console.get("/console/studies/study/export/judgments.csv/manifest?with_excluded=1")
    assert excluded.json()["files"][0]["rows"] == 8
    assert console.get("/console/studies/study/export/payments.csv/manifest").status_code == 404


def test_a_manifest_is_refused_with_its_data(console: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    make_study(opened=False)
    monkeypatch.setattr("judging.core.access.may_export", lambda user, study, what: what != "workers")
    assert console.get("/console/studies/study/export/workers.csv/manifest").status_code == 403


@pytest.mark.parametrize("door", ["/console/studies/study/export/", "/api/v1/studies/study/exports/"])
def test_pages_compute_one_download_at_a_time(console: Client, door: str) -> None:
    study = make_study(judgments_per_document=1)
    judge_unit(make_worker(study))
    manifest = f"{door}units.csv/manifest{'/' if 'api' in door else ''}"
    first = iter(console.get(f"{door}judgments.csv"))
    next(first)
    for address in (f"{door}judgments.csv", f"{door}bundle.zip", manifest):
        answer = console.get(address)
        assert answer.status_code == 429, address
        assert int(answer["Retry-After"]) == WAIT
        assert "attachment" not in answer.get("Content-Disposition", "")
    assert console.get("/console/studies/study/jobs/").status_code == 200
    assert AuditEntry.objects.filter(verb="exported").count() == 1, "nobody took what was refused"
    list(first)
    assert console.get(manifest).status_code == 200, "a download that was read to its end is over"
    assert b"".join(console.get(f"{door}judgments.csv")).count(b"\n") == 9


def test_a_cancelled_download_is_over(settings: Settings) -> None:
    turn = Turn(letter for letter in (b"a", b"b"))
    assert next(turn) == b"a"
    with pytest.raises(NotYourTurnError):
        Turn(letter for letter in (b"c",))
    turn.close()  # as Django does when the response ends
    assert list(Turn(letter for letter in (b"c",))) == [b"c"]


def test_a_page_that_waits_asks_again(console: Client) -> None:
    make_study(opened=False)
    with one_at_a_time():
        answer = console.get("/console/studies/study/export/units.csv")
        assert answer["Refresh"] == str(WAIT)
        with pytest.raises(NotYourTurnError), one_at_a_time():
            pytest.fail("two at once")
    assert console.get("/console/studies/study/export/units.csv").status_code == 200


def test_a_process_that_is_killed_gives_its_turn_back(settings: Settings) -> None:
    words = "import fcntl, sys, time; file = open(sys.argv[1], 'ab'); fcntl.flock(file, fcntl.LOCK_EX)"
    words += "; print('held', flush=True); time.sleep(60)"
    with Popen([sys.executable, "-c", words, settings.DOWNLOADS_LOCK], stdout=PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        with pytest.raises(NotYourTurnError), one_at_a_time():
            pytest.fail("two at once")
        holder.kill()
        holder.wait()
        with one_at_a_time():
            pass
