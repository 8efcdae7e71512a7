"""The speeds of the suite: every rule by default, `--quick` for the inner loop, `--full` for the long forms.

`@pytest.mark.long` marks a test that only `--full` runs, such as minutes of load, or a fault on the second
database. `--quick` runs the folders of QUICK, and of these no test that starts a browser, a server or a
program. `@pytest.mark.slow` marks other tests that it leaves out: they take more than a second, or start a
program without a fixture.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).resolve().parents[1]
QUICK = {"protocol", "evaluation", "core", "worker", "integrity", "setup/intake"}
"""The rules of judging, what scores say, and what workers and study files do: what most changes touch."""
STARTED = {"browser", "live_server", "postgresql_server", "valkey_server"}
"""Fixtures that start something; who asks for one of them is not quick."""
LONG, SLOW = "long", "slow"
EXAMPLES = {"quick": 10, "steady": 25, "full": 400}
"""Examples of each hypothesis test, by the speed."""

for name, number in EXAMPLES.items():
    # The same examples every time, and no example fails for running on a busy machine.
    settings.register_profile(
        name,
        max_examples=number,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("speeds of the suite")
    group.addoption("--quick", action="store_true", help="run what needs no browser, server or program")
    group.addoption("--full", action="store_true", help="run the long forms of loads and faults too")


def is_quick(config: pytest.Config) -> bool:
    """Whether this run leaves out what starts a browser, a server or a program."""
    return bool(config.getoption("--quick"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{LONG}: only --full runs it")
    config.addinivalue_line("markers", f"{SLOW}: --quick leaves it out")
    settings.load_profile("quick" if is_quick(config) else "full" if config.getoption("--full") else "steady")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the other folders out of a quick run, unless it was given paths."""
    if not is_quick(config) or config.args != config.getini("testpaths"):
        return None
    if collection_path == TESTS or TESTS not in collection_path.parents:
        return None
    place = f"{collection_path.relative_to(TESTS).as_posix()}/"
    folders = [f"{folder}/" for folder in QUICK]
    return not any(place.startswith(folder) or folder.startswith(place) for folder in folders) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kept, left_out = [], []
    for item in items:
        (kept if belongs(item, config) else left_out).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def belongs(item: pytest.Item, config: pytest.Config) -> bool:
    """Whether a run of this speed holds this test."""
    if item.get_closest_marker(LONG) and not config.getoption("--full"):
        return False
    return not is_quick(config) or not (item.get_closest_marker(SLOW) or starts_something(item))


def starts_something(item: pytest.Item) -> bool:
    """Whether a test asks for a fixture that starts a browser, a server or PostgreSQL."""
    call = getattr(item, "callspec", None)
    on_postgresql = call is not None and call.params.get("database") == "postgresql"
    return on_postgresql or not STARTED.isdisjoint(getattr(item, "fixturenames", ()))
