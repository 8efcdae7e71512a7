"""Where the suite's time goes: `python3 manage.py test --times` prints it by folder, by kind and by test.

The time of a test is the time of its set-up, its call and its tear-down, in seconds on the clock. A fixture
that many tests share counts for the first of them. The kind of a test is the most expensive thing it uses: a
browser, a process of its own, a database, or the code alone ("pure").
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import pytest

KINDS = ("browser", "process", "database", "pure")
DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup", "live_server", "database"}
SLOWEST = 40
KIND = "kind"


class ProcessCount:
    """Counts the processes that this process starts, by an audit hook, which Python cannot remove again."""

    def __init__(self) -> None:
        self.started = 0
        sys.addaudithook(self.note)

    def note(self, event: str, _arguments: tuple[Any, ...]) -> None:
        if event in {"subprocess.Popen", "os.fork", "os.posix_spawn"}:
            self.started += 1


class TimeTable:
    """Collects the time and the kind of each test, also under pytest-xdist."""

    def __init__(self) -> None:
        self.processes = ProcessCount()
        self.seconds: Counter[str] = Counter()
        self.kinds: dict[str, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        before = self.processes.started
        item.stash[STARTED_BEFORE] = before
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Any:
        report: pytest.TestReport = yield
        report.user_properties = [(KIND, self.kind_of(item))]
        return report

    def kind_of(self, item: pytest.Item) -> str:
        fixtures = set(getattr(item, "fixturenames", ()))
        if "browser" in fixtures:
            return "browser"
        if self.processes.started > item.stash[STARTED_BEFORE]:
            return "process"
        if fixtures & DATABASE_FIXTURES or item.get_closest_marker("django_db"):
            return "database"
        return "pure"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        # The report on a test whose process died comes from another process, and has no kind.
        self.kinds[report.nodeid] = dict(report.user_properties).get(KIND, "process")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("where the time goes")
        for line in self.lines():
            terminalreporter.line(line)

    def lines(self) -> Iterable[str]:
        """Yield the table: a line for each folder with its seconds by kind, then the slowest tests."""
        folders: dict[str, Counter[str]] = defaultdict(Counter)
        tests: Counter[str] = Counter()
        for nodeid, seconds in self.seconds.items():
            folder = nodeid.split("::")[0].rpartition("/")[0]
            tests[folder] += 1
            for name in (folder, "total"):
                folders[name][self.kinds[nodeid]] += seconds
        tests["total"] = len(self.seconds)
        yield f"{'folder':<24}{'tests':>7}" + "".join(f"{kind:>10}" for kind in (*KINDS, "seconds"))
        for folder, by_kind in sorted(folders.items(), key=lambda entry: -entry[1].total()):
            columns = [*(by_kind[kind] for kind in KINDS), by_kind.total()]
            yield f"{folder:<24}{tests[folder]:>7}" + "".join(f"{seconds:>10.1f}" for seconds in columns)
        for nodeid, seconds in self.seconds.most_common(SLOWEST):
            yield f"{seconds:>8.1f}  {self.kinds[nodeid]:<9} {nodeid}"


STARTED_BEFORE: pytest.StashKey[int] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--times", action="store_true", help="print where the time of the tests goes")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--times"):
        config.pluginmanager.register(TimeTable(), "time-table")
