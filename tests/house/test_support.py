"""The supports of the other tests are what they say: real databases in every thread, a real browser, no quiet
skip."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.contrib.auth import get_user_model
from django.db import connection, connections, transaction
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path
from playwright.sync_api import Error, Page

from tests.support.browser import axe

ROOT = Path(__file__).resolve().parents[2]
PAGE = """<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>
<p id="count">{users} users on {vendor}</p><noscript>no script</noscript>{more}</main></html>"""


def show(request: HttpRequest) -> HttpResponse:
    """A page that tells how many users its database holds, under the strictest policy there is."""
    text = PAGE.format(
        users=get_user_model().objects.count(), vendor=connection.vendor, more=request.GET.get("more", "")
    )
    return HttpResponse(text, headers={"Content-Security-Policy": "default-src 'none'"})


urlpatterns = [path("", show)]
here = override_settings(ROOT_URLCONF=__name__)


def in_thread(function: Callable[[], Any]) -> Any:
    """Run a function in another thread, which closes its own connection at the end."""

    def closing() -> Any:
        try:
            return function()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(closing).result()


@pytest.mark.parametrize("number", [1, 2])
def test_each_test_begins_with_empty_tables_on_either_database(database: str, number: int) -> None:
    users = get_user_model().objects
    assert users.count() == 0
    users.create(username=f"user {number}")
    assert connection.vendor == database
    assert in_thread(lambda: (connection.vendor, users.get().username)) == (database, f"user {number}")


def test_a_transaction_is_hidden_from_other_threads_until_it_commits(database: str) -> None:
    users = get_user_model().objects
    with transaction.atomic():
        users.create(username="committed later")
        assert in_thread(users.count) == 0
    assert in_thread(users.count) == 1


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_sqlite_is_a_file_with_the_settings_of_the_site(database: str) -> None:
    with connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        name = cursor.execute("PRAGMA database_list").fetchone()[2]
    assert mode == "wal"
    assert Path(name).is_file()
    assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_postgresql_is_a_real_server_with_every_migration(database: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT version()")
        version = cursor.fetchone()[0]
    assert version.startswith("PostgreSQL")
    tables = connection.introspection.table_names()
    models = connection.introspection.django_table_names()
    assert set(models) <= set(tables)


@pytest.mark.django_db(transaction=True)  # so that it runs after the tests above, not before them
def test_after_a_test_on_another_database_the_default_is_itself_again() -> None:
    named = os.environ.get("DATABASE_URL", "")
    own = "postgresql" if named.startswith("postgres") else "sqlite"
    assert connection.vendor == own
    assert in_thread(lambda: (connection.vendor, get_user_model().objects.count())) == (own, 0)


@here
def test_the_live_server_reads_the_same_database(database: str, live_server: Any) -> None:
    get_user_model().objects.create(username="a user")
    assert f"1 users on {database}" in httpx.get(live_server.url).text


@here
@pytest.mark.parametrize(
    ("database", "javascript"), [("sqlite", True), ("postgresql", False)], indirect=["database"]
)
def test_a_browser_sees_the_site(
    database: str, live_server: Any, new_page: Callable[..., Page], javascript: bool
) -> None:
    get_user_model().objects.create(username="a user")
    page = new_page(javascript=javascript, width=375)
    page.goto(live_server.url)
    assert page.locator("#count").inner_text() == f"1 users on {database}"
    assert page.locator("noscript").is_visible() is not javascript
    assert page.viewport_size == {"width": 375, "height": 800}


@here
@pytest.mark.parametrize("javascript", [True, False])
def test_axe_runs_under_a_strict_policy_and_names_what_it_finds(
    live_server: Any, new_page: Callable[..., Page], javascript: bool
) -> None:
    page = new_page(javascript=javascript)
    page.goto(live_server.url)
    axe(page)
    page.goto(f"{live_server.url}?more=<input name=q>")
    with pytest.raises(AssertionError, match=r"critical: .*\(label\)\n +<input"):
        axe(page)


@here
def test_what_no_page_may_do_is_noticed(
    live_server: Any, chromium_page: Page, page_faults: list[str]
) -> None:
    chromium_page.goto(f"{live_server.url}?more=<script>alert(1)</script>")
    with pytest.raises(Error):
        chromium_page.goto("http://elsewhere.invalid/")
    blocked, elsewhere = page_faults
    assert "Content Security Policy" in blocked
    assert elsewhere == "a request left the site: http://elsewhere.invalid/"
    page_faults.clear()


def run_apart(folder: Path, sources: list[str], *arguments: str, **variables: str) -> tuple[int, str]:
    """Run files of tests in a pytest of its own, with the watch over skips as its only plugin."""
    for number, source in enumerate(sources):
        (folder / f"test_apart_{number}.py").write_text(source)
    inherited = {k: v for k, v in os.environ.items() if k not in {"CI", "PLUMBLINE_NO_SKIPS"}}
    inherited.pop("PYTEST_ADDOPTS", None)
    inherited["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    plugins = ["-p", "tests.support.no_skips", "-p", "tests.support.collections"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", os.devnull, f"--rootdir={folder}", *plugins, *arguments, "."],
        cwd=folder,
        env=inherited | {"PYTHONPATH": str(ROOT)} | variables,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


PASSES = "def test_passes(): assert True\n"
SKIPS = "import pytest\ndef test_quiet(): pytest.skip('no such thing')\n" + PASSES
SKIPS_WHOLE = "import pytest\npytest.skip('not this file', allow_module_level=True)\n"
WANTS_COLLECTIONS = "def test_real(collections): assert collections.is_dir()\n" + PASSES
EXPECTED_TO_FAIL = "import pytest\n@pytest.mark.xfail\ndef test_known(): assert False\n"
XDIST = ("-p", "xdist.plugin", "-n", "1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "variables", "workers"),
    [
        (SKIPS, {"CI": "true"}, ()),
        (SKIPS_WHOLE, {"PLUMBLINE_NO_SKIPS": "1"}, ()),
        (SKIPS, {"PLUMBLINE_NO_SKIPS": "1"}, XDIST),
        (SKIPS_WHOLE, {"CI": "true"}, XDIST),
    ],
    ids=["test", "file", "test, xdist", "file, xdist"],
)
def test_a_skip_fails_the_run_where_it_must(
    tmp_path: Path, source: str, variables: dict[str, str], workers: tuple[str, ...]
) -> None:
    code, output = run_apart(tmp_path, [source], *workers, **variables)
    assert code == 1
    assert ("test_quiet: no such thing" if source == SKIPS else "test_apart_0.py: not this file") in output


@pytest.mark.slow
def test_the_absence_of_collections_and_what_is_known_to_fail_are_no_skips(tmp_path: Path) -> None:
    sources = [PASSES, WANTS_COLLECTIONS, EXPECTED_TO_FAIL]
    code, output = run_apart(tmp_path, sources, CI="true", PLUMBLINE_COLLECTIONS="")
    assert code == 0, output


@pytest.mark.slow
def test_elsewhere_a_skip_is_a_skip(tmp_path: Path) -> None:
    code, output = run_apart(tmp_path, [SKIPS])
    assert code == 0, output
