"""Time and peak memory of `export` on a large study, on the embedded database.

    python -m tests.benchmarks.export_judgments [--judgments 1000000]

Makes the study in a database of its own, then runs each export as a process of its own, as a researcher does,
and prints its time, its peak memory and the size of its file. The database is thrown away.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXPORTS = (("judgments", "csv"), ("gains", "qrels"), ("units", "csv"))


def make_study(judgments: int) -> str:
    """The study, in the database of the environment; its slug."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from tests.benchmarks.large_study import LargeStudy

    return LargeStudy(judgments=judgments).study.slug


def measure(slug: str, what: str, form: str, folder: Path) -> str:
    """Export once, in a child whose peak memory is its own; a line for people."""
    path = folder / f"{what}.{form}"
    command = [sys.executable, "manage.py", "export", slug, "--what", what, "--format", form, "-o", str(path)]
    began = time.perf_counter()
    pid = os.posix_spawn(sys.executable, command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"the export of {what} failed")
    seconds, peak = time.perf_counter() - began, usage.ru_maxrss / 1024
    return f"{what:10} {seconds:7.1f} s  {peak:7.0f} MB peak  {path.stat().st_size / 1e6:8.1f} MB of {form}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--judgments", type=int, default=1_000_000, help="a multiple of 400")
    judgments = parser.parse_args().judgments
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"PLUMBLINE_VAR": folder, "DJANGO_SETTINGS_MODULE": "deploy.settings"}
        os.environ.pop("DATABASE_URL", None)
        began = time.perf_counter()
        slug = make_study(judgments)
        sys.stdout.write(f"{judgments:,} judgments made in {time.perf_counter() - began:.0f} s\n")
        for what, form in EXPORTS:
            sys.stdout.write(measure(slug, what, form, Path(folder)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
