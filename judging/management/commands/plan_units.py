"""`plan_units`: decide about further units of an adaptive study, or check the earlier decisions."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.management.study_command import StudyCommand
from judging.models import AllocationDecision
from judging.understanding.services.allocating import check_decisions, plan_next_batch


class Command(StudyCommand):
    help = (
        "Decide whether the ranking of an adaptive study is settled, and plan its next units if it is not. "
        "The site does this by itself when all units are done. With --check, repeat all earlier decisions "
        "from the judgments and the runs, and exit with status 1 if one differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("--check", action="store_true", help="repeat the earlier decisions")

    def handle(self, *, slug: str, check: bool, **options: Any) -> None:
        study = self.study(slug)
        if check:
            self._check(slug, dict(check_decisions(study)))
            return
        decision = plan_next_batch(study=study, now=now())
        self.stdout.write(decision_line(decision))

    def _check(self, slug: str, differing: dict[int, list[str]]) -> None:
        if wrong := {number: names for number, names in differing.items() if names}:
            lines = (f"decision {number} differs in {', '.join(names)}" for number, names in wrong.items())
            raise CommandError(f"study {slug}: {'; '.join(lines)}")
        self.stdout.write(f"Study {slug}: {len(differing)} decisions repeated, all are the same.")


def decision_line(decision: AllocationDecision) -> str:
    """Return a sentence about a decision."""
    evidence = decision.record["evidence"]
    return (
        f"Decision {decision.number} of study {decision.study.slug}: {decision.reason}. Expected tau "
        f"{evidence['tau']:.3f}, expected overlap of top sets {evidence['overlap']:.3f}, "
        f"{evidence['judgments']:,} judgments. New units: {len(decision.unit_numbers)}."
    )
