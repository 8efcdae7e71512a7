"""The command `mturk`, run with boto3's own client against a server that speaks as MTurk does."""

import json
from decimal import Decimal
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from judging.core.selectors.payments import totals
from judging.models import Study
from judging.platforms.mturk.hit import SCHEMA
from tests.factories import inverted, judge_unit, later, make_study, make_worker
from tests.platforms.mturk.stand_in import MTurk, mturk

__all__ = ["mturk"]


@pytest.fixture(autouse=True)
def account(settings: Any, mturk: MTurk, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MTURK_SANDBOX, settings.MTURK_LIVE = mturk.address, "http://127.0.0.1:9"
    settings.SITE_URL = "https://judging.example.org"
    for name, value in {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")


@pytest.fixture
def judged(db: None, mturk: MTurk) -> Study:
    """Workers on MTurk: two units, and a failed unit with pay before a completed one."""
    study = make_study(
        platform="mturk",
        pay_per_unit=Decimal("0.90"),
        pay_checks_failed=Decimal("0.30"),
        check_attempts=1,
        seconds_per_document=0,
    )
    for name, magnitudes in (("W1", [None, None]), ("W2", [inverted, None]), ("W3", [])):
        worker = make_worker(study, platform_id=name, submission_id=f"A-{name}", platform_study="H1")
        for hours, magnitude in enumerate(magnitudes, start=1):
            judge_unit(worker, now=later(hours=hours), **({"magnitude": magnitude} if magnitude else {}))
        mturk.add(f"A-{name}", name)
    mturk.add("A-nobody", "W9")
    return study


def run(*words: str) -> str:
    out = StringIO()
    call_command("mturk", "study", *words, stdout=out)
    return out.getvalue()


def due(study: Study) -> Decimal:
    return totals(study).due.amount


def test_the_question_is_the_address_in_a_frame(judged: Study) -> None:
    root = ElementTree.fromstring(run("question", "--height", "900"))
    assert root.tag == f"{{{SCHEMA}}}ExternalQuestion"
    assert [(part.tag.partition("}")[2], part.text) for part in root] == [
        ("ExternalURL", "https://judging.example.org/s/study/"),
        ("FrameHeight", "900"),
    ]


def test_the_question_needs_https(judged: Study, settings: Any) -> None:
    settings.SITE_URL = "http://localhost"
    with pytest.raises(CommandError, match="PLUMBLINE_URL"):
        run("question")


def test_the_qualifications_are_those_asked_for(judged: Study) -> None:
    assert json.loads(run("qualifications")) == []
    words = "qualifications --approved-per-cent 97 --approved 500 --country US --country GB"
    rules = json.loads(run(*words.split()))
    assert [rule.get("IntegerValues") or rule["LocaleValues"] for rule in rules] == [
        [97],
        [500],
        [{"Country": "US"}, {"Country": "GB"}],
    ]


def test_the_list_shows_every_assignment(judged: Study) -> None:
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in run("assignments").splitlines()}
    assert rows["A-W1"][2:] == ["0.90", "0.90"]
    assert rows["A-W2"][2:] == ["0.90", "0.30"]
    assert rows["A-W3"][2:] == rows["A-nobody"][2:] == ["0", "0"]


def test_approve_takes_only_assignments_with_a_completed_unit(judged: Study, mturk: MTurk) -> None:
    run("approve")
    assert mturk.approved == ["A-W1", "A-W2"]
    assert mturk.rejected == []
    assert due(judged) == Decimal("1.20")
    run("approve")
    assert mturk.approved == ["A-W1", "A-W2"]


def test_ids_that_do_not_belong_together_are_not_paid(judged: Study, mturk: MTurk) -> None:
    mturk.assignments["A-W1"]["WorkerId"] = "W9"
    run("approve")
    assert mturk.approved == ["A-W2"]


def test_another_reward_than_the_pay_approves_nothing(judged: Study, mturk: MTurk) -> None:
    mturk.reward = "0.09"
    with pytest.raises(CommandError, match=r"0\.09"):
        run("approve")
    assert mturk.approved == []


def test_bonuses_are_paid_once(judged: Study, mturk: MTurk) -> None:
    run("bonuses", "--reason", "Further sets", "--yes")
    assert {row["AssignmentId"]: row["BonusAmount"] for row in mturk.bonuses.values()} == {
        "A-W1": "0.90",
        "A-W2": "0.30",
    }
    assert due(judged) == Decimal("1.80")
    run("bonuses", "--yes")
    assert len(mturk.bonuses) == 2


def test_a_bonus_whose_answer_was_lost_is_not_paid_again(judged: Study, mturk: MTurk) -> None:
    mturk.failing, mturk.after = "SendBonus", True
    with pytest.raises(CommandError):
        run("bonuses", "--reason", "Further sets", "--yes")
    mturk.failing = ""
    run("bonuses", "--reason", "Further sets", "--yes")
    assert len(mturk.bonuses) == 2
    assert due(judged) == Decimal("1.80")


@pytest.mark.parametrize("operation", ["ListAssignmentsForHIT", "GetHIT", "ApproveAssignment"])
def test_a_refusal_is_one_sentence_and_marks_nothing(judged: Study, mturk: MTurk, operation: str) -> None:
    mturk.failing = operation
    with pytest.raises(CommandError, match="no money"):
        run("approve")
    assert due(judged) == Decimal("3.00")


def test_bonuses_wait_for_a_yes(judged: Study, mturk: MTurk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "no")
    run("bonuses", "--reason", "Further sets")
    assert mturk.bonuses == {}


def test_a_rejection_names_one_assignment_and_a_reason(judged: Study, mturk: MTurk) -> None:
    with pytest.raises(CommandError):
        run("reject", "--assignment", "A-W3")
    run("reject", "--assignment", "A-W3", "--reason", "Nothing was judged.")
    assert mturk.rejected == [("A-W3", "Nothing was judged.")]


def test_the_sandbox_is_the_default(judged: Study, mturk: MTurk) -> None:
    with pytest.raises(CommandError):
        run("approve", "--live")
    assert mturk.approved == []


def test_it_needs_the_right_platform_currency_and_hit(judged: Study) -> None:
    make_worker(judged, platform_id="W5", submission_id="A-5", platform_study="H2")
    with pytest.raises(CommandError, match="H1, H2"):
        run("approve")
    Study.objects.update(currency="EUR")
    with pytest.raises(CommandError, match="EUR"):
        run("approve", "--hit", "H1")
    Study.objects.update(platform="direct")
    with pytest.raises(CommandError, match="direct"):
        run("question")
