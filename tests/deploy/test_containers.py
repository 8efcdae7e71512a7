"""The container file and the compose file: what they are made of, what they start, what they take away.

Every command of the compose file is one that `test_systemd.py` starts; what a container takes away from a
process, a disk that can be written to and every right of root, is taken away here too.
"""

import json
import os
import re
import socket
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from deploy import healthcheck
from deploy.queues import QUEUES
from tests.deploy.sockets import listening, mode
from tests.deploy.units import commands
from tests.jobs.workers import database_url
from tests.support.ports import free_port
from tests.support.processes import ROOT, Program

CONTAINERFILE = (ROOT / "deploy" / "Containerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "plumbline"}
ONCE = {"migrate", "backup"}
"""What does its work and ends."""


def stage(name: str) -> str:
    """The lines of one stage of the container file."""
    return re.split(r"^FROM \$\{BASE\} AS ", CONTAINERFILE, flags=re.MULTILINE)[
        ["build", "app", "proxy"].index(name) + 1
    ]


@pytest.mark.parametrize("name", ["app", "proxy"])
def test_an_image_runs_as_a_numbered_user_without_root(name: str) -> None:
    (user,) = re.findall(r"^USER (\d+):\d+$", stage(name), flags=re.MULTILINE)
    assert int(user) >= 10_000


def test_an_image_is_made_of_the_program_and_its_locked_packages_alone() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", CONTAINERFILE, flags=re.MULTILINE)
    sources = {source for line in copied for source in line.split()}
    assert all((ROOT / source).exists() for source in sources)
    assert not {"tests", "docs", ".", ".git"} & sources
    assert "--require-hashes -r /build/requirements-server.txt" in CONTAINERFILE
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    allowed = {line[1:] for line in ignored if line.startswith("!")}
    assert "*" in ignored
    assert {source.split("/")[0] for source in sources} == allowed
    assert {"deploy/*.env", "deploy/tls", "deploy/backups"} <= set(ignored), "nobody's secrets become a layer"
    assert not re.search(r"(SECRET|PASSWORD|DATABASE_URL)\S*=", CONTAINERFILE)


def test_compose_starts_what_the_units_start_and_serves_every_queue() -> None:
    results = {name: service["command"][2:] for name, service in OURS.items()}
    assert all(service["command"][:2] == ["python", "manage.py"] for service in OURS.values())
    (serve,), (ring,) = commands("plumbline-web.service"), commands("plumbline-scheduler.service")
    assert results.pop("web") == [serve[0], "--host", "0.0.0.0"]
    assert results.pop("scheduler") == ring
    assert results.pop("migrate") == commands("plumbline-migrate.service")[0]
    (backup,) = commands("plumbline-backup.service")
    assert results.pop("backup") == [
        word.replace("lib/plumbline-backups", "backups/plumbline") for word in backup
    ]
    workers = {f"worker-{queue}": commands("plumbline-worker@.service", queue)[0] for queue in QUEUES}
    assert results == workers
    assert f"CMD {json.dumps(SERVICES['web']['command'])}" in stage("app")


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_no_rights_that_it_does_not_need(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert "privileged" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == ("no" if name in ONCE else "unless-stopped")
    assert set(service.get("environment", {})) <= {"PGOPTIONS"}, "secrets stand in the file of variables"
    assert (service.get("network_mode") == "none") == (name == "valkey")
    assert set(service.get("networks", [])) <= set(COMPOSE["networks"])
    assert ("ports" in service) == (name == "proxy")
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        assert source in COMPOSE["volumes"] or source in {"./tls", "./backups"}


def test_nothing_starts_before_what_it_needs() -> None:
    needs = {
        name: {other: how["condition"] for other, how in service.get("depends_on", {}).items()}
        for name, service in SERVICES.items()
    }
    for name in set(OURS) - ONCE:
        assert needs[name] == {"migrate": "service_completed_successfully", "valkey": "service_healthy"}
    assert [needs[name] for name in ONCE] == [{"database": "service_healthy"}] * len(ONCE)
    assert needs["proxy"] == {"web": "service_healthy"}
    for name, conditions in needs.items():
        for other, condition in conditions.items():
            healthy = "healthcheck" in SERVICES[other] or other == "web"
            assert condition != "service_healthy" or healthy, (name, other)


def test_images_of_others_are_pinned_by_variables_that_the_page_sets() -> None:
    """The digests are the operator's, who looks them up where the registry is."""
    page = (ROOT / "docs" / "guides" / "deploying.md").read_text()
    pinned = dict(re.findall(r"pin (\w+) ([\w/.:-]+)", page))
    ours = {"plumbline", "plumbline-proxy"}
    theirs = {service["image"] for service in SERVICES.values()} - ours
    theirs |= {SERVICES[name]["build"]["args"]["BASE"] for name in ("web", "proxy")}
    assert theirs == {f"${{{name}:-{image}}}" for name, image in pinned.items()}
    assert f"ARG BASE={pinned['DEBIAN_IMAGE']}" in CONTAINERFILE


@pytest.mark.parametrize(
    ("answer", "healthy"), [(b"HTTP/1.1 301 Moved\r\n\r\n", True), (b"SSH-2.0\r\n", False), (b"", False)]
)
def test_the_proxy_is_healthy_while_it_answers(answer: bytes, healthy: bool) -> None:
    _, *command = SERVICES["proxy"]["healthcheck"]["test"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = f"127.0.0.1/{server.getsockname()[1]}"
        asking = subprocess.Popen(
            [word.replace("127.0.0.1/80", place).replace("$$", "$") for word in command]
        )
        with server.accept()[0] as connection:
            assert connection.recv(100).startswith(b"HEAD / ")
            connection.sendall(answer)
        assert (asking.wait(10) == 0) is healthy


def test_the_proxy_is_not_healthy_while_nobody_listens() -> None:
    _, *command = SERVICES["proxy"]["healthcheck"]["test"]
    closed = [word.replace("127.0.0.1/80", f"127.0.0.1/{free_port()}").replace("$$", "$") for word in command]
    assert subprocess.run(closed, stderr=subprocess.DEVNULL).returncode != 0


def variables(name: str) -> dict[str, str]:
    lines = (ROOT / "deploy" / name).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line[:1] != "#")


def test_the_files_of_variables_have_what_the_services_need() -> None:
    """And no more: the database server does not learn the site's secrets."""
    given, database = variables("compose.env"), variables("compose-database.env")
    files = {name: service.get("env_file") for name, service in SERVICES.items()}
    assert files.pop("database") == "database.env"
    assert {files.pop(name) for name in OURS} == {"site.env"}
    assert set(files.values()) == {None}
    assert set(database) == {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"}
    assert not set(database) & set(given)
    assert {"PLUMBLINE_ALLOWED_HOSTS", "PLUMBLINE_HTTPS", "DATABASE_URL", "REDIS_URL"} < set(given)
    assert not given["PLUMBLINE_SECRET_KEY"], "an example that somebody would keep"
    assert not database["POSTGRES_PASSWORD"]
    assert "@database/" in given["DATABASE_URL"]
    socket = given["REDIS_URL"].removeprefix("unix://")
    assert {f"valkey:{Path(socket).parent}"} <= set(SERVICES["web"]["volumes"]) & set(
        SERVICES["valkey"]["volumes"]
    )
    assert {"database", "valkey"} < set(SERVICES)


def test_valkey_listens_on_the_socket_alone(tmp_path: Path) -> None:
    socket = variables("compose.env")["REDIS_URL"].removeprefix("unix://")
    _, _, *ping = SERVICES["valkey"]["healthcheck"]["test"]
    assert ping[:2] == ["-s", socket]
    with listening(tmp_path, SERVICES["valkey"]["command"], socket) as url:
        assert mode(url) == 0o777, "the users of its containers differ, and nobody else has the volume"
    users = {
        name
        for name, service in SERVICES.items()
        if f"valkey:{Path(socket).parent}" in service.get("volumes", [])
    }
    assert users == {*OURS, "valkey"} - {"backup"}


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_it_serves_on_a_disk_that_is_read_only_without_any_right_of_root(
    database: str, tmp_path: Path
) -> None:
    """In a namespace of its own: all is read-only but the data and /tmp, as in a container."""
    data = Path(database_url().removeprefix("sqlite:///")).parent
    confine = tmp_path / "confine"
    confine.write_text(
        "#!/bin/sh\nset -e\n"
        f"mount --bind '{data}' '{data}'\nmount --bind '{tmp_path}' '{tmp_path}'\n"
        "mount -o remount,bind,ro /\n"
        f"if touch '{ROOT}/written' 2>/dev/null; then echo 'it can be written to' >&2; exit 3; fi\n"
        'exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all "$@"\n'
    )
    alone = ["unshare", "--mount", "--propagation=private"]
    if os.geteuid() != 0:
        alone = ["unshare", "--user", "--map-root-user", *alone[1:]]
    site = {"DATABASE_URL": database_url(), "PLUMBLINE_VAR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    port = free_port()
    words = ["serve", "--port", str(port), "--workers", "1"]
    program = Program(tmp_path / "log", *words, through=[*alone, "sh", str(confine)], **site)
    try:
        program.wait_for(lambda: healthcheck.main(["readyz", str(port)]) == 0)
        status = Path(f"/proc/{program.process.pid}/status").read_text()
        assert re.search(r"^CapEff:\t0+$", status, flags=re.MULTILINE), "it has rights of root"
        assert re.search(r"^NoNewPrivs:\t1$", status, flags=re.MULTILINE)
    finally:
        program.stop()


@pytest.mark.parametrize("hosts", ["", "judging.example.org,other.example.org", ".example.org", "*"])
def test_the_health_check_asks_by_a_name_that_is_served(
    hosts: str, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", hosts)
    settings.ALLOWED_HOSTS = hosts.split(",") if hosts else ["localhost"]
    assert healthcheck.main(["healthz", str(urlsplit(live_server.url).port)]) == 0
    settings.ALLOWED_HOSTS = ["elsewhere.example.com"]
    assert healthcheck.main(["readyz", str(urlsplit(live_server.url).port)]) == 1


def test_the_health_check_says_that_nobody_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert healthcheck.main(["healthz", str(free_port())]) == 1
    assert capsys.readouterr().err.startswith("/healthz: no answer: ")
