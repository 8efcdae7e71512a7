"""The manifest beside an export, and the entry in the audit log that every export leaves."""

import json
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client

from judging.core.formats.software import plumbline_version
from judging.core.published import PUBLISHED
from judging.core.published.table import as_objects
from judging.models import AuditEntry, Study, Unit
from judging.watching.services.curation import exclude_unit
from tests.factories import later


@pytest.fixture
def curated(study: Study) -> Study:
    """Six units judged, one of them excluded."""
    exclude_unit(unit=Unit.objects.get(topic__number="401", number=1), reason="Odd.", now=later(hours=5))
    return study


@pytest.mark.parametrize("what", PUBLISHED)
def test_a_manifest_stands_beside_each_file(curated: Study, tmp_path: Path, what: str) -> None:
    export = PUBLISHED[what]
    for form in export.formats:
        path = tmp_path / f"data.{form}"
        call_command("export", "study", what=what, format=form, output=str(path))
        manifest = json.loads(path.with_name(f"data.{form}.manifest.json").read_text())
        (file,) = manifest["files"]
        data = path.read_bytes()
        assert file["name"] == path.name
        assert (file["bytes"], file["sha256"]) == (len(data), sha256(data).hexdigest())
        assert file["columns"] == as_objects(export.columns(curated))
        assert all(column["meaning"] for column in file["columns"])
        if form == "jsonl":
            assert file["rows"] == len(data.splitlines())
        assert (manifest["study"]["slug"], manifest["study"]["seed"]) == ("study", 0)
        assert (manifest["export"], manifest["format"]) == (what, form)
        assert manifest["software"]["plumbline"] == plumbline_version()
        assert manifest["counts"] == {
            "topics": 2,
            "documents": 16,
            "units": 6,
            "units_completed": 6,
            "units_excluded": 1,
            "judgments": 40,
            "workers": 3,
        }


def test_what_is_no_text_is_not_thrown_at_a_screen(study: Study) -> None:
    with pytest.raises(Exception, match="-o"):
        call_command("export", "study", what="units", format="parquet", stdout=StringIO())


@pytest.fixture
def ada(study: Study) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("ada"))
    return client


@pytest.mark.parametrize("what", ["judgments.csv", "gains.parquet", "bundle.zip"])
@pytest.mark.parametrize("door", ["/console/studies/study/export/", "/api/v1/studies/study/exports/"])
def test_a_download_is_audited_before_its_first_byte(ada: Client, door: str, what: str) -> None:
    head = ada.head(f"{door}{what}")
    assert head.status_code == 200
    b"".join(head)
    assert not AuditEntry.objects.filter(verb="exported").exists(), "nobody has taken anything"
    answer = ada.get(f"{door}{what}")
    next(iter(answer.streaming_content))
    entry = AuditEntry.objects.get(verb="exported")
    name, _, form = what.partition(".")
    assert entry.detail == {"what": name, "format": form}
    assert entry.actor.username == "ada"


def test_the_command_line_is_audited_too(study: Study, tmp_path: Path) -> None:
    call_command("export", "study", what="units", output=str(tmp_path / "units.csv"))
    entry = AuditEntry.objects.get(verb="exported")
    assert (entry.actor, entry.detail) == (None, {"what": "units", "format": "csv"})


def test_the_file_of_a_job_is_audited_when_it_is_taken(
    ada: Client, settings: object, tmp_path: Path, django_capture_on_commit_callbacks: object
) -> None:
    settings.EXPORTS_FOLDER = tmp_path / "exports"
    with django_capture_on_commit_callbacks(execute=True):
        page = ada.post("/console/studies/study/jobs/", {"kind": "export", "what": "units.parquet"})[
            "Location"
        ]
    assert not AuditEntry.objects.filter(verb="exported").exists()
    content = b"".join(ada.get(f"{page}file").streaming_content)
    entry = AuditEntry.objects.get(verb="exported")
    assert (entry.actor.username, entry.detail["what"], entry.detail["format"]) == ("ada", "units", "parquet")
    assert f'href="{page}manifest"' in ada.get(page).content.decode()
    answer = ada.get(f"{page}manifest")
    assert 'filename="study-units.parquet.manifest.json"' in answer["Content-Disposition"]
    (file,) = json.loads(b"".join(answer.streaming_content))["files"]
    assert file["sha256"] == sha256(content).hexdigest()
