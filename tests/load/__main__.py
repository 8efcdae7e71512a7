"""Loads on a site of one's own, on this machine alone, and what they measure.

    python -m tests.load throughput --database sqlite --clients 8 32 128
    python -m tests.load pace --database postgresql --workers 500
    python -m tests.load study --workers 1340
    python -m tests.load soak --rate 80 --minutes 30

Each starts a database and `manage.py serve`, lets simulated workers go the whole way over HTTP, and takes all
down again. Results come on stdout as JSON.
"""

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from tests.load.collection import POOL, TOPICS
from tests.load.site import Site, site_of

NO_WAITING = 0.001
"""Seconds per document: the workers are as fast as the site, and the check of time is made all the same."""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    measurements = parser.add_subparsers(dest="measurement", required=True)
    fast = _command(measurements, "throughput", "judgments a second, as fast as the site answers", pool=400)
    fast.add_argument("--clients", type=int, nargs="+", default=[8, 32, 128, 500], help="connections at once")
    fast.add_argument("--seconds", type=float, default=30, help="for each number of clients")
    fast.add_argument("--least", type=int, default=0, metavar="ANSWERS", help="stored before a load ends")
    fast.add_argument("--warm-up", type=float, metavar="SECONDS", help="by default until all judge")
    fast.add_argument("--judged", type=int, default=0, help="judgments that the study has already")
    pace = _command(measurements, "pace", "workers at a human pace", pool=POOL)
    pace.add_argument("--workers", type=int, default=500, help="at once")
    pace.add_argument("--seconds", type=float, default=180, help="after they have come")
    pace.add_argument("--every", type=float, default=25, metavar="SECONDS", help="for each answer")
    whole = _command(measurements, "study", "a study judged to its end; by default 7,059 units", pool=POOL)
    whole.add_argument("--workers", type=int, default=1340, help="in all")
    whole.add_argument("--clients", type=int, default=32, help="of them at once")
    long = _command(measurements, "soak", "a steady load for a long time", pool=None)
    long.add_argument("--rate", type=float, required=True, help="answers a second")
    long.add_argument("--clients", type=int, default=32, help="connections at once")
    long.add_argument("--minutes", type=float, default=30)
    long.add_argument("--every", type=float, default=30, metavar="SECONDS", help="between two looks")
    options = parser.parse_args(arguments)
    json.dump(MEASUREMENTS[options.measurement](options), sys.stdout, indent=1)


def _command(measurements: Any, name: str, what: str, *, pool: int | None) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = measurements.add_parser(name, help=what, description=what)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="postgresql")
    parser.add_argument("--processes", type=int, default=3, help="that serve the site")
    parser.add_argument("--pool", type=int, default=pool, help="documents of each of 18 topics")
    return parser


def throughput(options: argparse.Namespace) -> dict[str, Any]:
    """Several numbers of clients, one after the other, on one study."""
    with site_of(
        options.database,
        processes=options.processes,
        judged=options.judged,
        seconds=NO_WAITING,
        pool=options.pool,
    ) as site:
        from tests.load.runs import load

        loads = [
            load(
                site,
                clients,
                seconds=options.seconds,
                warm_up=options.warm_up,
                least=options.least,
                seed=clients,
            )
            for clients in options.clients
        ]
        return {"loads": [asdict(item) for item in loads], "afterwards": _afterwards(site)}


def pace(options: argparse.Namespace) -> dict[str, Any]:
    """Workers as slow as people, on a study that asks for most of that time."""
    with site_of(
        options.database, processes=options.processes, seconds=options.every * 0.7, pool=options.pool
    ) as site:
        from tests.load.runs import human_pace

        measured = human_pace(site, options.workers, seconds=options.seconds, answer_every=options.every)
        return {"load": asdict(measured), "afterwards": _afterwards(site)}


def study(options: argparse.Namespace) -> dict[str, Any]:
    """All units of a study. Reservations lapse after a minute, since nobody here comes back an hour later."""
    with site_of(
        options.database, processes=options.processes, seconds=NO_WAITING, pool=options.pool, lapse_minutes=1
    ) as site:
        from tests.load.runs import whole_study

        judged = whole_study(site, options.workers, clients=options.clients, stays=0.9)
        return {"judged": asdict(judged), "afterwards": _afterwards(site)}


def soak(options: argparse.Namespace) -> dict[str, Any]:
    """The same rate all the time, with as many units as that needs and some more."""
    answers = options.rate * options.minutes * 60
    pool = options.pool or max(20, round(answers / 8 / TOPICS * 0.9))
    with site_of(options.database, processes=options.processes, seconds=NO_WAITING, pool=pool) as site:
        from tests.load.runs import soak as soaked

        minutes, every = options.minutes * 60, options.every
        samples, faults = soaked(
            site, clients=options.clients, rate=options.rate, seconds=minutes, every=every
        )
        return {
            "faults": faults,
            "samples": [asdict(sample) for sample in samples],
            "afterwards": _afterwards(site),
        }


def _afterwards(site: Site) -> dict[str, Any]:
    """What is there when all have left: against the plan, and against the rules that data must follow."""
    from tests.support.collected import collected
    from tests.support.integrity import broken_invariants

    return {**collected(site.study), "broken invariants": broken_invariants(site.study)}


MEASUREMENTS = {"throughput": throughput, "pace": pace, "study": study, "soak": soak}

if __name__ == "__main__":
    main()
