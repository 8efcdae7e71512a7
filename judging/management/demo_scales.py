"""The study `scales` of the command `demo`: the sample collection, judged on every scale side by side."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from django.core.management.base import CommandError

from judging.core.clock import now
from judging.core.selectors.arms import arms_of
from judging.models import ReportKind, Study
from judging.protocol.scales import SCALES
from judging.understanding.reports.words import in_language
from judging.understanding.scoring import evaluate_study
from judging.understanding.selectors.reports import find_report
from judging.understanding.services.reports import request_report

MEASURE = "nDCG@10"


def judged_scales() -> list[str]:
    """Return the names of the scales on which workers can judge."""
    return [scale.name for scale in SCALES.values() if scale.judging is not None]


@contextmanager
def study_of_scales(sample: Path) -> Iterator[Path]:
    """Yield a study file like `sample`, with an arm for each scale on which workers can judge.

    Raise CommandError if there are fewer than two such scales.
    """
    scales = judged_scales()
    if len(scales) < 2:
        raise CommandError(
            f"Workers can judge only on the scale {scales[0]}, so there is nothing to compare."
        )
    arms = "".join(f'\n[[arms]]\nname = "{name}"\nscale = "{name}"\n' for name in scales)
    with TemporaryDirectory() as folder:
        copy = copytree(sample.parent, Path(folder) / "scales") / sample.name
        copy.write_text(sample.read_text(encoding="utf-8") + arms, encoding="utf-8")
        yield copy


def scales_lines(front: Study) -> Sequence[str]:
    """Return the lines with the scores of the runs by each arm, and what the comparison says."""
    scores = {arm.arm: _means(arm) for arm in arms_of(front)}
    runs = sorted({run for means in scores.values() for run in means})
    table = [["run", *scores], *([run, *(f"{means[run]:.4f}" for means in scores.values())] for run in runs)]
    widths = [max(map(len, column)) + 3 for column in zip(*table, strict=True)]
    request_report(study=front, kind=ReportKind.ARMS, parameters={}, now=now())
    report = find_report(front, ReportKind.ARMS, {})
    return [
        "",
        f"{MEASURE} of the systems in study {front.slug}, by the judgments of each arm:",
        *("".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in table),
        *(in_language(sentence) for sentence in (report.content["sentences"] if report else ())),
    ]


def _means(arm: Study) -> dict[str, float]:
    return {row.run: row.value or 0.0 for row in evaluate_study(arm, [MEASURE]).means()}
