"""The processes of a run share the work of compiling the tests, which takes seconds in a new checkout.

They all collect the same files in the same order, so each would compile every file itself. Before that, each
imports them beginning elsewhere, and finds what the others have compiled.
"""

from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    config = session.config
    if not hasattr(config, "workerinput") or config.args != config.getini("testpaths"):
        return
    if config.getoption("--quick") or config.getoption("--changed"):
        return  # they collect a part of the files
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
    ]
    number, count = int(config.workerinput["workerid"].removeprefix("gw")), config.workerinput["workercount"]
    first = len(modules) * number // count
    for module in modules[first:] + modules[:first]:
        with suppress(Exception, pytest.skip.Exception):  # the collection reports it
            import_module(module)
