"""Who a worker is stands in no byte of any answer, for nobody."""

from typing import Any

from django.test import Client

from judging.models import Assignment, Participation, PlatformIdentity, PlatformSubmission
from judging.worker.services.leaving import withdraw
from tests.api.conftest import LISTS, ROOT, logged_in, pages, people, read
from tests.factories import judge_unit, later, make_study, make_worker

STUDY = f"{ROOT}/studies/study"


def everything(client: Client) -> bytes:
    """Every byte that the API gives away."""
    results = [client.get(f"{ROOT}/{name}/").content for name in ("studies", "studies/study", "schema")]
    for what in LISTS:
        extra: dict[str, Any] = {"excluded": "any"} if what == "judgments" else {}
        results += [repr(page).encode() for page in pages(client, f"{STUDY}/{what}/", page_size=3, **extra)]
        results.append(client.get(f"{STUDY}/{what}/", extra).content)
    for export in read(client, f"{STUDY}/exports/")["results"]:
        for file in export["files"]:
            answer = client.get(file["url"])
            results += [*answer.streaming_content, str(answer.headers).encode()]
    return b"\n".join(results)


def test_no_identity_anywhere(db: None) -> None:
    study = make_study(
        judgments_per_document=2,
        platform="generic",
        id_parameter="PID",
        completion_url="https://platform.example.org/done?cc=SECRETCODE",
        no_work_url="https://platform.example.org/none?cc=NOWORKCODE",
        screen_out_url="https://platform.example.org/out?cc=SCREENCODE",
    )
    for number in range(2):
        worker = make_worker(study, platform_id=f"person-{number}-p", submission_id=f"visit-{number}-x")
        for unit in range(2):
            judge_unit(worker, now=later(minutes=30 * unit))
    leaver = make_worker(study, platform_id="platform-person-9", submission_id="visit-9-x")
    withdraw(participation=leaver, now=later(hours=2), delete_judgments=False)

    secrets = [
        *PlatformIdentity.objects.values_list("platform_id", flat=True),
        *PlatformSubmission.objects.values_list("submission_id", flat=True),
        *Participation.objects.values_list("token", flat=True),
        *Participation.objects.exclude(arrival_key="").values_list("arrival_key", flat=True),
        *Assignment.objects.exclude(completion_code=None).values_list("completion_code", flat=True),
        "SECRETCODE",
        "NOWORKCODE",
        "SCREENCODE",
    ]
    assert len(secrets) >= 3 + 3 + 3 + 4 + 3
    accounts = people()
    for who in ("staff", "superuser"):
        result = everything(logged_in(accounts[who]))
        assert leaver.pseudonym.encode() in result
        assert [secret for secret in secrets if secret.encode() in result] == []
