"""Loads on a site of its own, shorter than the commands measure them: nothing goes wrong.

The default suite holds two seconds of one load, or as long as the first units take; `--full` runs the others,
of up to a minute.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


def measured(*words: str) -> dict[str, Any]:
    """`python -m tests.load` with these words; what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.load", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def assert_whole(afterwards: dict[str, Any]) -> None:
    """Not one judgment more than was asked for, whole units alone, and no rule of the data broken."""
    assert afterwards["over-collected judgments"] == 0
    assert afterwards["judgments"] == 8 * afterwards["completed units"] > 0
    assert afterwards["broken invariants"] == []


@pytest.mark.parametrize(
    ("database", "clients", "seconds", "warm_up"),
    [
        ("sqlite", 4, 2, 1),
        pytest.param("sqlite", 32, 25, 6, marks=pytest.mark.long),
        pytest.param("postgresql", 32, 25, 6, marks=pytest.mark.long),
    ],
)
def test_as_fast_as_the_site_answers(database: str, clients: int, seconds: int, warm_up: int) -> None:
    many: tuple[str, ...] = ("--pool", "30", "--clients", str(clients), "--processes", "2")
    many += ("--seconds", str(seconds), "--warm-up", str(warm_up), "--least", str(9 * clients))
    result = measured("throughput", "--database", database, *many)
    (load,) = result["loads"]
    assert load["faults"] == {}
    assert load["store"]["number"] > 0
    assert 0 < load["both"]["p50"] <= load["both"]["p95"] <= load["both"]["longest"]
    assert_whole(result["afterwards"])


@pytest.mark.long
def test_a_small_study_is_judged_whole() -> None:
    """Some of the workers give up: others wait for what they held, and not one judgment is missing."""
    result = measured("study", "--database", "sqlite", "--pool", "6", "--workers", "60", "--clients", "8")
    assert result["judged"]["faults"] == {}
    assert result["judged"]["workers"] == 60
    assert_whole(result["afterwards"])
    assert result["afterwards"]["missing judgments"] == 0


@pytest.mark.long
def test_a_steady_load_for_a_minute() -> None:
    """Memory: what the processes hold at the end is what they held when the load had just begun."""
    result = measured("soak", "--rate", "15", "--minutes", "1", "--every", "10", "--clients", "8")
    samples = result["samples"]
    assert result["faults"] == {}
    assert len(samples) == 6
    assert samples[-1]["megabytes"] < samples[1]["megabytes"] * 1.15
    assert sum(sample["judgments_per_second"] for sample in samples) / 6 > 5
    assert_whole(result["afterwards"])
