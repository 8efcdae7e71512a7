"""A bundle comes back as the same study: every export byte for byte, and the bundle itself."""

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.db import connection

from evaluation.cli import main
from judging.archive.catalogue import export_chunks
from judging.core.selectors.payments import totals
from judging.core.services.events import record_export
from judging.core.services.studies import close_study
from judging.models import (
    Assignment,
    AuditEntry,
    Document,
    Event,
    Judgment,
    Participation,
    Study,
    Unit,
    UnitDocument,
)
from judging.setup.study_files.importing import import_study
from tests.archive.bundles.conftest import eventful_sample, everything, exported
from tests.factories import NOW, judge_unit, make_study, make_worker
from tests.support.databases import ON_SQLITE, as_default
from tests.support.empty_database import empty_tables
from tests.support.integrity import broken_invariants
from tests.support.named import assert_names
from tests.support.preferences import prefers

pytestmark = pytest.mark.slow


def plan(study: Study) -> list[tuple[Any, ...]]:
    """The units as planned, with the documents in their order."""
    planned = UnitDocument.objects.filter(unit__topic__study=study)
    return sorted(
        Unit.objects.filter(topic__study=study).values_list(
            "topic__number", "number", "state", "copy_of__number", "excluded_at", "exclusion_reason"
        ),
        key=str,
    ) + list(
        planned.order_by("unit__topic__place", "unit__number", "pk").values_list(
            "unit__topic__number", "unit__number", "pool_document__document__document_id"
        )
    )


def layouts(study: Study) -> dict[str, str]:
    return dict(study.documents.values_list("document_id", "layout"))


@ON_SQLITE
def test_a_bundle_comes_back_as_the_same_study(database: str, bundle: Path) -> None:
    study = eventful_sample()
    Study.objects.update(layout="lines")
    study.refresh_from_db()
    Document.objects.filter(pk=study.documents.order_by("pk")[0].pk).update(layout="preformatted")
    states = set(Assignment.objects.values_list("state", flat=True))
    assert {"completed", "lapsed", "returned"} <= states, "else little is proved"
    assert Unit.objects.filter(excluded_at__isnull=False).count() == 2
    assert study.topics.filter(retired_at__isnull=False).exists()
    assert Assignment.objects.filter(judgments_deleted_at__isnull=False).exists()
    bundle.write_bytes(exported(study, "bundle", "zip"))

    again = import_study(bundle, slug="again", now=NOW).study
    assert again.state == "closed"
    assert everything(again) == everything(study)
    assert plan(again) == plan(study)
    assert again.layout == "lines"
    assert layouts(again) == layouts(study)
    assert "preformatted" in layouts(study).values()
    assert broken_invariants(again) == []
    assert Event.objects.filter(study=again).count() == Event.objects.filter(study=study).count()
    assert totals(again).due.count == 0, "nobody is paid twice"
    (entry,) = AuditEntry.objects.filter(study=again)
    assert (entry.verb, entry.detail["was"]) == ("imported", "eventful")


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_from_one_database_to_the_other_the_bundle_stays_the_same(
    database: str, sqlite_settings: dict[str, Any], bundle: Path
) -> None:
    """Made on PostgreSQL, imported on SQLite, made there again: not one byte differs."""
    result = exported(eventful_sample(workers=6), "bundle", "zip")
    bundle.write_bytes(result)
    with as_default(sqlite_settings):
        assert connection.vendor == "sqlite"
        try:
            again = import_study(bundle, now=NOW).study
            assert exported(again, "bundle", "zip") == result
        finally:
            empty_tables()


def test_the_commands_do_it(db: None, bundle: Path) -> None:
    study = eventful_sample(workers=6)
    call_command("export", study.slug, what="bundle", output=str(bundle))
    assert not bundle.with_name("bundle.zip.manifest.json").exists(), "its manifest is in it"
    out = StringIO()
    call_command("import_study", str(bundle), slug="again", stdout=out)
    assert_names(out.getvalue(), "again")
    assert exported(Study.objects.get(slug="again"), "gains", "qrels") == exported(study, "gains", "qrels")


def test_the_same_data_gives_the_same_bytes(db: None) -> None:
    study = eventful_sample(workers=6)
    first = b"".join(export_chunks(study, "bundle", "zip"))
    record_export(study=study, what="bundle", form="zip", now=NOW)
    Participation.objects.filter(study=study).update(paid_at=None)
    assert b"".join(export_chunks(study, "bundle", "zip")) == first


def test_the_program_of_the_documentation_rebuilds_the_gains_without_the_site(
    db: None, bundle: Path, tmp_path: Path
) -> None:
    """Excluded, copied and deleted units among them; a byte that is not the manifest's is told."""
    study = eventful_sample()
    bundle.write_bytes(exported(study, "bundle", "zip"))
    text = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "bundle.md").read_text()
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    table, normalised, gains = (tmp_path / name for name in ("judgments.csv", "normalised.csv", "gains"))

    def rebuilt(path: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True)

    table.write_text(rebuilt(bundle).stdout)
    assert main(["normalise", str(table), "-o", str(normalised)]) == 0
    assert main(["gains", str(normalised), "-o", str(gains)]) == 0
    with ZipFile(bundle) as whole:
        assert gains.read_bytes() == whole.read("gains.txt")
        members = {name: whole.read(name) for name in whole.namelist()}
    with ZipFile(bundle, "w") as damaged:
        for name, content in members.items():
            damaged.writestr(name, content + b" " if name == "events.jsonl" else content)
    refused = rebuilt(bundle)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("events.jsonl ")


@pytest.mark.django_db
def test_comparisons_come_back_with_both_documents(bundle: Path) -> None:
    study = make_study(slug="pairs", scale="preference", topics=1, documents=12)
    judge_unit(make_worker(study), magnitude=prefers)
    close_study(study=study, now=NOW, force=True)
    bundle.write_bytes(exported(study, "bundle", "zip"))
    again = import_study(bundle, slug="again", now=NOW).study
    assert everything(again) == everything(study)
    assert (
        Judgment.objects.filter(assignment__topic__study=again, compared_with__topic__study=again).count()
        == 8
    )
    assert broken_invariants(again) == []
