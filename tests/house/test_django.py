"""What Django can say of itself: models and migrations agree, and a production set-up has no warning."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

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


def test_models_and_migrations_agree(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.slow
def test_production_settings_pass_every_deployment_check(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stdout + done.stderr
