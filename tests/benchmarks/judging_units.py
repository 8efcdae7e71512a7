"""A worker's unit, from its topic to its code, page by page: by kept statements and by way of the ORM.

`python -m tests.benchmarks.judging_units [--units 10] [--rounds 7]`, in the database of DATABASE_URL, which
must be empty and migrated. Both ways take turns on the same study in one process, without a network; printed
are the medians in milliseconds a unit, and how many times as long the ORM takes.
"""

import os
from argparse import ArgumentParser
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judging.models import Study


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=10, help="units a round and way")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection

    from judging.core.services import ending
    from judging.core.statements import Prepared, save_fields
    from judging.worker.services import comprehension, reservation, submitting
    from tests.factories import make_study

    settings.ALLOWED_HOSTS = ["*"]
    enough = 4 * args.units * args.rounds
    study = make_study(topics=3, seconds_per_document=0, judgments_per_document=enough)
    reads, writers = Prepared.all, [comprehension, ending, reservation, submitting]
    seconds: dict[str, list[float]] = {"kept": [], "orm": []}
    _judge(study, args.units)  # so that nothing is done for the first time
    for _ in range(args.rounds):
        for way in seconds:
            Prepared.all = reads if way == "kept" else _read_by_orm
            for module in writers:
                vars(module)["save_fields"] = save_fields if way == "kept" else _write_by_orm
            seconds[way].append(_judge(study, args.units))
    ours, orm = (1000 * median(second) for second in seconds.values())
    ratio = median(slow / fast for fast, slow in zip(*seconds.values(), strict=True))
    print(f"{connection.vendor}: kept {ours:.1f} ms a unit, the ORM {orm:.1f} ms, {ratio:.2f} times as long")


def _read_by_orm(read: Any, **values: Any) -> list[Any]:
    return list(read.queryset(**values))


def _write_by_orm(one: Any, *names: str) -> None:
    one.save(update_fields=names)


def _judge(study: "Study", units: int) -> float:
    """Have new workers judge a unit each; returns the seconds a unit."""
    from tests.factories import make_worker
    from tests.support.visitor import Visitor, through_client
    from tests.worker.pages.actions import judge_all, take_topic

    spent = 0.0
    for _ in range(units):
        visitor, worker = Visitor(through_client()), make_worker(study, upto="ready")
        visitor.open(f"/s/{study.slug}/resume/{worker.token}/")
        began = perf_counter()
        take_topic(visitor, worker)
        judge_all(visitor, worker)
        spent += perf_counter() - began
    return spent / units


if __name__ == "__main__":
    main()
