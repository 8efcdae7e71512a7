"""From relevance judgments to system scores: magnitudes, gains, measures, and the comparison of systems.

`import plumbline_ir as ev` is enough for a whole evaluation:

>>> import plumbline_ir as ev
>>> gains = ev.gains([("1", "u", "a", 10), ("1", "u", "b", 2), ("1", "v", "a", 50), ("1", "v", "b", 10)])
>>> runs = {"first": {"1": {"a": 2.5, "b": 1.5}}, "second": {"1": {"b": 9, "a": 4}}}
>>> [round(row.value, 3) for row in ev.score(gains, runs, "nDCG@10").means()]
[1.0, 0.738]

Judgments, qrels and runs can be paths, dicts, rows, polars or pandas tables, or `ir_datasets` ids. The
library consists of pure functions over arrays and does not need the Plumbline website. Names are imported on
first use, so `import plumbline_ir` itself is fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .analyses.agreement import agreement as agreement
    from .comparison.anova import tukey as tukey
    from .comparison.kappa import kappa as kappa
    from .comparison.rank_biased import rbo as rbo
    from .comparison.report import Comparison as Comparison
    from .comparison.report import compare as compare
    from .errors import InputError as InputError
    from .files.judgment_layouts import layout_of as layout_of
    from .fit import check as check
    from .frames import Gains as Gains
    from .frames import Judgments as Judgments
    from .frames import Qrels as Qrels
    from .judges.assessing import assess as assess
    from .magnitudes import gains as gains
    from .magnitudes import normalise as normalise
    from .measures import Measure as Measure
    from .measures import parse as parse
    from .reading import read_judgments as read_judgments
    from .reading import read_qrels as read_qrels
    from .reading import read_run as read_run
    from .reading import read_runs as read_runs
    from .runs import Run as Run
    from .runs import Runs as Runs
    from .score_table import Scores as Scores
    from .scores import score as score
    from .side_by_side.comparing import compare_arms as compare_arms

MODULES: Final = {
    "Comparison": "comparison.report",
    "Gains": "frames",
    "InputError": "errors",
    "Judgments": "frames",
    "Measure": "measures",
    "Qrels": "frames",
    "Run": "runs",
    "Runs": "runs",
    "Scores": "score_table",
    "agreement": "analyses.agreement",
    "assess": "judges.assessing",
    "check": "fit",
    "compare": "comparison.report",
    "compare_arms": "side_by_side.comparing",
    "gains": "magnitudes",
    "kappa": "comparison.kappa",
    "layout_of": "files.judgment_layouts",
    "normalise": "magnitudes",
    "parse": "measures",
    "rbo": "comparison.rank_biased",
    "read_judgments": "reading",
    "read_qrels": "reading",
    "read_run": "reading",
    "read_runs": "reading",
    "score": "scores",
    "tukey": "comparison.anova",
}
"""The public names of the library, each with the module that defines it."""

__all__ = [*MODULES]


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, including those that are not imported yet."""
    return sorted(MODULES)
