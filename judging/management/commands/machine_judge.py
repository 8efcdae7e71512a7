"""`machine_judge SLUG JUDGE.toml`: let a language model go through a study, as a machine judge."""

import sys
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from random import SystemRandom
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from judging.core.clock import now
from judging.core.selectors.machine import judge_named, used_by
from judging.core.selectors.machine_summary import summarise
from judging.core.services.errors import RefusedError
from judging.machine.client import client_from_settings
from judging.machine.estimating import Estimate, estimate
from judging.machine.judge_file import JudgeFile, read_judge_file
from judging.machine.sittings import begin_judge, check_can_begin, judge_all, resume_judge
from judging.machine.spending import StoppedError, plain
from judging.machine.summary import lines_of
from judging.management.study_command import StudyCommand
from judging.models import MachineCall, MachineJudge, Study


class Command(StudyCommand):
    help = (
        "Let a language model judge a study as a machine judge, with the settings of a judge file. The model"
        " goes through the practice, the questions and the checks as workers do. PLUMBLINE_JUDGE_URL and"
        " PLUMBLINE_JUDGE_KEY name the chat address of the model and its key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the name of an open study")
        parser.add_argument("file", metavar="JUDGE.toml", type=Path, help="the judge file")
        parser.add_argument("--yes", action="store_true", help="agree to the cost without a question")
        parser.add_argument("--resume", action="store_true", help="go on with a judge that stopped")

    def handle(self, *, slug: str, file: Path, yes: bool, resume: bool, **options: Any) -> None:
        study = self.study(slug)
        judge_file = read_judge_file(file, study)
        client = client_from_settings(
            timeout=float(judge_file.timeout_seconds),
            retries=judge_file.retries,
            per_minute=float(judge_file.requests_per_minute),
        )
        moment = now()
        if not resume:
            check_can_begin(study, judge_file.name, now=moment)
        cost = estimate(study, judge_file)
        self._tell_cost(study, judge_file, cost)
        if not yes and not self._agrees():
            raise CommandError("Nothing was asked of the model. Add --yes to agree to the cost.")
        moment, rng = now(), SystemRandom()
        if resume:
            judge = resume_judge(study=study, file=judge_file, asked_at=moment)
        else:
            judge = begin_judge(study=study, file=judge_file, now=moment, rng=rng, asked_at=moment)
        with tqdm(
            total=cost.usual_calls,
            initial=min(used_by(judge).calls, cost.usual_calls),
            desc="Asking",
            unit="call",
            leave=False,
            disable=None,
        ) as bar:

            def told(call: MachineCall) -> None:
                bar.update(1)

            fault = self._judge(judge, judge_file, client, rng, told)
        for line in lines_of(summarise(judge)):
            self.stdout.write(line)
        if fault:
            raise CommandError(fault)

    def _judge(self, judge: MachineJudge, file: JudgeFile, client: Any, rng: Any, told: Any) -> str:
        """Let the judge work, and return why it stopped, or "" if it is done."""
        try:
            return judge_all(judge, file, client, rng=rng, told=told)
        except (StoppedError, RefusedError) as error:
            return f"The judge stopped: {error}"
        except KeyboardInterrupt:
            return "Interrupted. What is done is kept. To go on, run the command again with --resume."

    def _tell_cost(self, study: Study, file: JudgeFile, cost: Estimate) -> None:
        existing = judge_named(study, file.name)
        if existing:
            used = used_by(existing)
            self.stdout.write(
                f"{file.name} has used {used.calls:,} calls, {used.tokens:,} tokens and money"
                f" {plain(used.money)} so far. The numbers below are for all of its work."
            )
        self.stdout.write(
            f"Machine judge {file.name} in study {study.slug}: {cost.units:,} units with the model"
            f" {file.model} and the prompt {file.prompt.name}."
        )
        self.stdout.write(f"Calls: about {cost.usual_calls:,}, at most {cost.most_calls:,}.")
        self.stdout.write(f"Tokens: about {cost.usual_tokens:,}, at most {cost.most_tokens:,}.")
        self.stdout.write(f"Money: about {plain(cost.usual_money)}, at most {plain(cost.most_money)}.")
        budget = study.entrance.machine_budget
        if budget is not None and cost.budget_left is not None:
            left = max(cost.budget_left, Decimal(0))
            self.stdout.write(
                f"Budget of the study for machine judges: {plain(left)} of {plain(budget)} {study.currency}"
                " is left."
            )
        self.stdout.write(f"Time: at least {_span(cost.least_seconds)}, at most {_span(cost.most_seconds)}.")

    def _agrees(self) -> bool:
        """Ask for a yes, and return whether it came. Without a terminal, return False."""
        if not sys.stdin.isatty():
            return False
        self.stdout.write("Type yes to begin: ", ending="")
        self.stdout.flush()
        return sys.stdin.readline().strip().casefold() == "yes"


def _span(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
