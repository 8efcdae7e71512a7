"""Flag workers whose numbers follow the labels of a model: they may have asked a model instead of reading.

`evaluation.judges.followers` compares each worker with the crowd, and says who is flagged: workers with at
least ten documents whose z is above 3. As for `worker_flags`, a study needs at least `LEAST_WORKERS` workers
with a value, because the median of a small crowd says little.

A flag is a reason to look at a worker, not proof. Plumbline never acts on it by itself.
"""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.protocol.worker_flags import LEAST_WORKERS

_REASON = _(
    "Follows the labels of {judge}: the correlation with them, beyond what the other"
    " workers say, is {value}. The median of {workers} workers is {median}. This is a reason to look, not"
    " proof."
)


class Follower(NamedTuple):
    """How closely a worker follows a judge.

    `value` is the partial correlation of the worker's numbers with those of the judge, given those of the
    other workers, or None if it is unknown. `z` is how far it is above the crowd's, in standard errors.
    """

    worker_id: str
    value: float | None
    z: float | None
    flagged: bool


def following_flags(judges: Mapping[str, Sequence[Follower]]) -> dict[str, Sentence]:
    """Return the reason to look at each worker who follows a judge.

    `judges` has the workers by the name of the judge. A worker who follows several judges gets the reason for
    the one with the largest z.
    """
    largest: dict[str, float] = {}
    reasons: dict[str, Sentence] = {}
    for name, workers in judges.items():
        values = [worker.value for worker in workers if worker.value is not None]
        if len(values) < LEAST_WORKERS:
            continue
        for worker in workers:
            if not worker.flagged or worker.z is None or worker.value is None:
                continue
            if worker.z > largest.get(worker.worker_id, 0.0):
                largest[worker.worker_id] = worker.z
                reasons[worker.worker_id] = _reason(name, worker.value, values)
    return reasons


def _reason(judge: str, value: float, values: Sequence[float]) -> Sentence:
    figures = {"value": f"{value:.2f}", "median": f"{median(values):.2f}"}
    return Sentence(_REASON, {"judge": judge, **figures, "workers": len(values)})
