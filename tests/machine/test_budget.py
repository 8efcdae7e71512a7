"""The budget of a study: what all its machine judges can cost together."""

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from judging.core.clock import now
from judging.core.selectors.machine import machine_budget_left, spent_by_machines, used_by
from judging.core.selectors.machine_summary import summarise
from judging.machine.client import ModelClient, Reply
from judging.machine.estimating import estimate
from judging.machine.judge_file import JudgeFile
from judging.machine.sittings import judge_all, resume_judge
from judging.machine.spending import StoppedError
from judging.models import MachineCall, MachineJudge, Study
from tests.factories import make_arms
from tests.machine.conftest import Written, begun, client_of, study_on, teach, worth
from tests.machine.stand_in import KEY, StandIn
from tests.machine.test_command import run as command
from tests.machine.test_judge_file import faults_of
from tests.setup.intake.folder import StudyFolder
from tests.support.concurrent import at_once
from tests.support.databases import ON_SQLITE
from tests.support.integrity import broken_invariants

PRICES = {"price_per_million_input_tokens": 10, "price_per_million_output_tokens": 40, "most_money": "none"}
UNPRICED = dict.fromkeys(PRICES) | {"most_money": "none"}
BUDGET = Decimal("0.10")
A_CALL = Decimal("0.0018")
"""What an answer of the stand-in costs at these prices."""
CALLS = 21
"""How often a judge asks."""


def with_budget(budget: Decimal | None = BUDGET) -> Study:
    return study_on("magnitude", machine_budget=budget)


def both(study: Study, written: Written) -> list[tuple[MachineJudge, JudgeFile]]:
    return [begun(study, written(name=name, **PRICES)) for name in ("gauge", "level")]


def works(judge: MachineJudge, file: JudgeFile, client: ModelClient) -> str:
    return judge_all(judge, file, client, rng=Random(f"{judge.name} works"))


def test_two_judges_share_it_and_go_on_after_it_was_raised(stand_in: StandIn, written: Written) -> None:
    study = with_budget()
    teach(stand_in, study)
    (first, file), (second, other_file) = both(study, written)
    assert works(first, file, client_of(stand_in)) == ""
    with pytest.raises(StoppedError, match="machine_budget"):
        works(second, other_file, client_of(stand_in))
    asked = len(stand_in.requests)
    assert CALLS < asked < 2 * CALLS
    assert spent_by_machines(study) == asked * A_CALL <= BUDGET
    assert machine_budget_left(study) == BUDGET - asked * A_CALL
    assert MachineCall.objects.count() == asked, "a request that is not sent leaves nothing"
    assert broken_invariants(study) == []

    Study.objects.update(machine_budget=1)
    second = resume_judge(study=study, file=other_file, asked_at=now())
    assert works(second, other_file, client_of(stand_in)) == ""
    assert len(stand_in.requests) == 2 * CALLS
    assert summarise(second).units_left == 0


def test_the_limit_of_a_judge_holds_besides(stand_in: StandIn, written: Written) -> None:
    study = with_budget(Decimal(50))
    teach(stand_in, study)
    judge, file = begun(study, written(**{**PRICES, "most_money": 0.06}))
    with pytest.raises(StoppedError, match=r"of 0\.06"):
        works(judge, file, client_of(stand_in))
    assert used_by(judge).money <= Decimal("0.06")


class Between(ModelClient):
    """Does something between the check of the limits and the first request."""

    def __init__(self, server: StandIn, does: Callable[[], object]) -> None:
        super().__init__(url=server.url, key=KEY, timeout=5, retries=0, per_minute=1e9)
        self.does: Callable[[], object] | None = does

    def ask(self, *messages: Any, before: Callable[[int], object], **settings: Any) -> Reply:
        def reserved(unanswered: int) -> None:
            before(unanswered)
            does, self.does = self.does, None
            if does:
                does()

        return super().ask(*messages, before=reserved, **settings)


def test_a_request_under_way_counts_for_the_other_judges(stand_in: StandIn, written: Written) -> None:
    study = with_budget(Decimal("0.05"))
    teach(stand_in, study)
    (first, file), (second, other_file) = both(study, written)

    def other_judge_works() -> None:
        under_way = used_by(first).money
        assert under_way > Decimal("0.01"), "the most that the request can cost"
        with pytest.raises(StoppedError, match="machine_budget"):
            works(second, other_file, client_of(stand_in))
        assert spent_by_machines(study) == under_way + used_by(second).money <= Decimal("0.05")

    with pytest.raises(StoppedError, match="machine_budget"):
        works(first, file, Between(stand_in, other_judge_works))
    assert spent_by_machines(study) == len(stand_in.requests) * A_CALL <= Decimal("0.05")


