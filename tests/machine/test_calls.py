"""Calls to the model: faults, retries, limits, a crash in the middle, and what is kept of them."""

import logging
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.apps import apps

from judging.core.clock import now
from judging.core.selectors.machine import sittings_of, used_by
from judging.core.selectors.machine_summary import summarise
from judging.core.services.errors import RefusedError
from judging.machine.client import Message, ModelClient, NoReplyError, Reply
from judging.machine.judge_file import read_judge_file
from judging.machine.sittings import judge_all, resume_judge
from judging.machine.spending import StoppedError
from judging.models import MachineCall, Study
from judging.watching.services.workers import block_worker
from tests.machine.conftest import Written, begun, client_of, study_on, teach
from tests.machine.stand_in import KEY, StandIn
from tests.support.integrity import broken_invariants

ASKED: list[Message] = [
    {"role": "system", "content": "Judge."},
    {"role": "user", "content": "Practice\n###\n"},
]


def ask(client: ModelClient) -> Reply:
    return client.ask(ASKED, model="m", temperature=0.0, seed=None, most_tokens=50)


@pytest.mark.parametrize("fault", ["429", "500", "503", "cut", "closed"])
def test_the_client_asks_again_after_a_fault_that_passes(fault: str, stand_in: StandIn) -> None:
    stand_in.fail_next([fault])
    assert ask(client_of(stand_in)).text == "Answer: 3"
    assert len(stand_in.requests) == 2


def test_the_client_waits_for_a_slow_model_no_longer_than_it_may(stand_in: StandIn) -> None:
    stand_in.fail_next(["slow"])
    assert ask(client_of(stand_in, timeout=0.5, retries=1)).text == "Answer: 3"
    stand_in.fail_next(["slow"])
    with pytest.raises(NoReplyError, match="did not answer in time"):
        ask(client_of(stand_in, timeout=0.3, retries=0))


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("429", "status 429"),
        ("500", "status 500"),
        ("401", "status 401"),
        ("cut", "connection"),
        ("closed", "connection"),
        ("wrong JSON", "not a chat completion"),
        ("other JSON", "not a chat completion"),
        ("empty choices", "not a chat completion"),
        ("a list", "not a chat completion"),
    ],
)
def test_a_fault_that_stays_is_told_in_a_sentence(fault: str, told: str, stand_in: StandIn) -> None:
    stand_in.fail_next([fault] * 3)
    with pytest.raises(NoReplyError, match=told) as error:
        ask(client_of(stand_in, retries=1))
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__
    assert KEY not in str(error.value)
    assert stand_in.address not in str(error.value)


def test_the_client_keeps_to_its_rate(stand_in: StandIn) -> None:
    slept: list[float] = []
    client = ModelClient(
        url=stand_in.url,
        key=KEY,
        timeout=5,
        retries=0,
        per_minute=30,
        sleep=slept.append,
        clock=lambda: 100.0,
    )
    for _ in range(3):
        ask(client)
    assert slept == [2.0, 4.0]


@pytest.mark.parametrize("fault", ["refusal", "polite refusal", "unparsable", "no lines", "length"])
def test_an_answer_without_use_is_asked_for_again_with_the_fault(
    fault: str, study: Study, stand_in: StandIn, written: Written
) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written())
    stand_in.fail_next(["", "", "", "", fault])
    assert judge_all(judge, file, client_of(stand_in), rng=Random(2)) == ""
    faults = summarise(judge).faults
    kind = "refused" if "refusal" in fault else "unparsable"
    assert faults == {**dict.fromkeys(faults, 0), kind: 1}
    call = MachineCall.objects.get(outcome=kind)
    again = stand_in.requests[5]["messages"]
    assert [message["role"] for message in again] == ["system", "user", "assistant", "user"]
    assert call.fault in again[-1]["content"]
    assert summarise(judge).units == 2


def test_a_judge_that_never_gives_a_usable_answer_gives_the_unit_back(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written(retries=1))
    stand_in.fail_next([*[""] * 4, "unparsable", "refusal"])
    judge_all(judge, file, client_of(stand_in), rng=Random(2))
    summary = summarise(judge)
    assert (summary.faults["unparsable"], summary.faults["refused"]) == (1, 1)
    assert (summary.units, summary.units_left) == (1, 0)
    assert broken_invariants(study) == []


