"""A bundle says of nobody who that is, and erasing somebody changes no export but the payments."""

import io
import zipfile

import pytest
from django.contrib.auth import get_user_model

from judging.archive.catalogue import EXPORTS, export_chunks
from judging.models import AuditEntry, Participation, PlatformIdentity, PlatformSubmission, Study
from judging.payments.export import payment_chunks
from judging.watching.services.curation import exclude_unit
from judging.watching.services.workers import block_worker, erase_identity
from judging.worker.services.arrival import link_submission
from tests.factories import NOW, answer_wrongly, fail_practice, judge_unit, later, make_study, make_worker


def exported(study: Study, what: str, form: str) -> bytes:
    return b"".join(export_chunks(study, what, form))


def all_exports(study: Study) -> dict[str, bytes]:
    tables = {(export.name, form) for export in EXPORTS.values() for form in export.formats}
    return {f"{what}.{form}": exported(study, what, form) for what, form in {*tables, ("bundle", "zip")}}


@pytest.fixture
def study(db: None) -> Study:
    """A study on a platform, with people of whom the platform's ids and submissions are known."""
    study = make_study(
        judgments_per_document=2,
        platform="generic",
        id_parameter="PROLIFIC_PID",
        submission_parameter="SESSION_ID",
        completion_url="https://platform.example.org/submissions/complete?cc=SECRETCODE",
        no_work_url="https://platform.example.org/nowork-secret",
    )
    ends = (judge_unit, lambda worker: None, answer_wrongly, fail_practice)
    ways = ("ready", "judging", "question", "practising")
    for number, (way, end) in enumerate(zip(ways, ends, strict=True)):
        worker = make_worker(study, upto=way, platform_id=f"person-{number}", submission_id=f"visit-{number}")
        link_submission(participation=worker, submission_id=f"later-{number}", now=later(5))
        end(worker)
    researcher = get_user_model().objects.create_user("ada.lovelace", email="ada@example.com")
    done = study.participations.filter(assignments__state="completed").get().assignments.get()
    exclude_unit(unit=done.unit, reason="Odd.", now=later(hours=1), actor=researcher)
    block_worker(participation=study.participations.last(), now=later(hours=1), actor=researcher)
    return study


def secrets_of(study: Study) -> list[str]:
    people = Participation.objects.filter(study=study)
    results = [
        *PlatformIdentity.objects.filter(study=study).values_list("platform_id", flat=True),
        *PlatformSubmission.objects.filter(identity__study=study).values_list("submission_id", flat=True),
        *people.values_list("token", flat=True),
        *people.exclude(arrival_key="").values_list("arrival_key", flat=True),
        *people.filter(assignments__completion_code__isnull=False).values_list(
            "assignments__completion_code", flat=True
        ),
    ]
    return [
        *results,
        "PROLIFIC_PID",
        "SESSION_ID",
        "SECRETCODE",
        "nowork-secret",
        "ada.lovelace",
        "ada@example",
    ]


def test_no_member_of_a_bundle_says_who_anybody_is(study: Study) -> None:
    secrets = secrets_of(study)
    assert len(secrets) >= 4 + 8 + 4 + 1 + 6
    with zipfile.ZipFile(io.BytesIO(exported(study, "bundle", "zip"))) as bundle:
        for name in bundle.namelist():
            text = bundle.read(name).decode()
            assert [secret for secret in secrets if secret in text] == [], name


def test_erasing_a_worker_changes_no_statistic(study: Study) -> None:
    """Byte for byte, in every format, while the payments lose the person."""
    before = all_exports(study)
    paid = b"".join(payment_chunks(study, "csv", now=NOW))
    assert b"person-0" in paid
    for worker in study.participations.all():
        erase_identity(participation=worker, now=later(hours=3))
    assert all_exports(study) == before
    assert b"person-" not in b"".join(payment_chunks(study, "csv", now=NOW))
    assert AuditEntry.objects.filter(verb="identity_erased").count() == 4
