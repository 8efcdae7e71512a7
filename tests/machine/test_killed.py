"""`kill -9` of the real command in the middle of its work: it goes on, asks nothing twice, and counts all."""

import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from judging.core.selectors.machine import judge_named, used_by
from judging.core.selectors.machine_summary import summarise
from judging.models import MachineCall, Study
from tests.jobs.workers import database_url
from tests.machine.conftest import Written, study_on, teach, worth
from tests.machine.stand_in import KEY, StandIn
from tests.support.databases import ON_SQLITE
from tests.support.integrity import broken_invariants
from tests.support.listening import Request
from tests.support.processes import SECONDS, Program

TOKENS = 120
"""What the stand-in counts for each answer."""


class Kill(NamedTuple):
    """When the command is killed: at the request with this number, before its answer or `after` seconds."""

    request: int
    after: float | None = None


KILLS = (Kill(2), Kill(7, after=0.0), Kill(14))


class Killing(StandIn):
    """Kills the process that asks, when its time has come."""

    program: Program
    kill: Kill | None = None

    def answer(self, request: Request, body: bytes) -> None:
        is_last = self.kill is not None and len(self.requests) + 1 == self.kill.request
        after = self.kill.after if is_last and self.kill else None
        if is_last and after is None:
            self.program.kill()
        with suppress(OSError):  # nobody is left to read the answer
            super().answer(request, body)
        if after is not None:
            time.sleep(after)
            self.program.kill()


@pytest.mark.slow
@ON_SQLITE
def test_a_killed_command_goes_on(database: str, written: Written, tmp_path: Path) -> None:
    study, path = study_on("magnitude"), written()
    server = Killing(worth, {})
    teach(server, study)

    def run(kill: Kill | None, *options: str) -> None:
        server.kill = kill
        server.program = Program(
            tmp_path / "judge.log",
            "machine_judge",
            study.slug,
            str(path),
            "--yes",
            *options,
            DATABASE_URL=database_url(),
            PLUMBLINE_VAR=str(tmp_path),
            PLUMBLINE_JUDGE_URL=server.url,
            PLUMBLINE_JUDGE_KEY=KEY,
        )
        assert (server.program.process.wait(SECONDS) == 0) is (kill is None), server.program.log.read_text()

    lost = 0
    try:
        for kill in KILLS:
            run(kill, *(["--resume"] if server.requests else []))
            assert len(server.requests) == kill.request
            missing = len(set(server.prompts)) - stored()
            assert missing == 1 if kill.after is None else missing in (0, 1)
            assert_all_is_counted(study, server)
            lost += missing
        run(None, "--resume")
    finally:
        server.stop()
    assert len(server.prompts) - len(set(server.prompts)) == lost, "what was stored is not asked again"
    assert MachineCall.objects.count() == stored() == len(set(server.prompts))
    assert_all_is_counted(study, server)
    judge = judge_named(study, "gauge")
    assert judge is not None
    assert (summarise(judge).units, summarise(judge).units_left) == (2, 0)
    assert broken_invariants(study) == []


def stored() -> int:
    """Return how many answers are stored."""
    return MachineCall.objects.exclude(outcome="failed").count()


def assert_all_is_counted(study: Study, server: StandIn) -> None:
    """Even what was lost counts: the server has worked on it."""
    judge = judge_named(study, "gauge")
    assert judge is not None
    assert used_by(judge).tokens >= TOKENS * len(server.requests)
    assert used_by(judge).money > 0
