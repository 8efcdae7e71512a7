"""Let a simulated crowd judge a study: made-up workers on the real protocol, much faster than life."""

from argparse import ArgumentTypeError
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from judging.crowd.kinds import DEFAULT_MIX, KINDS, parse_mix
from judging.crowd.simulation import Crowd, prepare, progress_of, simulate, start_of
from judging.crowd.summary import failed_share, summarise, table
from judging.management.base import StudyCommand
from judging.models import Study
from judging.watching.selectors.progress import Progress

_KINDS = "; ".join(f"{kind.name}: {kind.about}" for kind in KINDS.values())
_MIX = ",".join(f"{name}={share}" for name, share in DEFAULT_MIX.items())


class Command(StudyCommand):
    help = f"Let simulated workers go through the real protocol of a study. The kinds: {_KINDS}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="a study without real participations")
        parser.add_argument("--workers", type=_at_least_one, required=True, metavar="N", help="how many come")
        parser.add_argument(
            "--seed", type=int, required=True, metavar="S", help="the same seed gives the same rows"
        )
        parser.add_argument(
            "--kinds", type=_mix, default=DEFAULT_MIX, metavar="MIX", help=f"shares by kind (default: {_MIX})"
        )
        parser.add_argument(
            "--start",
            type=_moment,
            metavar="TIME",
            help="when the crowd begins to come, such as 2026-03-02T09:00 (default: a fixed day, or after "
            "what happened in the study before)",
        )

    def handle(
        self,
        *,
        slug: str,
        workers: int,
        seed: int,
        kinds: dict[str, int],
        start: datetime | None,
        **options: Any,
    ) -> None:
        study = self.study(slug)
        start = start or start_of(study)
        if prepare(study, start):
            self.stdout.write(f"Study {slug} was a draft; it is open now.")
        before = progress_of(study)
        began = perf_counter()
        crowd = Crowd(workers, seed, kinds)
        try:
            end = simulate_shown(study, crowd, start)
        except KeyboardInterrupt:
            raise CommandError(
                "Interrupted. What is done stays; the same command brings new workers."
            ) from None
        self._report(study, before, seconds=perf_counter() - began, start=start, end=end)

    def _report(
        self, study: Study, before: Progress, *, seconds: float, start: datetime, end: datetime
    ) -> None:
        after = progress_of(study)
        new = after.done - before.done
        for line in table(summarise(study)):
            self.stdout.write(line)
        pace = f", {1000 * seconds / new:.0f} ms a unit" if new else ""
        self.stdout.write(
            f"{after.done} of {after.wanted} units done; {failed_share(study):.1%} of the finished ones"
            f" failed a check at least once. It took {_hours(end - start)} by the crowd's clock, from"
            f" {start:%Y-%m-%d %H:%M} UTC, and {seconds:.1f} s by ours{pace}."
        )
        if left := after.wanted - after.done:
            self.stdout.write(
                f"{left} units are left for lack of workers; the same command again brings as many more."
            )


def simulate_shown(study: Study, crowd: Crowd, start: datetime) -> datetime:
    """Simulate, with a bar on stderr that counts the units done; returns when the last worker left."""
    before = progress_of(study)
    with tqdm(
        total=before.wanted, initial=before.done, desc="Judging", unit="unit", leave=False, disable=None
    ) as bar:
        return simulate(study, crowd, start, progress=lambda done: bar.update(done - bar.n))


def _hours(span: timedelta) -> str:
    return f"{span.total_seconds() / 3600:.1f} hours"


def _at_least_one(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f'give a whole number of workers, at least 1, not "{text}"')
    return int(text)


def _mix(text: str) -> dict[str, int]:
    try:
        return parse_mix(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error).rstrip(".")) from None


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f'"{text}" is no time; write it like 2026-03-02T09:00') from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
