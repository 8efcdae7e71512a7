"""Breaks the product on purpose and says which breaks no test notices.

python -m tests.benchmarks.mutants PATCH…

Each PATCH is a file for `git apply`. The test files that reach the changed lines run until one of them fails;
a patch that none of them notices has survived. `python3 manage.py test --changed` has to run before, as it
notes what each test file reaches.
"""

import json
import subprocess
import sys
from pathlib import Path

from tests.support.reach import KEY, chosen
from tests.support.sources import ROOT, parts_of, project_files

MEMORY = ROOT / ".pytest_cache" / "v" / KEY


def main(patches: list[str]) -> int:
    """Try each patch; return 0 if all were noticed."""
    if not patches or not MEMORY.exists():
        print(__doc__)
        return 2
    memory = json.loads(MEMORY.read_text())
    survivors = [patch for patch in patches if not is_noticed(Path(patch).resolve(), memory)]
    print(f"{len(patches)} tried, {len(survivors)} survived: {', '.join(survivors) or 'none'}")
    return 1 if survivors else 0


def is_noticed(patch: Path, memory: dict[str, object]) -> bool:
    """Whether a test fails while the patch is applied."""
    before = parts_of(project_files())
    git_apply(patch)
    try:
        tests = sorted(chosen({**memory, "files": before}, parts_of(project_files())))
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "--dist", "loadfile", *tests],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
    finally:
        git_apply(patch, "--reverse")
    failures = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    print(f"{patch.name}: {failures[0] if failures else 'SURVIVED'} ({len(tests)} test files)", flush=True)
    return bool(failures)


def git_apply(patch: Path, *options: str) -> None:
    subprocess.run(["git", "apply", *options, str(patch)], cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
