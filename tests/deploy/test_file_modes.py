"""The site's data is for its own account alone; static files are for the web server too."""

import os
import subprocess
import sys
from pathlib import Path

from pytest_django import Settings

from deploy.checks import data_is_private
from deploy.private import repair
from tests.support.processes import ROOT

WRITES = """
from django.conf import settings
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("CREATE TABLE notes (said text)")
    cursor.execute("SELECT 1")
(settings.DRAFTS_FOLDER / "3").mkdir(parents=True)
(settings.DRAFTS_FOLDER / "3" / "topics.trec").write_text("")
print({(path.suffix, oct(path.stat().st_mode & 0o777)) for path in settings.VAR.glob("*.sqlite3*")})
"""
DATABASE = (".sqlite3", ".sqlite3-wal", ".sqlite3-shm")


def manage(folder: Path, *words: str) -> str:
    """What a command prints whose user lets everybody read new files."""
    inherited = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=inherited | {"PLUMBLINE_VAR": str(folder), "PLUMBLINE_STATIC": str(folder / "static")},
        umask=0o022,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_what_the_site_writes_is_for_its_own_account_alone(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir(mode=0o755)
    (folder / "secret_key").write_text("k" * 50)
    (folder / "secret_key").chmod(0o644)  # as an earlier version may have left it
    modes = manage(folder, "shell", "-v0", "-c", WRITES)
    assert {name: modes.count(f"('{name}', '0o600')") for name in DATABASE} == dict.fromkeys(DATABASE, 1)
    assert mode(folder) == 0o700
    written = [path for path in folder.rglob("*") if "static" not in path.parts]
    assert {mode(path) for path in written if path.is_dir()} == {0o700}
    assert {mode(path) for path in written if path.is_file()} == {0o600}


def test_an_output_has_the_mode_that_its_user_wants(tmp_path: Path) -> None:
    code = (
        "from io import StringIO; from judging.management.output import emit;"
        f"emit([b'x'], StringIO(), {str(tmp_path / 'gains.csv')!r})"
    )
    manage(tmp_path / "var", "shell", "-v0", "-c", code)
    assert mode(tmp_path / "gains.csv") == 0o644


def test_the_web_server_reads_what_is_collected(collected: Path) -> None:
    static = [path for path in collected.rglob("*") if "var" not in path.relative_to(collected).parts]
    assert any(path.suffix == ".gz" for path in static)
    assert {mode(path) for path in static if path.is_file()} == {0o644}
    assert {mode(path) for path in static if path.is_dir()} == {0o755}


def test_what_stays_open_is_told(tmp_path: Path, settings: Settings) -> None:
    settings.PRIVATE_PATHS = [tmp_path, tmp_path / "not-there"]
    tmp_path.chmod(0o750)
    (told,) = data_is_private()
    assert told.id == "plumbline.W001"
    assert str(tmp_path) in told.msg
    repair(tmp_path, 0o700)
    assert data_is_private() == []


def test_a_folder_for_everybody_is_not_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    repair(tmp_path, 0o700)
    assert mode(tmp_path) == 0o777
