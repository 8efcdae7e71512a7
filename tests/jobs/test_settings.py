"""REDIS_URL and `run_jobs`: what they turn on, and what is said where they cannot."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import redis
from django.conf import settings

from judging.limits import RECENT
from judging.models import JobKind
from judging.services import jobs

ROOT = Path(__file__).resolve().parents[2]
PUT = """
from importlib import import_module
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
call_command("migrate", verbosity=0)
cache.set("colour", "green")
session = import_module(settings.SESSION_ENGINE).SessionStore()
session["who"] = "ada"
session.save()
print(session.session_key)
"""
GET = """
from importlib import import_module
from django.conf import settings
from django.core.cache import cache
session = import_module(settings.SESSION_ENGINE).SessionStore("KEY")
print(hasattr(session, "_cache"), session.get("who"), cache.get("colour"))
"""


def variables_read() -> set[str]:
    """The names of all variables that the site reads from the environment."""
    sources = [*(ROOT / "deploy").glob("*.py"), *(ROOT / "judging").rglob("*.py"), ROOT / "manage.py"]
    named = re.compile(r"\"(PLUMBLINE_[A-Z_]+|DATABASE_URL|REDIS_URL|EMAIL_URL)\"")
    return {name for source in sources for name in named.findall(source.read_text(encoding="utf-8"))}


def manage(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: text for name, text in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=inherited | variables | {"PLUMBLINE_VAR": str(folder)},
        capture_output=True,
        text=True,
    )


def shell(folder: Path, code: str, **variables: str) -> str:
    done = manage(folder, "shell", "-v0", "-c", code, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_redis_url_turns_on_the_cache_and_keeps_sessions_in_the_database(
    folder: Path, broker: str, queue: redis.Redis
) -> None:
    key = shell(folder, PUT, REDIS_URL=broker.replace("redis://", "valkey://"))
    read = GET.replace("KEY", key)
    assert {name.split(b":")[0] for name in queue.scan_iter()} == {b"plumbline"}
    assert shell(folder, read, REDIS_URL=broker) == "True ada green"
    queue.flushdb()
    assert shell(folder, read, REDIS_URL=broker) == "True ada None"
    assert shell(folder, read) == "False ada None"


@pytest.mark.parametrize(
    ("options", "url", "said"),
    [
        ([], "", "REDIS_URL is not set"),
        ([], "redis://127.0.0.1:1/0", "REDIS_URL: the server cannot be used"),
        (["--concurrency", "0"], "redis://127.0.0.1:1/0", "--concurrency must be 1 or more."),
        (["--queues", "files,clocks"], "redis://127.0.0.1:1/0", "--queues: there is no queue 'clocks'"),
    ],
)
def test_a_worker_that_cannot_start_says_why_in_one_line(
    folder: Path, options: list[str], url: str, said: str
) -> None:
    done = manage(folder, "run_jobs", *options, **({"REDIS_URL": url} if url else {}))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


def test_a_scheduler_that_cannot_start_says_why_in_one_line(folder: Path) -> None:
    done = manage(folder, "run_scheduler", REDIS_URL="redis://127.0.0.1:1/0")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("REDIS_URL: the server cannot be used")
    assert done.stderr.count("\n") == 1


def test_every_variable_is_documented_with_its_default() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \|.+\|.+\|$", (ROOT / "docs/running.md").read_text(), re.MULTILINE)
    assert len(rows) == len(set(rows))
    assert set(rows) == variables_read()


def test_what_the_documentation_promises_is_what_is_set(folder: Path) -> None:
    text = (ROOT / "docs/running.md").read_text()
    for promise in (
        f"After {jobs.STALE.seconds // 60} minutes without one",
        f"waited for {jobs.STALE.seconds // 60} minutes is sent again",
        f"within {RECENT.days} days",
        f"every {settings.CELERY_BEAT_SCHEDULE['tidy']['schedule'].seconds // 60} minutes",
    ):
        assert promise in text
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] > settings.CELERY_TASK_TIME_LIMIT
    assert {kind.value for kind in JobKind} == set(re.findall(r"^\| `([a-z]+)` \|", text, re.MULTILINE))
