"""Check the locked packages for known vulnerabilities: `.venv/bin/python -m deploy.audit`.

This command runs pip-audit on the hash-locked requirement files. uv downloads pip-audit for this run only,
and pip-audit asks PyPI for the known vulnerabilities of each package. The command installs nothing and does
not change the site.

Exit status:

- 0: pip-audit checked every package and found no known vulnerability.
- 1: at least one package has a known vulnerability.
- 2: pip-audit found no known vulnerability, but could not check some or all packages.
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
_PIP_AUDIT: Final = ["tool", "run", "--quiet", "pip-audit", "--disable-pip", "--require-hashes"]
_TIMEOUT: Final = 900
_MOST_NAMES: Final = 5
"""The maximum number of skipped packages that the report names."""


@dataclass(frozen=True)
class Finding:
    """A known vulnerability of a locked package, and the versions that fix it."""

    package: str
    version: str
    name: str
    fixed_in: tuple[str, ...]

    def __str__(self) -> str:
        remedy = f"fixed in {', '.join(self.fixed_in)}" if self.fixed_in else "no version fixes it yet"
        return f"{self.package} {self.version}: {self.name}, {remedy}"


@dataclass(frozen=True)
class Audit:
    """The result of an audit. `audited` is the number of packages checked.

    `skipped` lists the packages that were not checked, each with the reason.
    """

    audited: int
    findings: tuple[Finding, ...]
    skipped: tuple[tuple[str, str], ...]

    @property
    def status(self) -> int:
        """Return the command's exit status for this result."""
        if self.findings:
            return VULNERABLE
        return NOT_AUDITED if self.skipped or not self.audited else CLEAN

    def lines(self) -> list[str]:
        """Return the report as lines of text."""
        lines = [str(finding) for finding in self.findings]
        if self.skipped:
            names = ", ".join(name for name, _ in self.skipped[:_MOST_NAMES])
            more = f" and {len(self.skipped) - _MOST_NAMES} more" if len(self.skipped) > _MOST_NAMES else ""
            lines.append(f"NOT AUDITED: {len(self.skipped)} packages: {names}{more}.")
            lines.append(f"Reason for the first: {self.skipped[0][1]}")
        if not self.audited:
            lines.append(
                "Nothing was audited: pip-audit got no answer from PyPI's service."
                " The result is not clean. Check the network and run this command again."
            )
        elif self.status == CLEAN:
            lines.append(f"{self.audited} packages audited: no known vulnerabilities.")
        else:
            lines.append(f"{self.audited} packages audited: {len(self.findings)} known vulnerabilities.")
        return lines


def read_answer(text: str) -> Audit:
    """Return the audit that pip-audit's JSON output describes.

    A package counts as skipped if the output has no list of vulnerabilities for it. Raise ValueError if the
    text is not valid output of pip-audit.
    """
    try:
        packages: list[dict[str, Any]] = json.loads(text)["dependencies"]
        audited = [package for package in packages if "vulns" in package]
        findings = [
            Finding(package["name"], package["version"], flaw["id"], tuple(flaw.get("fix_versions") or ()))
            for package in audited
            for flaw in package["vulns"]
        ]
        skipped = [
            (package["name"], str(package.get("skip_reason", "pip-audit gave no reason")))
            for package in packages
            if "vulns" not in package
        ]
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"pip-audit's answer has an unknown form: {error!r}") from None
    return Audit(len(audited), tuple(findings), tuple(skipped))


def run_pip_audit(locks: Sequence[Path], options: Sequence[str] = ()) -> Audit:
    """Audit these requirement files with pip-audit, and pass the options on to it.

    Raise RuntimeError with the reason if pip-audit fails.
    """
    uv = Path(sys.executable).with_name("uv")
    files = [word for lock in locks for word in ("--requirement", str(lock))]
    command = [str(uv) if uv.exists() else "uv", *_PIP_AUDIT, *files, "--format", "json", *options]
    try:
        completed = subprocess.run(  # noqa: S603 - our own command
            command, capture_output=True, text=True, timeout=_TIMEOUT
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RuntimeError(
            f"Cannot run pip-audit with uv: {type(error).__name__}."
            " Check that uv is installed and that the network works."
        ) from None
    try:
        return read_answer(completed.stdout)
    except ValueError:
        errors = [line for line in completed.stderr.splitlines() if line.strip()] or ["no reason given"]
        raise RuntimeError(f"pip-audit failed: {errors[-1].strip()[:300]}") from None


def main() -> int:
    """Audit the locked packages and print the report. Return the exit status."""
    try:
        audit = run_pip_audit([DEPLOY / name for name in LOCKS], sys.argv[1:])
    except RuntimeError as failure:
        sys.stderr.write(f"NOT AUDITED. {failure} The result is not clean.\n")
        return NOT_AUDITED
    out = sys.stdout if audit.status == CLEAN else sys.stderr
    out.writelines(f"{line}\n" for line in audit.lines())
    return audit.status


if __name__ == "__main__":
    sys.exit(main())
