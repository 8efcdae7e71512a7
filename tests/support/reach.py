"""`--changed` runs the test files that a change can reach, and remembers what each of them reaches.

A test file reaches the functions that run during its tests, and the other files of the project that it reads
or renders. A change inside a function selects the test files that ran it. A change outside of functions
selects the test files that ran anything in a module that imports the changed one, directly or not. Where this
cannot be known, more runs: a test file that starts programs runs after every change of the product, and a
change below `EVERYTHING` runs all tests. So does the first run, which is slow because it traces the tests.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from coverage import Coverage

from tests.support.sources import PACKAGES, ROOT, Parts, functions_of, importers, parts_of, project_files
from tests.support.times import ProcessCount

EVERYTHING = (
    "tests/support/",
    "tests/conftest.py",
    "judging/migrations/",
    "pyproject.toml",
    "deploy/requirements",
)
"""Beginnings of the paths that fixtures of a whole run depend on."""
LOADED_BY_DJANGO = ("deploy/settings.py", "deploy/urls.py")
TEST_FILE = re.compile(r"^tests/(.+/)?test_[^/]*\.py$")
KEY = "plumbline/reach"
PROGRAM = "starts a program"
"""Stands among what a test file reaches, for programs whose code is not traced."""


def path_of(key: str) -> str:
    """Return the path at the beginning of the id of a test, or of a function that was reached."""
    return key.partition("::")[0]


def chosen(memory: dict[str, Any], now: Parts) -> set[str]:
    """Return the test files that are reached by what changed between `memory` and the files of now."""
    tests = {path for path in now if TEST_FILE.search(path)}
    before: Parts = memory.get("files", {})
    changed = {
        f"{path}::{part}"
        for path in before.keys() | now.keys()
        for part in before.get(path, {}).keys() | now.get(path, {}).keys()
        if before.get(path, {}).get(part) != now.get(path, {}).get(part)
    }
    paths = {path_of(key) for key in changed}
    reached: dict[str, list[str]] = memory.get("reached", {})
    if any(path.startswith(EVERYTHING) for path in paths):
        return tests
    product = any(not path.startswith(("docs/", "tests/")) for path in paths)
    outside = {path for path in paths if path.endswith(".py") and f"{path}::" in changed}
    modules = importers(outside)
    new_in = {str(PurePosixPath(path).parent) for path in paths - before.keys() if not path.endswith(".py")}

    def is_reached(test: str) -> bool:
        keys = {*reached[test], f"{test}::"}
        files = {path_of(key) for key in keys}
        if any(file.startswith("judging/") for file in files):
            files.update(LOADED_BY_DJANGO)
        conftests = {str(parent / "conftest.py") for parent in PurePosixPath(test).parents}
        return bool(
            keys & changed
            or (files | conftests) & modules
            or conftests & paths
            or (PROGRAM in keys and product)
            or any(str(PurePosixPath(file).parent) in new_in for file in files)
        )

    return {test for test in tests if test not in reached or is_reached(test)}


class Recorder:
    """Notes in one process what each test file reaches."""

    def __init__(self) -> None:
        sources = [str(ROOT / name) for name in PACKAGES]
        self.coverage = Coverage(
            data_file=None, source=sources, config_file=False, concurrency=["thread", "greenlet"]
        )
        self.programs = ProcessCount()
        self.test = ""
        self.reached: defaultdict[str, set[str]] = defaultdict(set)
        sys.addaudithook(self.note_open)

    def note_open(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and self.test and isinstance(arguments[0], str):
            self.note_file(arguments[0])

    def note_file(self, name: str) -> None:
        if name.startswith(f"{ROOT}/") and not name.endswith((".py", ".pyc")):
            self.reached[self.test].add(f"{name.removeprefix(f'{ROOT}/')}::")

    def note_template(self, template: Any, **_: Any) -> None:
        self.note_file(str(template.origin.name))

    def start(self) -> None:
        """Trace from now on."""
        from django.test.signals import template_rendered

        template_rendered.connect(self.note_template)
        self.coverage.start()

    @contextmanager
    def noting(self, test: str) -> Iterator[None]:
        """Count what runs in the block for this test file."""
        started, self.test = self.programs.started, test
        self.coverage.switch_context(test)
        yield
        if self.programs.started > started:
            self.reached[test].add(PROGRAM)
        self.test = ""

    def found(self) -> dict[str, list[str]]:
        """Return what each test file has reached, once all tests of this process are over."""
        self.coverage.stop()
        data = self.coverage.get_data()
        for name in data.measured_files():
            path = name.removeprefix(f"{ROOT}/")
            functions = functions_of(path)
            for line, tests in data.contexts_by_lineno(name).items():
                for test in filter(None, tests):
                    self.reached[test].add(f"{path}::{functions.get(line, '')}")
        return {test: sorted(keys) for test, keys in self.reached.items()}


class Selection:
    """Leaves out what no change reaches; the first process of the run keeps what all of them have noted."""

    def __init__(self, config: pytest.Config) -> None:
        assert config.cache is not None
        self.cache = config.cache
        alone = not config.getoption("numprocesses", None)
        self.recorder = Recorder() if alone or is_worker(config) else None
        if is_worker(config):
            self.wanted = set(config.workerinput[KEY])
        else:
            self.files = parts_of(project_files())
            self.wanted = chosen(self.cache.get(KEY, {}), self.files)
        self.reported: set[str] = set()
        self.failed: set[str] = set()
        self.reached: defaultdict[str, set[str]] = defaultdict(set)

    def pytest_sessionstart(self) -> None:
        if self.recorder:
            self.recorder.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        assert self.recorder is not None
        with self.recorder.noting(path_of(item.nodeid)):
            return (yield)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[KEY] = sorted(self.wanted)

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        path = collection_path.relative_to(ROOT).as_posix()
        return True if TEST_FILE.search(path) and path not in self.wanted else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.reported.add(path_of(report.nodeid))
        if report.failed:
            self.failed.add(path_of(report.nodeid))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.merge(getattr(node, "workeroutput", {}).get(KEY, {}))

    def merge(self, found: dict[str, list[str]]) -> None:
        for test, keys in found.items():
            self.reached[test].update(key for key in keys if key == PROGRAM or path_of(key) in self.files)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        result = self.recorder.found() if self.recorder else {}
        if is_worker(session.config):
            session.config.workeroutput[KEY] = result
            return
        self.merge(result)
        ended = exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED} and not session.shouldfail
        if ended:  # else some of the chosen tests did not run, and what was known before still holds
            kept = self.cache.get(KEY, {}).get("reached", {})
            reached = {test: keys for test, keys in kept.items() if test not in self.reported}
            reached |= {test: sorted(keys) for test, keys in self.reached.items() if test not in self.failed}
            self.cache.set(KEY, {"files": self.files, "reached": reached})
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and not self.wanted:
            session.exitstatus = pytest.ExitCode.OK


def is_worker(config: pytest.Config) -> bool:
    """Whether this is a process of pytest-xdist, not the first process of a run."""
    return hasattr(config, "workerinput")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("speeds of the suite").addoption(
        "--changed", action="store_true", help="run the test files that the changes since the last run reach"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--changed"):
        config.pluginmanager.register(Selection(config), "changed-selection")
