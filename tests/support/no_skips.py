"""With CI=true or PLUMBLINE_NO_SKIPS=1 a skipped test fails the run: nothing passes there by not being tried.

The one exception are tests that need the real collections, where there are none.
"""

import os
from typing import Any

import pytest

from tests.support.collections import VARIABLE


def skips_are_failures() -> bool:
    """Whether the environment asks for a run without skips."""
    return os.environ.get("CI") in {"1", "true"} or os.environ.get("PLUMBLINE_NO_SKIPS") == "1"


class SkipWatch:
    """Gathers the name and the reason of everything skipped, under pytest-xdist too."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.skipped: list[tuple[str, str]] = []

    def note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            self.skipped.append((report.nodeid, reason.removeprefix("Skipped: ")))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.note(report)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.note(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker of pytest-xdist skipped while collecting, of which it reports nothing."""
        for nodeid, reason in getattr(node, "workeroutput", {}).get("skipped_in_collection", []):
            if (nodeid, reason) not in self.skipped:
                self.skipped.append((nodeid, reason))

    @property
    def forbidden(self) -> list[tuple[str, str]]:
        return [(nodeid, reason) for nodeid, reason in self.skipped if not reason.startswith(VARIABLE)]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["skipped_in_collection"] = self.skipped
        elif self.forbidden and exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.forbidden:
            terminalreporter.section("skipped where nothing may be", red=True, bold=True)
            for nodeid, reason in self.forbidden:
                terminalreporter.line(f"{nodeid}: {reason}", red=True)


def pytest_configure(config: pytest.Config) -> None:
    if skips_are_failures():
        config.pluginmanager.register(SkipWatch(config), "skip-watch")
