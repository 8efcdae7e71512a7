"""REDIS_URL and `run_jobs`: what they turn on, and what is said where they cannot."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.cache import cache
from django.core.management import CommandError, call_command
from pytest_django import Settings

from deploy.sessions import SessionStore
from judging.core.services import jobs
from judging.limits import RECENT
from judging.models import JobKind
from tests.jobs.workers import database_url

ROOT = Path(__file__).resolve().parents[2]
NOWHERE = "redis://127.0.0.1:1/0"
CACHED = """
import json
from importlib import import_module
from django.conf import settings
from django.core.cache import cache
from django_redis import get_redis_connection

Store = import_module(settings.SESSION_ENGINE).SessionStore
session = Store()
session["who"] = "ada"
session.save()
cache.set("colour", "green")
redis = get_redis_connection()

def seen():
    again = Store(session.session_key)
    return [hasattr(again, "_cache"), again.get("who"), cache.get("colour")]

prefixes = {key.split(b":")[0].decode() for key in redis.keys()}
before = seen()
redis.flushdb()
print(json.dumps([session.session_key, sorted(prefixes), before, seen()]))
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


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_redis_url_turns_on_the_cache_and_keeps_sessions_in_the_database(folder: Path, broker: str) -> None:
    url = broker.replace("redis://", "valkey://")
    same = {"DATABASE_URL": database_url(), "PLUMBLINE_SECRET_KEY": site.SECRET_KEY}
    done = manage(folder, "shell", "-v0", "-c", CACHED, REDIS_URL=url, **same)
    assert done.returncode == 0, done.stderr
    key, prefixes, cached, emptied = json.loads(done.stdout)
    assert prefixes == ["plumbline"]
    assert cached == [True, "ada", "green"]
    assert emptied == [True, "ada", None]
    session = SessionStore(key)  # as a site without REDIS_URL has it
    assert (hasattr(session, "_cache"), session.get("who"), cache.get("colour")) == (False, "ada", None)


@pytest.mark.parametrize(
    ("command", "options", "url", "named"),
    [
        ("run_jobs", [], "", "REDIS_URL"),
        ("run_jobs", [], NOWHERE, "REDIS_URL"),
        ("run_jobs", ["--concurrency", "0"], NOWHERE, "--concurrency"),
        ("run_jobs", ["--queues", "files,clocks"], NOWHERE, "'clocks'"),
        ("run_scheduler", [], NOWHERE, "REDIS_URL"),
    ],
)
def test_a_worker_that_cannot_start_names_what_is_wrong(
    settings: Settings, command: str, options: list[str], url: str, named: str
) -> None:
    settings.REDIS_URL = url
    with pytest.raises(CommandError, match=named) as refusal:
        call_command(command, *options)
    assert "\n" not in str(refusal.value)


@pytest.mark.slow
def test_its_process_ends_with_one_line(folder: Path) -> None:
    done = manage(folder, "run_jobs", REDIS_URL=NOWHERE)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1


def test_every_variable_is_documented_with_its_default() -> None:
    page = (ROOT / "docs/guides/running.md").read_text()
    rows = re.findall(r"^\| `([A-Z_]+)` \|.+\|.+\|$", page, re.MULTILINE)
    assert len(rows) == len(set(rows))
    assert set(rows) == variables_read()


def test_what_the_documentation_promises_is_what_is_set(folder: Path) -> None:
    text = (ROOT / "docs/guides/running.md").read_text()
    for promise in (
        f"{jobs.STALE.seconds // 60} minutes",
        f"{RECENT.days} days",
        f"{site.CELERY_BEAT_SCHEDULE['tidy']['schedule'].seconds // 60} minutes",
    ):
        assert f" {promise}" in text
    assert site.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] > site.CELERY_TASK_TIME_LIMIT
    assert {kind.value for kind in JobKind} == set(re.findall(r"^\| `([a-z]+)` \|", text, re.MULTILINE))
