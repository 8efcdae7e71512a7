"""What bots that read nothing are paid, with and without the record over units.

    python -m tests.benchmarks.guessing [--bots 40] [--readers 40] [--seeds 3] [--anchor-pairs 1]

runs in the database of DATABASE_URL, which must be empty and migrated. The bots know the answers to the
questions, wait for the minimum time, type random numbers, and draw new ones after a failed check. The readers
are those of the typical crowd without spammers. All take units for as long as they get any, of 18 topics.
Printed are, for each way, the units that a bot and a reader started, completed, and are paid for without
review.

The test suite uses the function `measure`.
"""

import os
from argparse import ArgumentParser
from dataclasses import dataclass
from typing import Any

TOPICS = 18


@dataclass(frozen=True)
class Result:
    """The means of a group: units started, completed and paid without review, and the share stopped."""

    started: float
    completed: float
    due: float
    stopped: float

    def __str__(self) -> str:
        passed = f"{100 * self.completed / max(self.started, 1e-9):.1f} %"
        return (
            f"started {self.started:5.1f}  completed {self.completed:5.1f} ({passed})"
            f"  paid without review {self.due:5.1f}  stopped {100 * self.stopped:5.1f} %"
        )


def measure(
    *, bots: int, readers: int, seed: int, record_check: str, anchor_pairs: int = 1
) -> dict[str, Result]:
    """Let bots and readers judge a new study with units of 8 documents, and return the results of both."""
    from judging.models import Participation
    from tests.factories import NOW, make_study

    study = make_study(
        slug=f"guessing-{anchor_pairs}-{record_check}-{seed}",
        anchor_pairs=anchor_pairs,
        topics=TOPICS,
        documents=12,
        judgments_per_document=2 * (bots + readers),
        pay_per_unit="0.20",
        record_check=record_check,
        simulated=True,
    )
    _run(study, bots=bots, readers=readers, seed=seed, start=NOW)
    workers = Participation.objects.filter(study=study)
    return {
        "bots": _result(workers.filter(behaviour=BOT)),
        "readers": _result(workers.exclude(behaviour=BOT)),
    }


BOT = "bot"


def _run(study: Any, *, bots: int, readers: int, seed: int, start: Any) -> None:
    from dataclasses import replace

    import numpy as np

    from evaluation.crowds import TYPICAL
    from judging.crowd.kinds import READER
    from judging.crowd.mind import Mind, Reaction, traits_of
    from judging.crowd.simulation import run
    from judging.crowd.worker import SimulatedWorker
    from judging.crowd.world import World
    from judging.protocol.seeding import seeded_random

    class Persistent(Mind):
        """A mind that takes every unit it can get, and never gives up."""

        def react(self) -> Reaction:
            return Reaction.CORRECT

        def wants_another(self) -> bool:
            return True

    bot = replace(READER, name=BOT, understands=1.0, breaks_off=0.0, gives_back=0.0, slips=0.0)
    rng, model = seeded_random("guessing", seed), replace(TYPICAL, spammers=0.0)
    world, lives = World(study, model), []
    for number, traits in enumerate(traits_of(model, bots + readers, rng)):
        is_bot = number < bots
        name = f"guessing/{seed}/{number}"
        if is_bot:
            traits = replace(traits, reads=np.zeros(1, dtype=bool), patience=np.ones(1))
        kind = bot if is_bot else None
        mind = Persistent(
            traits, seeded_random(name, "mind"), least_seconds=study.seconds_per_document, kind=kind
        )
        worker = SimulatedWorker(
            study, world, mind, rng=seeded_random(name, "protocol"), names=seeded_random(name, study.slug)
        )
        lives.append(worker.life(rng.uniform(0, 7200)))
    run(study, lives, start)


def _result(workers: Any) -> Result:
    from judging.core.selectors.payments import PAYABLE
    from judging.core.selectors.records import FINISHED
    from judging.models import Assignment

    number = max(workers.count(), 1)
    units = Assignment.objects.filter(participation__in=workers)
    return Result(
        started=units.filter(FINISHED).count() / number,
        completed=units.filter(state="completed").count() / number,
        due=units.filter(PAYABLE).count() / number,
        stopped=workers.exclude(gate="").count() / number,
    )


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=40)
    parser.add_argument("--readers", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--anchor-pairs", type=int, choices=(1, 2), default=1)
    args = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    import django

    django.setup()
    for record_check in ("off", "on"):
        for seed in range(args.seeds):
            results = measure(
                bots=args.bots,
                readers=args.readers,
                seed=seed,
                record_check=record_check,
                anchor_pairs=args.anchor_pairs,
            )
            for group, result in results.items():
                print(f"record_check {record_check:3}  seed {seed}  {group:7}  {result}")


if __name__ == "__main__":
    main()
