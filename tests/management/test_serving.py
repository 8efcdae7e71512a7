"""`manage.py serve`: its processes, and what it is told wrongly. Served sites are tried in tests/faults."""

import os
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError


def started(monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """The command line of the server that the command becomes."""
    seen: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda program, command: seen.append(command))
    call_command("serve", *words, stdout=StringIO())
    (command,) = seen
    return command


@pytest.mark.parametrize(
    ("database", "workers", "threads"), [("sqlite", 2, 1), ("postgresql", 3, 2)], indirect=["database"]
)
def test_as_many_processes_as_the_database_can_use(
    database: str, workers: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    command = started(monkeypatch)
    assert command[command.index("--workers") + 1] == str(workers)
    assert command[command.index("--blocking-threads") + 1] == str(threads)
    assert command[command.index("--host") + 1] == "127.0.0.1"


def test_where_and_how_many_can_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    command = started(monkeypatch, "--host", "10.0.0.7", "--port", "9000", "--workers", "5")
    assert [command[command.index(name) + 1] for name in ("--host", "--port", "--workers")] == [
        "10.0.0.7",
        "9000",
        "5",
    ]


@pytest.mark.parametrize(
    ("words", "said"), [(["--workers", "0"], "at least one process"), (["--port", "70000"], "1 to 65535")]
)
def test_what_cannot_be_is_refused(words: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("serve", *words)
