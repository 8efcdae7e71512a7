"""A wrong setting is named in one line, whatever the command."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory, override_settings
from pytest_django import Settings

from deploy.environment import mail_server, redis, sender, site_url
from deploy.hosts import hosts

ROOT = Path(__file__).resolve().parents[2]
WRONG = [
    ("DATABASE_URL", "foo"),
    ("DATABASE_URL", "mysql://a/b"),
    ("REDIS_URL", "foo"),
    ("REDIS_URL", "http://127.0.0.1:6379/0"),
    ("REDIS_URL", "redis://127.0.0.1:port/0"),
    ("REDIS_URL", "redis://127.0.0.1/first"),
    ("REDIS_URL", "unix://"),
    ("REDIS_URL", "unix://host/run/valkey.sock"),
    ("REDIS_URL", "unix:///run/valkey.sock?db=first"),
    ("EMAIL_URL", "mail.example.org"),
    ("EMAIL_URL", "http://mail.example.org"),
    ("EMAIL_URL", "smtp://"),
    ("EMAIL_URL", "smtp://mail.example.org:port"),
    ("EMAIL_URL", "smtp://ada@mail.example.org"),
    ("EMAIL_URL", "smtp://mail.example.org/inbox"),
    ("PLUMBLINE_FROM", "plumbline"),
    ("PLUMBLINE_FROM", "Plumbline <plumbline>"),
    ("PLUMBLINE_DOCS_URL", "docs.example.org"),
    ("PLUMBLINE_DOCS_URL", "https://"),
    ("PLUMBLINE_URL", "judging.example.org"),
    ("PLUMBLINE_URL", "https://judging.example.org/console"),
    ("PLUMBLINE_SECRET_KEY", "short"),
    *(
        ("PLUMBLINE_ALLOWED_HOSTS", value)
        for value in (
            "https://judging.example.org",
            "judging.example.org:8443",
            "judging.example.org/console",
            "judging.example.org,https://www.example.org/",
            "judging.example.org www.example.org",
            "judging.example.org;www.example.org",
            "*.example.org",
            "judging.example.org.",
            "judging..example.org",
            "ada@judging.example.org",
            "judging_site.example.org",
            "bücher.example.org",
            "::1",
            "[::1]:8000",
            ".",
            ",",
        )
    ),
    ("PLUMBLINE_DEBUG", "maybe"),
    ("PLUMBLINE_HTTPS", "yes"),
    ("PLUMBLINE_HSTS_PRELOAD", "yes"),
    ("PLUMBLINE_VAR", "/proc/nope"),
    ("PLUMBLINE_VAR", "README.md"),
    ("PLUMBLINE_STATIC", "/proc/nope"),
    ("PLUMBLINE_FONTS", "/proc/nope"),
    ("PLUMBLINE_FONTS", "README.md"),
    ("PLUMBLINE_UPLOAD_MB", "many"),
    ("PLUMBLINE_UPLOAD_MB", "0"),
    ("PLUMBLINE_ARRIVALS_PER_HOUR", "0"),
    ("PLUMBLINE_RESERVATIONS_PER_HOUR", "0"),
    ("PLUMBLINE_LOG", "loud"),
    ("PLUMBLINE_METRICS_TOKEN", "short"),
    ("PLUMBLINE_METRICS_TOKEN", "a token that has blanks in it"),
    ("PLUMBLINE_SENTRY_DSN", "sentry.example.org"),
    ("PLUMBLINE_SENTRY_DSN", "https://sentry.example.org/1"),
    ("PLUMBLINE_JUDGE_URL", "models.example.org/v1"),
    ("PLUMBLINE_JUDGE_KEY", "a key with blanks"),
]
TOLD_BY_THE_COMMAND = [
    ("DATABASE_URL", "sqlite:////nosuch/x.db"),
    ("DATABASE_URL", "postgres://u:p@127.0.0.1:1/x"),
    ("PLUMBLINE_NO_VENV", "yes"),
    ("PLUMBLINE_DEBUG", "maybe"),
]
"""Found when the database is needed, by the launcher, and by the settings as all those above."""


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_setting_is_named(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=name):
        runpy.run_path(str(ROOT / "deploy" / "settings.py"))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), TOLD_BY_THE_COMMAND)
def test_a_wrong_setting_ends_a_command_in_one_line(name: str, value: str, tmp_path: Path) -> None:
    inherited = {key: text for key, text in os.environ.items() if key != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "manage.py", "check_study", "any"],
        cwd=ROOT,
        env=inherited | {"PLUMBLINE_VAR": str(tmp_path)} | {name: value},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("plumbline: ")
    assert done.stderr.count("\n") == 1
    assert name in done.stderr


def test_a_mail_server_needs_an_address_that_e_mail_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMAIL_URL", "smtp://mail.example.org")
    monkeypatch.delenv("PLUMBLINE_FROM", raising=False)
    with pytest.raises(ImproperlyConfigured, match="PLUMBLINE_FROM"):
        sender("PLUMBLINE_FROM", needed_by="EMAIL_URL")
    monkeypatch.setenv("PLUMBLINE_FROM", "Plumbline <plumbline@example.org>")
    assert sender("PLUMBLINE_FROM", needed_by="EMAIL_URL") == "Plumbline <plumbline@example.org>"


@pytest.mark.parametrize(
    ("host", "remedy"),
    [
        ("https://judging.example.org:8443/console", "path: judging.example.org"),
        ("judging.example.org.", "path: judging.example.org"),
        ("ada@judging.example.org", "path: judging.example.org"),
        ("bücher.example.org", "path: xn--bcher-kva.example.org"),
        ("::1", "path: [::1]"),
        ("[::1]:8000", "path: [::1]"),
        ("*.example.org", " .example.org"),
    ],
)
def test_a_wrong_host_name_is_told_with_the_right_one(
    host: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", host)
    with pytest.raises(ImproperlyConfigured, match=re.escape(remedy)):
        hosts("PLUMBLINE_ALLOWED_HOSTS", default=[])


@pytest.mark.parametrize(
    "served", ["judging.example.org", "Judging.Example.org, 192.0.2.1", "[::1]", ".a.b", "*"]
)
def test_host_names_that_requests_can_have_are_accepted(served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", served)
    for pattern in hosts("PLUMBLINE_ALLOWED_HOSTS", default=[]):
        request = RequestFactory().get("/", headers={"Host": pattern.lower().replace("*", "a").lstrip(".")})
        with override_settings(ALLOWED_HOSTS=[pattern]):
            assert request.get_host()


@pytest.mark.parametrize(
    ("url", "closed"),
    [
        ("", True),
        ("redis://127.0.0.1:6379/0", False),
        ("redis://localhost", False),
        ("rediss://valkey.example.org:6379/0", False),
        ("redis://user@valkey.example.org", False),
        ("redis://:@valkey.example.org", False),
        ("redis://valkey.example.org?password=secret", False),
        ("valkey://:secret@valkey.example.org:6379/0", True),
        ("redis://user:secret@valkey.example.org", True),
        ("unix:///run/plumbline-valkey/valkey.sock", True),
        ("unix:///run/plumbline-valkey/valkey.sock?db=2", True),
    ],
)
def test_a_redis_that_others_can_use_fails_the_check(
    url: str, closed: bool, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    settings.REDIS_URL = redis("REDIS_URL")
    errors = [
        error for error in run_checks(tags=["site"], include_deployment_checks=True) if error.is_serious()
    ]
    assert [error.id for error in errors] == [] if closed else ["plumbline.E001"]
    assert not any(error.is_serious() for error in run_checks(tags=["site"])), (
        "a site of one's own needs neither"
    )


@pytest.mark.parametrize(
    ("given", "hosts", "https", "expected"),
    [
        ("", ["judging.example.org", "other.example.org"], True, "https://judging.example.org"),
        ("", ["localhost"], False, "http://localhost"),
        ("https://judging.example.org:8443/", ["*"], False, "https://judging.example.org:8443"),
        ("http://[::1]:8000", ["[::1]"], False, "http://[::1]:8000"),
        ("", [".example.org"], True, None),
    ],
)
def test_where_people_reach_the_site(
    given: str, hosts: list[str], https: bool, expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMAIL_URL", "smtp://mail.example.org")
    monkeypatch.setenv("PLUMBLINE_URL", given)
    if expected is None:
        with pytest.raises(ImproperlyConfigured, match="PLUMBLINE_URL"):
            site_url("PLUMBLINE_URL", hosts=hosts, https=https, needed_by="EMAIL_URL")
        monkeypatch.delenv("EMAIL_URL")
    result = site_url("PLUMBLINE_URL", hosts=hosts, https=https, needed_by="EMAIL_URL")
    assert result == (expected or "https://localhost")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", None),
        ("smtp://localhost", ("smtp", "localhost", 25, "", "")),
        ("smtp://127.0.0.1:2525/", ("smtp", "127.0.0.1", 2525, "", "")),
        (
            "smtp+tls://ada%40example.org:p%3Aw@mail.example.org",
            ("smtp+tls", "mail.example.org", 587, "ada@example.org", "p:w"),
        ),
        ("smtps://ada:secret@mail.example.org", ("smtps", "mail.example.org", 465, "ada", "secret")),
    ],
)
def test_a_mail_server_is_read_from_its_url(
    url: str, expected: tuple[str, str, int, str, str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMAIL_URL", url)
    assert mail_server("EMAIL_URL") == expected


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_told_in_one_line(tmp_path: Path, unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "manage.py", "help"],
            cwd=ROOT,
            env=os.environ | {"PLUMBLINE_VAR": str(tmp_path), "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
