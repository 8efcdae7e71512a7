"""All 67 gradable queries of Cranfield as one study, judged over HTTP by many at once: none lost or doubled.

`test_cranfield.py` holds the same on four queries in any run. The pools are cut to seven documents a run and
one judgment a document; `python -m tests.benchmarks.cranfield_crowd` does the same at full size.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.long
def test_many_workers_at_once(collections: Path) -> None:
    command = [sys.executable, "-m", "tests.benchmarks.cranfield_crowd", "--workers=60", "--judgments=1"]
    done = subprocess.run(
        [*command, "--depth=7"],
        cwd=Path(__file__).resolve().parents[2],
        env=os.environ | {"PLUMBLINE_COLLECTIONS": str(collections)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["topics"] == 67
    assert report["errors"] == 0, report["statuses"]
    assert report["completed units"] == report["units"]
    assert report["judgments"] == 8 * report["units"]
    assert (report["over-collected judgments"], report["missing judgments"]) == (0, 0)
    assert report["broken invariants"] == []
    assert report["gains of site and library are the same"] is True
    assert report["tau over runs and topics"] > 0.3, "the crowd sees the known grades, if dimly"
