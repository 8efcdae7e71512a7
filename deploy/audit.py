"""Asks whether the locked packages have known vulnerabilities: `.venv/bin/python -m deploy.audit`.

It runs pip-audit, which uv fetches for this one run, over the hash-locked requirement files; pip-audit asks
PyPI's service for each package. Nothing is installed, and nothing is known of it to the site itself.

Exit status: 0 where every package was asked about and none is known to be vulnerable, 1 where one is, 2 where
some or all could not be asked about, which is never taken for a clean result.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

DEPLOY: Final = Path(__file__).resolve().parent
LOCKS: Final = ("requirements.txt", "requirements-uv.txt")
CLEAN, VULNERABLE, NOT_AUDITED = 0, 1, 2
_ASKS: Final = ["tool", "run", "--quiet", "pip-audit", "--disable-pip", "--require-hashes"]
_SECONDS: Final = 900
_SHOWN: Final = 5


@dataclass(frozen=True)
class Finding:
    """One known vulnerability of a locked package, and the versions that mend it."""

    package: str
    version: str
    name: str
    mended_in: tuple[str, ...]

    def __str__(self) -> str:
        how = f"mended in {', '.join(self.mended_in)}" if self.mended_in else "no version mends it yet"
        return f"{self.package} {self.version}: {self.name}; {how}"


@dataclass(frozen=True)
class Audit:
    """What became of asking: packages audited, vulnerabilities found, and packages with why they were not."""

    audited: int
    findings: tuple[Finding, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def status(self) -> int:
        """The exit status."""
        if self.findings:
            return VULNERABLE
        return NOT_AUDITED if self.left_out or not self.audited else CLEAN

    def lines(self) -> list[str]:
        """What is said of it."""
        said = [str(finding) for finding in self.findings]
        if self.left_out:
            names = ", ".join(name for name, _ in self.left_out[:_SHOWN])
            more = f" and {len(self.left_out) - _SHOWN} more" if len(self.left_out) > _SHOWN else ""
            said.append(f"NOT AUDITED: {len(self.left_out)} packages: {names}{more}.")
            said.append(f"The first because: {self.left_out[0][1]}")
        if not self.audited:
            said.append("Nothing was audited: PyPI's service could not be asked. This is no clean result.")
        elif self.status == CLEAN:
            said.append(f"{self.audited} packages audited, no known vulnerability.")
        else:
            said.append(f"{self.audited} packages audited, {len(self.findings)} known vulnerabilities.")
        return said


def read_answer(text: str) -> Audit:
    """What pip-audit's JSON says; only packages with an answer are audited. Raises ValueError for another."""
    try:
        packages: list[dict[str, Any]] = json.loads(text)["dependencies"]
        audited = [package for package in packages if "vulns" in package]
        findings = [
            Finding(package["name"], package["version"], flaw["id"], tuple(flaw.get("fix_versions") or ()))
            for package in audited
            for flaw in package["vulns"]
        ]
        left_out = [
            (package["name"], str(package.get("skip_reason", "it does not say")))
            for package in packages
            if "vulns" not in package
        ]
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"pip-audit's answer is not as expected: {error!r}") from None
    return Audit(len(audited), tuple(findings), tuple(left_out))


def ask(locks: Sequence[Path], more: Sequence[str] = ()) -> Audit:
    """Audit these requirement files. Raises RuntimeError, in one sentence, where pip-audit cannot run."""
    beside = Path(sys.executable).with_name("uv")
    files = [word for lock in locks for word in ("--requirement", str(lock))]
    command = [str(beside) if beside.exists() else "uv", *_ASKS, *files, "--format", "json", *more]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS)  # noqa: S603 - our own words
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RuntimeError(f"pip-audit could not be run: {type(error).__name__}.") from None
    try:
        return read_answer(done.stdout)
    except ValueError:
        said = [line for line in done.stderr.splitlines() if line.strip()] or ["it said nothing"]
        raise RuntimeError(f"pip-audit could not ask: {said[-1].strip()[:300]}") from None


def main() -> int:
    """Audit the lock and say what came of it."""
    try:
        audit = ask([DEPLOY / name for name in LOCKS], sys.argv[1:])
    except RuntimeError as failure:
        sys.stderr.write(f"NOT AUDITED. {failure} This is no clean result.\n")
        return NOT_AUDITED
    out = sys.stdout if audit.status == CLEAN else sys.stderr
    out.writelines(f"{line}\n" for line in audit.lines())
    return audit.status


if __name__ == "__main__":
    sys.exit(main())