@ON_SQLITE
def test_judges_that_work_at_once_stay_within_it(database: str, written: Written) -> None:
    server, study = StandIn(worth, {}), with_budget()
    teach(server, study)

    def work(judge: MachineJudge, file: JudgeFile) -> str:
        try:
            return works(judge, file, client_of(server))
        except StoppedError as error:
            return str(error)

    try:
        told = at_once([partial(work, *each) for each in both(study, written)])
    finally:
        server.stop()
    assert any("machine_budget" in text for text in told)
    assert len(server.requests) * A_CALL <= spent_by_machines(study) <= BUDGET
    assert broken_invariants(study) == []


def test_the_arms_of_a_study_share_it(db: None, stand_in: StandIn, written: Written) -> None:
    arms = make_arms("a", "b", judgments_per_document=1, machine_budget=BUDGET)
    teach(stand_in, arms[0])
    judge, file = begun(arms[0], written(**PRICES))
    assert works(judge, file, client_of(stand_in)) == ""
    teach(stand_in, arms[1])
    other, file = begun(arms[1], written(name="level", **PRICES))
    with pytest.raises(StoppedError, match="machine_budget"):
        works(other, file, client_of(stand_in))
    assert {spent_by_machines(arm) for arm in arms} == {len(stand_in.requests) * A_CALL}


@pytest.mark.parametrize(("status", "counted"), [("500", 1), ("429", 0)])
def test_what_stops_between_two_tries_counts_what_was_sent(
    status: str, counted: int, stand_in: StandIn, written: Written
) -> None:
    """The budget is used up while the client waits to repeat a request."""
    study = with_budget()
    teach(stand_in, study)
    judge, file = begun(study, written(**PRICES))
    stand_in.fail_next([status])

    def used_up(seconds: float) -> None:
        Study.objects.update(machine_budget=0)

    client = ModelClient(
        url=stand_in.url, key=KEY, timeout=5, retries=1, per_minute=1e9, sleep=used_up, clock=lambda: 0.0
    )
    with pytest.raises(StoppedError, match="machine_budget"):
        works(judge, file, client)
    assert len(stand_in.requests) == 1
    call = MachineCall.objects.get()
    assert (call.outcome, call.output_tokens) == ("failed", counted * judge.answer_tokens)


@pytest.mark.parametrize("missing", sorted(set(PRICES) - {"most_money"}))
def test_a_judge_file_needs_prices(missing: str, db: None, written: Written) -> None:
    told = faults_of(written(**{**PRICES, missing: None}), with_budget())
    assert f"{missing}: The price is missing, but the study has a budget" in told


def test_a_price_of_0_is_a_price(stand_in: StandIn, written: Written) -> None:
    study = with_budget(Decimal(0))
    teach(stand_in, study)
    judge, file = begun(study, written(**dict.fromkeys(PRICES, 0)))
    assert works(judge, file, client_of(stand_in)) == ""


def test_a_judge_without_prices_stops_when_the_study_gets_one(stand_in: StandIn, written: Written) -> None:
    study = with_budget(None)
    teach(stand_in, study)
    judge, file = begun(study, written(**UNPRICED))
    client = Between(stand_in, lambda: Study.objects.update(machine_budget=BUDGET))
    with pytest.raises(StoppedError, match="has no prices"):
        works(judge, file, client)
    assert len(stand_in.requests) == 1


def test_the_estimate_keeps_to_it(stand_in: StandIn, written: Written) -> None:
    study = with_budget()
    teach(stand_in, study)
    (first, file), (_, other_file) = both(study, written)
    assert estimate(study, file).most_money == estimate(study, file).budget_left == BUDGET
    works(first, file, client_of(stand_in))
    left = BUDGET - CALLS * A_CALL
    assert (estimate(study, file).most_money, estimate(study, file).budget_left) == (BUDGET, left)
    assert (estimate(study, other_file).most_money, estimate(study, other_file).budget_left) == (left, left)
    assert "0.0622 of 0.1 USD is left" in command(study, written(**PRICES), "--yes", "--resume")
    Study.objects.update(machine_budget="0.01")
    study.refresh_from_db()
    assert estimate(study, other_file).most_money == 0
    assert estimate(study, file).most_money == CALLS * A_CALL


@pytest.mark.django_db
def test_it_can_change_while_the_study_is_open(tmp_path: Path) -> None:
    folder = StudyFolder(tmp_path / "small")
    folder.imported()
    Study.objects.update(state="open")
    for line, budget in (('machine_budget = "2.50"\n', Decimal("2.50")), ("", None)):
        old = "[pay]\n" + ("" if line else 'machine_budget = "2.50"\n') + "[documents]"
        folder.replace("study.toml", "[documents]" if line else old, f"[pay]\n{line}[documents]")
        folder.imported(update=True)
        assert Study.objects.get().machine_budget == budget