def test_tokens_money_and_time_are_counted(study: Study, stand_in: StandIn, written: Written) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written())
    judge_all(judge, file, client_of(stand_in), rng=Random(2))
    used = used_by(judge)
    assert (used.calls, used.input_tokens, used.output_tokens) == (21, 2100, 420)
    assert used.money == Decimal("0.00378"), "2100 × 1 and 420 × 4 for a million"
    assert used.seconds > 0


def test_tokens_that_the_server_does_not_count_are_counted_as_bytes(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    teach(stand_in, study)
    stand_in.counts_tokens = False
    judge, file = begun(study, written())
    judge_all(judge, file, client_of(stand_in), rng=Random(2))
    sent = sum(len(message["content"].encode()) for message in stand_in.requests[0]["messages"])
    first = MachineCall.objects.earliest("pk")
    assert first.input_tokens == sent + 2 * 16
    assert first.output_tokens == len(first.answer)


@pytest.mark.parametrize(
    ("limit", "value", "raised", "told"),
    [
        ("most_tokens", 4_000, 10**6, "of 4000 tokens"),
        ("most_money", 0.006, 10, "of 0.006"),
    ],
)
def test_a_limit_stops_the_judge_before_it_is_exceeded(
    limit: str, value: float, raised: float, told: str, study: Study, stand_in: StandIn, written: Written
) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written(**{limit: value}))
    with pytest.raises(StoppedError, match=told):
        judge_all(judge, file, client_of(stand_in), rng=Random(2))
    used, asked = used_by(judge), len(stand_in.requests)
    assert 0 < used.calls == asked < 21
    assert float({"most_tokens": used.tokens, "most_money": used.money}[limit]) <= value
    assert broken_invariants(study) == []
    file = read_judge_file(written(**{limit: raised}), study)
    judge = resume_judge(study=study, file=file, asked_at=now())
    assert judge_all(judge, file, client_of(stand_in), rng=Random(3)) == ""
    assert len(stand_in.requests) == 21
    assert len(set(stand_in.prompts)) == 21


def test_a_limit_on_time_stops_the_judge(study: Study, stand_in: StandIn, written: Written) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written(most_seconds=1))
    stand_in.fail_next(["slow"])
    with pytest.raises(StoppedError, match="of 1 seconds"):
        judge_all(judge, file, client_of(stand_in), rng=Random(2))
    assert len(stand_in.requests) == 1


class KilledError(BaseException):
    """Stands for the end of the process."""


def killed_at(number: int, *, place: str) -> Callable[..., Any]:
    """Return a function that ends the process at its call with this number."""
    count = iter(range(1, 10**6))

    def told(*arguments: object) -> None:
        if next(count) == number:
            raise KilledError(place)

    return told


@pytest.mark.parametrize("scale", ["magnitude", "preference"])
@pytest.mark.parametrize("number", [2, 4, 5, 7, 12, 13, 20])
def test_after_a_crash_no_prompt_is_sent_twice(
    number: int, scale: str, stand_in: StandIn, written: Written
) -> None:
    """The process ends right after an answer was stored, before it was used."""
    study = study_on(scale)
    teach(stand_in, study)
    stand_in.inverts = 8 if scale == "magnitude" else 0
    path = written(prompt=scale)
    judge, file = begun(study, path)
    with pytest.raises(KilledError):
        judge_all(judge, file, client_of(stand_in), rng=Random(2), told=killed_at(number, place="stored"))
    assert len(stand_in.requests) == number
    judge = resume_judge(study=study, file=read_judge_file(path, study), asked_at=now())
    assert judge_all(judge, file, client_of(stand_in), rng=Random(3)) == ""
    assert len(set(stand_in.prompts)) == len(stand_in.prompts) == used_by(judge).calls
    assert summarise(judge).units == 2
    assert broken_invariants(study) == []


