"""The units of systemd: systemd takes them, they are shut off well, and what each starts does its work.

The commands are run as the units have them, with the variables of `plumbline.env`, on a real PostgreSQL and a
real Valkey, each without the right to make memory executable, which systemd takes away too. What systemd
itself does with the other settings is looked at by its own tools.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import redis
from django.utils.module_loading import import_string
from pytest_django import Settings

from deploy.environment import broker as broker_url
from deploy.queues import QUEUES
from judging.core.clock import now
from judging.core.services import jobs
from judging.models import Assignment, Job, JobKind, NoticeAbout
from tests.deploy.sockets import listening, mode
from tests.deploy.units import NAMES, UNITS, commands, environment, moved, valkey_command
from tests.factories import make_study, make_worker
from tests.jobs.workers import database_url, is_over
from tests.support.http_client import get
from tests.support.ports import free_port
from tests.support.processes import ROOT, Program
from tests.support.quick_sample import SAMPLE

ASKED: dict[str, tuple[JobKind, dict[str, Any]]] = {
    "post": (JobKind.NOTICE, {"about": NoticeAbout.CLOSED.value}),
    "files": (JobKind.EXPORT, {"what": "units", "format": "parquet"}),
    "figures": (JobKind.STATISTICS, {}),
    "intake": (JobKind.IMPORT, {"path": str(SAMPLE / "study.toml"), "slug": "brought", "update": False}),
}
"""What each queue is asked for, but that of the clock."""
OTHERS = ",".join(ASKED)
"""One worker for them: that each queue is somebody's is looked at in the units."""
HOST = {"Host": "judging.example.org"}


def analyze(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *words],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{folder}:"},
        capture_output=True,
        text=True,
    )


def test_systemd_takes_every_unit(tmp_path: Path) -> None:
    units = moved(tmp_path)
    done = analyze(units, "verify", "--man=no", *NAMES)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (units / "plumbline-web.service").open("a").write("Restrat=always\n")
    assert "Restrat" in analyze(units, "verify", "--man=no", *NAMES).stderr, "a mistake is told"


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".service")])
def test_a_unit_has_no_rights_that_it_does_not_need(name: str, tmp_path: Path) -> None:
    done = analyze(moved(tmp_path), "security", "--offline=yes", "--no-pager", "--threshold=15", name)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".service")])
def test_the_memory_of_a_unit_has_an_end(name: str) -> None:
    """That of the shared file would count for all of them, as systemd reads it last."""
    limit = re.compile(r"^MemoryMax=[0-9]+[MG]$", re.MULTILINE)
    assert len(limit.findall((UNITS / name.replace("@clock", "@")).read_text())) == 1
    assert not limit.search((UNITS / "plumbline-.service.d" / "common.conf").read_text())


def test_the_target_serves_pages_rings_the_clock_and_works_at_every_queue() -> None:
    text = (UNITS / "plumbline.target").read_text()
    wanted = {name for line in text.splitlines() if line.startswith("Wants=") for name in line[6:].split()}
    workers = {f"plumbline-worker@{queue}.service" for queue in QUEUES}
    others = {f"plumbline-{name}.service" for name in ("web", "scheduler", "valkey")}
    assert wanted == workers | others | {"plumbline-web.socket"}
    lines = (UNITS / "plumbline-valkey.service").read_text().splitlines()
    before = {name for line in lines if line.startswith("Before=") for name in line[7:].split()}
    assert before == wanted - {"plumbline-valkey.service", "plumbline-web.socket"}
    host, port = re.findall(
        r"^ListenStream=(.+):(\d+)$", (UNITS / "plumbline-web.socket").read_text(), re.MULTILINE
    )[0]
    assert f"server {host}:{port} " in (ROOT / "deploy" / "nginx" / "upstream.conf").read_text()
    assert commands("plumbline-web.service") == [["serve", "--port", port]]


def test_an_upgrade_does_what_the_documentation_tells() -> None:
    upgrade = [["migrate"], ["collectstatic", "--noinput"], ["check", "--deploy"]]
    assert commands("plumbline-migrate.service") == upgrade
    text = (ROOT / "docs/guides/running.md").read_text()
    assert "".join(f"python3 manage.py {' '.join(words)}\n" for words in upgrade) in text


@pytest.fixture
def valkey(tmp_path: Path, settings: Settings) -> Iterator[str]:
    """The REDIS_URL of the Valkey of the units; what this process asks for goes there, too."""
    app = import_string(settings.JOBS_APP)
    place = environment()["REDIS_URL"].removeprefix("unix://")
    folder = tmp_path / "socket"
    folder.mkdir()
    with listening(folder, valkey_command(), place) as url:
        assert mode(url) == 0o600
        app._after_fork()  # forget connections to another broker
        settings.REDIS_URL = url
        app.conf.broker_url = broker_url(url)
        yield url
        app.conf.broker_url = None
        app._after_fork()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_each_process_starts_works_and_ends_when_told(database: str, valkey: str, tmp_path: Path) -> None:
    queues, study = redis.Redis.from_url(valkey), make_study()
    make_worker(study, upto="judging")
    site = environment(
        DATABASE_URL=database_url(),
        REDIS_URL=valkey,
        PLUMBLINE_VAR=str(tmp_path / "var"),
        PLUMBLINE_STATIC=str(tmp_path / "static"),
    )

    def start(name: str, words: list[str]) -> Program:
        return Program(tmp_path / f"{name}.log", *words, no_executable_memory=True, **site)

    (serve,) = commands("plumbline-web.service")
    port = free_port()
    web = start("web", [str(port) if word == "8000" else word for word in serve])
    (ring,) = commands("plumbline-scheduler.service")
    scheduler = start("scheduler", ring)
    works = {queues: commands("plumbline-worker@.service", queues)[0] for queues in ("clock", OTHERS)}
    workers: dict[str, Program] = {}
    try:
        scheduler.wait_for(lambda: queues.llen("clock") == 1)
        assert not Job.objects.exists(), "the scheduler does no work itself"
        workers |= {queues: start(f"worker-{queues}", work) for queues, work in works.items()}
        web.wait_for(lambda: _ready(port))
        workers["clock"].wait_for(lambda: Assignment.objects.get().state == "lapsed")
        workers["clock"].wait_for(lambda: is_over(Job.objects.get()))
        assert Job.objects.get().kind == "expire"
        for queue, (kind, parameters) in ASKED.items():
            of = None if kind == JobKind.IMPORT else study
            job = jobs.request(kind=kind, study=of, parameters=parameters, now=now())
            workers[OTHERS].wait_for(partial(is_over, job))
            assert (job.state, job.error) == ("done", ""), queue
        served = psutil.Process(web.process.pid).children(recursive=True)
    finally:
        for program in (web, scheduler, *workers.values()):
            program.stop()
    assert [item.process.returncode for item in (web, scheduler, *workers.values())] == [0] * 4
    assert not any(process.is_running() for process in served), "nobody is left behind"


def _ready(port: int) -> bool:
    try:
        return get(f"http://127.0.0.1:{port}/readyz", headers=HOST, timeout=5).status_code == 200
    except httpx.TransportError:
        return False
