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

from tests.load.site import Site, site_of

NO_WAITING = 0.001
"""Seconds per document: the workers are as fast as the site, and the check of time is made all the same."""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    measurements = parser.add_subparsers(dest="measurement", required=True)
    fast = _command(measurements, "throughput", "judgments a second, as fast as the site answers")
    fast.add_argument("--clients", type=int, nargs="+", default=[8, 32, 128, 500], help="connections at once")
    fast.add_argument("--seconds", type=float, default=30, help="for each number of clients")
    pace = _command(measurements, "pace", "workers at a human pace")
    pace.add_argument("--workers", type=int, default=500, help="at once")
    pace.add_argument("--seconds", type=float, default=180, help="after they have come")
    pace.add_argument("--every", type=float, default=25, metavar="SECONDS", help="for each answer")
    whole = _command(measurements, "study", "a study of 18 topics and 7,059 units, judged to its end")
    whole.add_argument("--workers", type=int, default=1340, help="in all")
    whole.add_argument("--clients", type=int, default=32, help="of them at once")
    long = _command(measurements, "soak", "a steady load for a long time")
    long.add_argument("--rate", type=float, required=True, help="answers a second")
    long.add_argument("--clients", type=int, default=32, help="connections at once")
    long.add_argument("--minutes", type=float, default=30)
    options = parser.parse_args(arguments)
    json.dump(MEASUREMENTS[options.measurement](options), sys.stdout, indent=1)


def _command(measurements: Any, name: str, what: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = measurements.add_parser(name, help=what, description=what)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="postgresql")
    return parser


def throughput(options: argparse.Namespace) -> Any:
    with site_of(options.database, seconds=NO_WAITING, pool=1000) as site:
        from tests.load.runs import load

        return [
            asdict(load(site, clients, seconds=options.seconds, seed=clients)) for clients in options.clients
        ] + [_integrity(site)]


def pace(options: argparse.Namespace) -> Any:
    with site_of(options.database, seconds=options.every * 0.7) as site:
        from tests.load.runs import human_pace

        measured = human_pace(site, options.workers, seconds=options.seconds, answer_every=options.every)
        return [asdict(measured), _integrity(site)]


def study(options: argparse.Namespace) -> Any:
    with site_of(options.database, seconds=NO_WAITING, lapse_minutes=1) as site:
        from tests.load.runs import whole_study
        from tests.support.collected import collected

        judged = whole_study(site, options.workers, clients=options.clients, stays=0.9)
        return [asdict(judged), collected(site.study), _integrity(site)]


def soak(options: argparse.Namespace) -> Any:
    answers = options.rate * options.minutes * 60
    with site_of(options.database, seconds=NO_WAITING, pool=max(20, round(answers / 8 / 18 * 0.8))) as site:
        from tests.load.runs import soak as soaked

        samples, faults = soaked(
            site, clients=options.clients, rate=options.rate, seconds=options.minutes * 60, every=30
        )
        return [{"faults": faults, "samples": [asdict(sample) for sample in samples]}, _integrity(site)]


def _integrity(site: Site) -> dict[str, Any]:
    from tests.support.integrity import broken_invariants

    return {"broken invariants": broken_invariants(site.study)}


MEASUREMENTS = {"throughput": throughput, "pace": pace, "study": study, "soak": soak}

if __name__ == "__main__":
    main()
