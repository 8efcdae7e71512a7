"""`simulate`: let simulated workers judge a study with the real protocol, in a fraction of the usual time."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from judging.core.selectors.adaptive import is_due
from judging.core.selectors.arms import arms_of
from judging.crowd.kinds import KINDS
from judging.crowd.names import DEFAULT, LABELS, crowd_named
from judging.crowd.rounds import judge_further_rounds, most_units_of, rounds_of
from judging.crowd.simulation import Crowd, prepare, progress_of, simulate, start_of
from judging.crowd.summary import failed_share, summarise, table
from judging.management.commands.plan_units import decision_line
from judging.management.study_command import StudyCommand
from judging.models import AllocationDecision, Study
from judging.watching.selectors.progress import Progress

_KINDS = "; ".join(f"{kind.name}: {kind.about}" for kind in KINDS.values())


class Command(StudyCommand):
    help = (
        "Let simulated workers judge a study with the real protocol. In an adaptive study, they also judge "
        f"the further units that its decisions plan, until it stops. Kinds of workers: {_KINDS}."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the name of a study without real workers")
        parser.add_argument(
            "--workers", type=_at_least_one, required=True, metavar="N", help="number of workers"
        )
        parser.add_argument(
            "--seed", type=int, required=True, metavar="S", help="the same seed gives the same data"
        )
        add_crowd(parser)
        parser.add_argument(
            "--start",
            type=_moment,
            metavar="TIME",
            help="when the first worker starts, such as 2026-03-02T09:00 (default: after the last activity"
            " in the study, or a fixed day)",
        )

    def handle(
        self,
        *,
        slug: str,
        workers: int,
        seed: int,
        crowd: str,
        start: datetime | None,
        **options: Any,
    ) -> None:
        study = self.study(slug)
        start = start or start_of(study)
        if prepare(study, start):
            self.stdout.write(f"Study {slug} was a draft and is now open.")
        before = progress_of(study)
        began = perf_counter()
        try:
            end = simulate_with_progress(
                study, Crowd(workers, seed, crowd_named(crowd)), start, decided=self._tell_decision
            )
        except KeyboardInterrupt:
            raise CommandError(
                "Interrupted. Finished work is kept. Run the command again to add new workers."
            ) from None
        self._report(study, before, seconds=perf_counter() - began, start=start, end=end)

    def _tell_decision(self, decision: AllocationDecision) -> None:
        self.stdout.write(decision_line(decision))

    def _report(
        self, study: Study, before: Progress, *, seconds: float, start: datetime, end: datetime
    ) -> None:
        after = progress_of(study)
        new = after.done - before.done
        for arm in arms_of(study):
            if arm.has_arms:
                self.stdout.write(f"Arm {arm.arm} (study {arm.slug}):")
            for line in table(summarise(arm)):
                self.stdout.write(line)
        pace = f", {1000 * seconds / new:.0f} ms per unit" if new else ""
        self.stdout.write(
            f"{after.done} of {after.wanted} units are done; {failed_share(study):.1%} of the finished units"
            f" failed a check at least once. Simulated time: {_hours(end - start)} from"
            f" {start:%Y-%m-%d %H:%M} UTC. Real time: {seconds:.1f} s{pace}."
        )
        if remaining := after.wanted - after.done:
            self.stdout.write(
                f"{remaining} units are left. Run the command again to add as many workers again."
            )
        if rounds := rounds_of(study):
            self.stdout.write(f"Rounds: {rounds.rounds}. The last decision: {rounds.reason or 'none'}.")


def add_crowd(parser: CommandParser) -> None:
    """Add the option that chooses one of the named crowds."""
    parser.add_argument(
        "--crowd", choices=LABELS, default=DEFAULT, help=f"how well the workers judge (default: {DEFAULT})"
    )


def simulate_with_progress(
    study: Study,
    crowd: Crowd,
    start: datetime,
    *,
    decided: Callable[[AllocationDecision], object] = lambda decision: None,
) -> datetime:
    """Let simulated workers judge a study, and show a progress bar on stderr.

    Return the simulated time of the last action. When all planned units of an adaptive study are done, decide
    about further units, and let new workers judge them. Call `decided` with each decision.
    """
    before, end = progress_of(study), start
    with tqdm(
        total=most_units_of(study),
        initial=before.done,
        desc="Judging",
        unit="unit",
        leave=False,
        disable=None,
    ) as bar:

        def show(done: int) -> None:
            bar.update(done - bar.n)

        if not is_due(study):
            end = simulate(study, crowd, start, progress=show)
        judge_further_rounds(study, crowd, progress=show, decided=decided)
    return max(end, start_of(study))


def _hours(span: timedelta) -> str:
    return f"{span.total_seconds() / 3600:.1f} hours"


def _at_least_one(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f'"{text}" is not a number of workers; write a whole number of at least 1')
    return int(text)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f'"{text}" is not a time; write it like 2026-03-02T09:00') from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
