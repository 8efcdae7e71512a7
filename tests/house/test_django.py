"""What Django can say of itself: models and migrations agree, a production set-up has no warning, and no
migration would stop a site that is being judged on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django_migration_linter import MigrationLinter

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "PLUMBLINE_SECRET_KEY": "only-for-this-test!" * 3,
    "PLUMBLINE_ALLOWED_HOSTS": "judging.example.org,www.example.org",
    "PLUMBLINE_HTTPS": "1",
    "DATABASE_URL": "postgres://plumbline:secret@database.example.org/plumbline",
    "REDIS_URL": "valkey://:secret@cache.example.org:6379/0",
}


def manage(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a management command with these variables and a data folder of its own."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PLUMBLINE_")}
    # The last is for tests in a browser alone.
    for name in ("DATABASE_URL", "REDIS_URL", "DJANGO_ALLOW_ASYNC_UNSAFE"):
        inherited.pop(name, None)
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=inherited | variables | {"PLUMBLINE_VAR": str(folder), "PLUMBLINE_NO_VENV": "1"},
        capture_output=True,
        text=True,
    )


def test_models_and_migrations_agree(tmp_path: Path) -> None:
    done = manage(tmp_path, "makemigrations", "--check", "--dry-run")
    assert done.returncode == 0, done.stdout + done.stderr


def test_production_settings_pass_every_deployment_check(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_deployment_check_can_fail(tmp_path: Path) -> None:
    done = manage(
        tmp_path, "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION | {"PLUMBLINE_DEBUG": "1"}
    )
    assert done.returncode == 1
    assert "security.W018" in done.stderr


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_no_migration_breaks_a_running_site(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    linter = MigrationLinter(path=str(ROOT), include_apps=["judging"], no_cache=True)
    linter.lint_all_migrations()
    assert linter.nb_total > 0
    assert not linter.has_errors, capsys.readouterr().out
