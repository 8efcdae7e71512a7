"""Pickled data runs code of its sender's choice: nothing from cache, broker or file is unpickled."""

import base64
import json
import pickle
import shelve
import subprocess
from pathlib import Path
from uuid import uuid4

import pytest
import redis

from judging.core.clock import now
from judging.core.services import jobs
from judging.models import JobKind
from tests.factories import make_study
from tests.jobs.conftest import broker, queue
from tests.jobs.test_settings import manage
from tests.jobs.workers import database_url, is_over, working
from tests.support.processes import Program

__all__ = ["broker", "queue"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

READ = """
from contextlib import suppress
from importlib import import_module
from django.conf import settings
from django.core.cache import cache
from django_redis import get_redis_connection

Store = import_module(settings.SESSION_ENGINE).SessionStore
session = Store()
session["who"] = "ada"
session.save()
planted = bytes.fromhex("{planted}")
for key in (session.cache_key, "colour"):
    cache.set(key, "anything")
    get_redis_connection().set(cache.make_key(key), planted)
with suppress(ValueError):
    cache.get("colour")
with suppress(ValueError):
    Store(session.session_key).load()
print("read")
"""


class Touches:
    """An object that creates a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return subprocess.call, (["touch", str(self.path)],)


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """The file that exists once something has unpickled the trap."""
    return tmp_path / "unpickled"


def test_nothing_from_the_cache_is_unpickled(tmp_path: Path, mark: Path, broker: str) -> None:
    code = READ.replace("{planted}", pickle.dumps(Touches(mark)).hex())
    done = manage(tmp_path, "shell", "-v0", "-c", code, REDIS_URL=broker, DATABASE_URL=database_url())
    assert done.stdout == "read\n", done.stderr
    assert not mark.exists()


def test_no_message_is_unpickled(tmp_path: Path, mark: Path, broker: str, queue: "redis.Redis") -> None:
    identity = str(uuid4())
    message = {
        "body": base64.b64encode(pickle.dumps(Touches(mark))).decode(),
        "content-encoding": "binary",
        "content-type": "application/x-python-serialize",
        "headers": {"lang": "py", "task": "judging.export", "id": identity, "root_id": identity},
        "properties": {
            "correlation_id": identity,
            "delivery_mode": 2,
            "delivery_info": {"exchange": "", "routing_key": "files"},
            "priority": 0,
            "body_encoding": "base64",
            "delivery_tag": identity,
        },
    }
    queue.lpush("files", json.dumps(message))
    parameters = {"what": "units", "format": "csv"}
    job = jobs.request(kind=JobKind.EXPORT, study=make_study(), parameters=parameters, now=now())
    with working(tmp_path, broker, "--queues", "files") as worker:
        worker.wait_for(lambda: is_over(job))
        worker.wait_for(lambda: queue.llen("files") == 0)
        assert "x-python-serialize" in worker.log.read_text(), "the message was read, and refused"
    assert not mark.exists()


def test_the_scheduler_unpickles_no_file(
    tmp_path: Path, mark: Path, broker: str, queue: "redis.Redis"
) -> None:
    with shelve.open(str(tmp_path / "schedule")) as file:
        file["entries"] = file["__version__"] = Touches(mark)
    site = {"DATABASE_URL": database_url(), "REDIS_URL": broker, "PLUMBLINE_VAR": str(tmp_path)}
    scheduler = Program(tmp_path / "scheduler.log", "run_scheduler", **site)
    try:
        scheduler.wait_for(lambda: "beat: Starting" in scheduler.log.read_text())
        scheduler.wait_for(lambda: queue.llen("clock") == 1)
    finally:
        scheduler.stop()
    assert scheduler.process.returncode == 0
    assert not mark.exists()
