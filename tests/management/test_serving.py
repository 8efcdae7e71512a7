"""`manage.py serve`: its processes, and what it is told wrongly. Served sites are tried in tests/faults."""

import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from judging.core.observing.requests import FOLDER
from judging.management.commands import serve
from tests.support.named import assert_names


@pytest.fixture(autouse=True)
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Path:
    """Where this machine has files in memory, as the command is told."""
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.setattr(serve, "MEMORY", tmp_path / "memory")
    settings.VAR = tmp_path / "var"
    (tmp_path / "memory").mkdir()
    return tmp_path / "memory"


def started(monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """The command line of the server that the command becomes."""
    return started_with(monkeypatch, *words)[0]


def started_with(monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[list[str], dict[str, str]]:
    """The same, and its environment."""
    seen: list[tuple[list[str], dict[str, str]]] = []
    monkeypatch.setattr(os, "execve", lambda program, *rest: seen.append(rest))
    call_command("serve", *words, stdout=StringIO())
    (told,) = seen
    return told


@pytest.mark.parametrize(
    ("database", "workers", "threads"), [("sqlite", 3, 1), ("postgresql", 4, 1)], indirect=["database"]
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
    ("words", "named"), [(["--workers", "0"], ["--workers"]), (["--port", "70000"], ["--port", "1", "65535"])]
)
def test_what_cannot_be_is_refused(words: list[str], named: list[str]) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("serve", *words)
    assert_names(str(refused.value), *named)


def test_processes_add_up_in_a_folder_of_their_own_that_is_emptied_at_the_start(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(started_with(monkeypatch, "--port", "8001")[1][FOLDER])
    assert folder.parent == memory
    assert folder.stat().st_mode & 0o777 == 0o700
    (folder / "histogram_7.db").write_bytes(b"of an earlier start")
    other = Path(started_with(monkeypatch, "--port", "8002")[1][FOLDER])
    assert other != folder
    assert list(folder.iterdir())
    assert started_with(monkeypatch, "--port", "8001")[1][FOLDER] == str(folder)
    assert not list(folder.iterdir())


def test_a_folder_that_is_not_ours_is_not_used(
    memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = Path(started_with(monkeypatch)[1][FOLDER])
    ours.rmdir()
    (tmp_path / "theirs").mkdir()
    ours.symlink_to(tmp_path / "theirs")
    assert FOLDER not in started_with(monkeypatch)[1]
    assert_names(capsys.readouterr().err, "/metrics", str(memory))
    memory.joinpath(ours.name).unlink()
    memory.rmdir()
    assert FOLDER not in started_with(monkeypatch)[1]


def test_a_folder_that_is_given_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "given"))
    assert started_with(monkeypatch)[1][FOLDER] == str(tmp_path / "given")
    monkeypatch.setenv(FOLDER, "/proc/nope")
    assert FOLDER not in started_with(monkeypatch)[1]