def test_a_failed_call_is_sent_again_when_the_judge_goes_on(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    teach(stand_in, study)
    path = written(retries=0)
    judge, file = begun(study, path)
    stand_in.fail_next(["", "", "500"])
    with pytest.raises(StoppedError, match="status 500"):
        judge_all(judge, file, client_of(stand_in, retries=0), rng=Random(2))
    assert summarise(judge).faults["failed"] == 1
    judge = resume_judge(study=study, file=file, asked_at=now())
    assert judge_all(judge, file, client_of(stand_in), rng=Random(3)) == ""
    assert summarise(judge).faults["failed"] == 0
    assert used_by(judge).calls == 21


@pytest.mark.parametrize(
    ("changes", "differing"),
    [
        ({"model": "other"}, "model"),
        ({"temperature": 0.7}, "temperature"),
        ({"seed": 8}, "seed"),
        ({"judgments": 2}, "judgments"),
    ],
)
def test_a_judge_stays_the_same_to_its_end(
    changes: dict[str, Any], differing: str, study: Study, stand_in: StandIn, written: Written
) -> None:
    begun(study, written())
    file = read_judge_file(written(**changes), study)
    with pytest.raises(RefusedError, match=f"differs in: {differing}"):
        resume_judge(study=study, file=file, asked_at=now())


def test_the_key_and_the_address_are_in_no_row_and_no_log(
    study: Study, stand_in: StandIn, written: Written, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    teach(stand_in, study)
    judge, file = begun(study, written())
    stand_in.fail_next(["key", "500", "429"])
    judge_all(judge, file, client_of(stand_in), rng=Random(2))
    assert f"Bearer {KEY}" in stand_in.keys
    assert "Your key is [removed]" in MachineCall.objects.earliest("pk").answer
    rows = str([row for model in apps.get_models() for row in model._base_manager.order_by().values_list()])
    for secret in (KEY, str(stand_in.port)):
        assert secret not in rows
    messages = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert not any(KEY in message or stand_in.address in message for message in messages)


def test_two_processes_do_not_run_one_judge(
    study: Study, stand_in: StandIn, written: Written, tmp_path: Path
) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written())

    def again(call: MachineCall) -> None:
        with pytest.raises(RefusedError, match="Another process"):
            judge_all(judge, file, client_of(stand_in), rng=Random(3))

    judge_all(judge, file, client_of(stand_in), rng=Random(2), told=again)


def test_a_document_that_the_server_does_not_accept_is_refused_and_the_judge_goes_on(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written())
    stand_in.fail_next(["", "", "", "", "400"])
    assert judge_all(judge, file, client_of(stand_in), rng=Random(2)) == ""
    summary = summarise(judge)
    assert summary.faults == {**dict.fromkeys(summary.faults, 0), "refused": 1}
    assert summary.units == 1
    assert MachineCall.objects.get(outcome="refused").money == 0


def test_a_server_that_accepts_no_practice_stops_the_judge(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written())
    stand_in.fail_next(["400"])
    with pytest.raises(StoppedError):
        judge_all(judge, file, client_of(stand_in), rng=Random(2))
    assert summarise(judge).faults["failed"] == 1


@pytest.mark.parametrize("fault", ["cut", "500"])
def test_a_request_whose_answer_did_not_arrive_counts_with_the_most_that_it_can_cost(
    fault: str, study: Study, stand_in: StandIn, written: Written
) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written())
    stand_in.fail_next([fault])
    judge_all(judge, file, client_of(stand_in), rng=Random(2))
    first, second = MachineCall.objects.order_by("pk")[:2]
    assert second.input_tokens == 100
    assert first.input_tokens - 100 >= len(stand_in.requests[0]["messages"][1]["content"])
    assert first.output_tokens == 20 + judge.answer_tokens
    assert first.money > second.money


def test_the_address_is_in_no_answer(study: Study, stand_in: StandIn, written: Written) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written())
    stand_in.fail_next(["", "", "", "", "address"])
    judge_all(judge, file, client_of(stand_in), rng=Random(2))
    host = stand_in.address.partition("//")[2]
    assert not MachineCall.objects.filter(answer__contains=host).exists()
    assert MachineCall.objects.filter(answer__contains="[removed]").exists()


def test_a_blocked_judge_gets_no_more_units(study: Study, stand_in: StandIn, written: Written) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written())
    block_worker(participation=judge.participation, now=judge.began_at)
    assert judge_all(judge, file, client_of(stand_in), rng=Random(2)) != ""
    assert stand_in.requests == []
    assert sittings_of(judge).count() == 1
