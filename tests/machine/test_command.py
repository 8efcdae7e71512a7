"""The command `machine_judge`: it tells the cost, asks, and reports; and nothing else shows the numbers."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from judging.archive.catalogue import OFFERED, export_chunks
from judging.core.selectors.machine import judge_named, used_by
from judging.core.selectors.magnitudes import study_gains
from judging.machine.estimating import estimate
from judging.machine.judge_file import read_judge_file
from judging.models import MachineCall, MachineJudge, Participation, Study, Unit
from tests.factories import judge_unit, later, make_worker
from tests.machine.conftest import Written, study_on, teach
from tests.machine.stand_in import KEY, StandIn

PAGES = (
    "study",
    "workers",
    "quality",
    "events",
    "understanding",
    "documents",
    "results",
    "table1",
    "payments",
)


def run(study: Study, path: Path, *options: str) -> str:
    out = io.StringIO()
    call_command("machine_judge", study.slug, str(path), *options, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_the_command_judges_and_reports(study: Study, stand_in: StandIn, written: Written) -> None:
    teach(stand_in, study)
    told = run(study, written(), "--yes")
    judge = MachineJudge.objects.get()
    for part in (
        "Calls: about 21, at most ",
        "Tokens: about ",
        "Money: about ",
        "Time: at least ",
        f"prompt magnitude version 2 (SHA-256 {judge.prompt_sha256})",
        "Calls: 21; tokens: 2,100 read, 420 written; money: 0.00378; seconds: ",
        "Faults of the judge: 0 refused, 0 unparsable, 0 failed.",
        "Check of the practice: 1 passed, 0 failed.",
        "Check of the question: 2 passed, 0 failed.",
        "Check of the anchors: 2 passed, 0 failed.",
        "Units: 2 done, 0 left, in 1 sittings",
    ):
        assert part in told
    assert KEY not in told
    assert stand_in.address not in told


def test_without_a_yes_nothing_is_asked_and_nothing_is_stored(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    with pytest.raises(CommandError, match="Nothing was asked of the model"):
        run(study, written())
    assert not stand_in.requests
    assert not Unit.objects.filter(kind="machine").exists()
    assert not Participation.objects.exists()


@pytest.mark.parametrize(("typed", "asks"), [("yes\n", True), ("\n", False), ("no\n", False)])
def test_a_person_at_a_terminal_is_asked(
    typed: str, asks: bool, study: Study, stand_in: StandIn, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    teach(stand_in, study)
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    if asks:
        assert "Type yes to begin" in run(study, written())
    else:
        with pytest.raises(CommandError):
            run(study, written())
    assert bool(stand_in.requests) is asks


def test_the_address_must_be_set(study: Study, settings: Settings, written: Written) -> None:
    settings.JUDGE_URL = ""
    with pytest.raises(CommandError, match="PLUMBLINE_JUDGE_URL is not set"):
        run(study, written(), "--yes")


@pytest.mark.parametrize(
    ("state", "options", "told"),
    [
        ("paused", ["--yes"], "does not give out work"),
        ("open", ["--yes", "--resume"], "has no machine judge named gauge"),
    ],
)
def test_what_cannot_begin_is_refused(
    state: str, options: list[str], told: str, study: Study, stand_in: StandIn, written: Written
) -> None:
    Study.objects.update(state=state)
    with pytest.raises(CommandError, match=told):
        run(study, written(), *options)
    assert not stand_in.requests


def test_a_judge_that_stopped_goes_on(study: Study, stand_in: StandIn, written: Written) -> None:
    teach(stand_in, study)
    stand_in.fail_next(["", "", "", "", "", "401"])
    with pytest.raises(CommandError, match=r"status 401.*--resume"):
        run(study, written(), "--yes")
    with pytest.raises(CommandError, match="already has a machine judge named gauge"):
        run(study, written(), "--yes")
    told = run(study, written(), "--yes", "--resume")
    assert "gauge has used 6 calls" in told
    assert "Units: 2 done, 0 left" in told


@pytest.mark.parametrize("scale", ["magnitude", "0-100", "grades", "preference"])
@pytest.mark.parametrize("inverts", [0, 10**6])
def test_the_estimate_is_an_upper_bound(
    inverts: int, scale: str, stand_in: StandIn, written: Written
) -> None:
    study = study_on(scale, documents=12)
    stand_in.inverts = inverts
    stand_in.counts_tokens = False
    teach(stand_in, study)
    prompt = "umbrela" if scale == "grades" else scale
    path = written(prompt=prompt)
    cost = estimate(study, read_judge_file(path, study))
    run(study, path, "--yes")
    judge = judge_named(study, "gauge")
    assert judge is not None
    used = used_by(judge)
    assert cost.units == Unit.objects.filter(kind="machine").count() == 4
    assert used.calls <= cost.most_calls
    assert used.tokens <= cost.most_tokens
    assert used.money <= cost.most_money
    if not inverts:
        assert used.calls == cost.usual_calls


def test_its_numbers_are_nowhere_unless_somebody_asks(
    study: Study, stand_in: StandIn, written: Written, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = later(hours=999).isoformat()
    clocks = {"sqlite": f"'{moment}'", "postgresql": f"timestamptz '{moment}'"}
    monkeypatch.setattr("judging.core.clock._EXPRESSIONS", clocks)
    person = make_worker(study)
    judge_unit(person)
    client.force_login(get_user_model().objects.create_superuser("root"))
    pages = [reverse(f"console:{name}", args=[study.slug]) for name in PAGES]
    nonce = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|nonce="[^"]+"')

    def everything() -> dict[str, Any]:
        exports = {
            what: b"".join(export_chunks(study, what, "jsonl")) for what in OFFERED if what != "bundle"
        }
        shown = {page: nonce.sub("", client.get(page).content.decode()) for page in pages}
        return {**exports, **shown, "gains": study_gains(study).table.rows()}

    before = everything()
    teach(stand_in, study)
    run(study, written(), "--yes")
    after = everything()
    secrets = (KEY, str(stand_in.port), "stand-in-1", MachineCall.objects.latest("pk").answer[:20])
    assert [name for name in before if before[name] != after[name]] == []
    assert not any(secret in str(value) for value in after.values() for secret in secrets)
    asked = b"".join(export_chunks(study, "judgments", "jsonl", kinds=["machine"]))
    rows = [json.loads(line) for line in asked.splitlines()]
    assert {row["judge"] for row in rows} == {"machine"}
    assert len(rows) == 16
    assert KEY not in asked.decode()
