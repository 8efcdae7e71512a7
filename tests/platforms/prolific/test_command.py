"""The command `prolific`, run against a server that speaks as Prolific does."""

from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from judging.core.selectors.payments import totals
from judging.models import Assignment, AuditEntry, Study
from tests.factories import fail_practice, inverted, judge_unit, later, make_worker
from tests.platforms.conftest import prolific_study
from tests.platforms.prolific.stand_in import TOKEN, Failure, Prolific


@pytest.fixture(autouse=True)
def account(settings: Any, prolific: Prolific) -> None:
    settings.PROLIFIC_API, settings.PROLIFIC_TOKEN = prolific.address, TOKEN


@pytest.fixture
def judged(db: None, prolific: Prolific) -> Study:
    """Workers on Prolific: two units, a failed unit, a screen-out, and one who has just begun."""
    study = prolific_study(check_attempts=1, topics=4)
    workers = {
        name: make_worker(
            study, platform_id=f"P-{name}", submission_id=f"S-{name}", platform_study="study-1", upto=upto
        )
        for name, upto in (("two", "ready"), ("failed", "ready"), ("out", "practising"), ("begun", "judging"))
    }
    for hours in (1, 2):
        judge_unit(workers["two"], now=later(hours=hours))
    judge_unit(workers["failed"], now=later(hours=3), magnitude=inverted)
    fail_practice(workers["out"])
    for name in workers:
        prolific.add(f"S-{name}", f"P-{name}", "ACTIVE" if name == "begun" else "AWAITING REVIEW")
    prolific.add("S-nobody", "P-nobody", "AWAITING REVIEW")
    return study


def run(*words: str) -> str:
    out = StringIO()
    call_command("prolific", "study", *words, stdout=out)
    return out.getvalue()


def due(study: Study) -> Decimal:
    return totals(study).due.amount


def test_approve_takes_only_submissions_with_a_completed_unit(judged: Study, prolific: Prolific) -> None:
    assert due(judged) == Decimal("2.20")
    assert "0.90 USD" in run("approve")
    approved = [row["id"] for row in prolific.submissions.values() if row["status"] == "APPROVED"]
    assert approved == ["S-two"]
    assert due(judged) == Decimal("1.30")
    requests = len(prolific.requests)
    run("approve")
    assert not any("transition" in request for request in prolific.requests[requests:])


def test_submissions_that_prolific_approved_by_itself_are_marked(judged: Study, prolific: Prolific) -> None:
    prolific.submissions["S-two"]["status"] = "APPROVED"
    run("approve")
    assert due(judged) == Decimal("1.30")
    assert not any("transition" in request for request in prolific.requests)


def test_ids_that_do_not_belong_together_are_not_paid(judged: Study, prolific: Prolific) -> None:
    prolific.submissions["S-two"]["participant_id"] = "P-another"
    run("approve")
    run("bonuses", "--yes")
    assert prolific.paid == ["S-failed,0.30\nS-out,0.10\n"]
    assert prolific.submissions["S-two"]["status"] == "AWAITING REVIEW"


def test_bonuses_are_shown_and_paid_once(judged: Study, prolific: Prolific) -> None:
    out = run("bonuses", "--yes")
    assert "1.23" in out, "what Prolific says that it will charge"
    assert prolific.paid == ["S-two,0.90\nS-failed,0.30\nS-out,0.10\n"]
    assert due(judged) == Decimal("0.90")
    run("bonuses", "--yes")
    assert len(prolific.paid) == 1


@pytest.mark.parametrize(("typed", "paid"), [("yes", 1), ("no", 0), ("", 0)])
def test_bonuses_wait_for_a_yes(
    judged: Study, prolific: Prolific, monkeypatch: pytest.MonkeyPatch, typed: str, paid: int
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: typed)
    run("bonuses")
    assert len(prolific.paid) == paid


def test_a_refused_payment_leaves_the_bonuses_due(judged: Study, prolific: Prolific) -> None:
    prolific.pay_failure = Failure(400, b"no money")
    with pytest.raises(CommandError, match="no money"):
        run("bonuses", "--yes")
    assert due(judged) == Decimal("2.20")
    verbs = list(AuditEntry.objects.order_by("pk").values_list("verb", flat=True))
    assert verbs[-2:] == ["payments_marked", "payments_unmarked"]


def test_a_payment_without_an_answer_is_never_repeated(judged: Study, prolific: Prolific) -> None:
    prolific.pay_failure = Failure(504, done=True)
    with pytest.raises(CommandError, match="bonus-0"):
        run("bonuses", "--yes")
    run("bonuses", "--yes")
    assert len(prolific.paid) == 1


def test_the_list_frees_the_units_of_returned_submissions(judged: Study, prolific: Prolific) -> None:
    prolific.submissions["S-begun"]["status"] = "RETURNED"
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in run("submissions").splitlines()}
    assert rows["S-begun"][0] == "RETURNED"
    assert rows["S-two"][2:] == ["0.90", "0.90"]
    assert rows["S-nobody"][2:] == ["0", "0"]
    assert Assignment.objects.get(participation__identity__platform_id="P-begun").state == "returned"


def test_a_message_goes_to_the_worker(judged: Study, prolific: Prolific) -> None:
    worker = judged.participations.get(identity__platform_id="P-two")
    run("message", "--worker", worker.pseudonym, "--text", "Thank you.")
    assert prolific.sent == [{"recipient_id": "P-two", "study_id": "study-1", "body": "Thank you."}]


def test_subscribe_shows_the_secret_and_confirms(judged: Study, prolific: Prolific, settings: Any) -> None:
    settings.SITE_URL = "https://judging.example.org"
    out = run("subscribe", "--workspace", "workspace-1")
    assert "the-secret-of-the-workspace" in out
    assert "https://judging.example.org/hooks/prolific/" in out
    assert prolific.confirmed == ["sub-1 handshake"]


def test_workers_from_two_studies_need_a_decision(judged: Study, prolific: Prolific) -> None:
    make_worker(judged, platform_id="P-x", submission_id="S-x", platform_study="study-2")
    with pytest.raises(CommandError, match="study-1, study-2"):
        run("approve")
    run("approve", "--study", "study-1")
    assert due(judged) == Decimal("1.30")


@pytest.mark.parametrize(
    "words",
    [
        ["message", "--worker", "w"],
        ["message", "--worker", "nobody", "--text", "Hello"],
        ["subscribe"],
        ["subscribe", "--workspace", "w"],
    ],
)
def test_incomplete_commands_are_refused(judged: Study, prolific: Prolific, words: list[str]) -> None:
    with pytest.raises(CommandError):
        run(*words)
    assert prolific.requests == []


def test_it_needs_a_token_and_a_study_on_prolific(judged: Study, settings: Any) -> None:
    settings.PROLIFIC_TOKEN = ""
    with pytest.raises(CommandError, match="PLUMBLINE_PROLIFIC_TOKEN"):
        run("approve")
    Study.objects.update(platform="direct")
    with pytest.raises(CommandError, match="direct"):
        run("approve")
