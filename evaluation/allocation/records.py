"""Convert decisions to plain records, and check a record by repeating its decision."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from math import isclose
from typing import Any, Final

import polars as pl

from ..errors import InputError
from ..frame import Frame
from ..frames import Judgments
from ..runs import Run, Runs
from ..sources import Source
from .decision import Decision, Settings, decide

CLOSE: Final = 1e-9
"""The relative and absolute tolerance for numbers, because other machines can round differently."""


def to_record(decision: Decision, judgments: Source, runs: Source) -> dict[str, Any]:
    """Return the decision as a dict of numbers, texts, lists and dicts, with the checksums of its data.

    `judgments` and `runs` are those from which the decision was made. The entry `judged_units` has the ids of
    the judged units in each topic. So the decision can be repeated from a later export, which has more units.
    """
    judgments, runs = Judgments(judgments, gold=True), Runs(runs)
    units = judgments.table.select("topic_id", "unit_id").unique().sort("topic_id", "unit_id")
    return {
        "rule": decision.rule,
        "seed": decision.seed,
        "batch": decision.batch,
        "settings": asdict(decision.settings),
        "judgments_sha256": checksum(judgments),
        "runs_sha256": {run.tag: checksum(run) for run in runs},
        "reason": decision.reason,
        "evidence": asdict(decision.evidence) | {"top_set": list(decision.evidence.top_set)},
        "units": [{"topic_id": topic, "documents": list(documents)} for topic, documents in decision.units],
        "documents": decision.documents.to_dicts(),
        "judged_units": dict(units.group_by("topic_id", maintain_order=True).agg("unit_id").iter_rows()),
    }


def differences(record: Mapping[str, Any], judgments: Source, runs: Source) -> list[str]:
    """Repeat a recorded decision, and return the names of the entries that differ from the record.

    `judgments` can contain units that were judged later. Two decimal numbers count as equal if they agree
    within the relative or absolute tolerance `CLOSE`. Raise `InputError` if the record is incomplete, and in
    the same cases as `decide`.
    """
    judgments, runs = Judgments(judgments, gold=True), Runs(runs)
    try:
        # Earlier records do not say how many anchors a unit has, because each had one pair.
        record = {**record, "settings": {"anchors": Settings.anchors, **record["settings"]}}
        settings = Settings(**{name: record["settings"][name] for name in _NAMES})
        judged = pl.DataFrame(
            [(topic, unit) for topic, units in record["judged_units"].items() for unit in units],
            schema={"topic_id": pl.String, "unit_id": pl.String},
            orient="row",
        )
        tags = set(record["runs_sha256"])
        before = judgments.replaced(
            table=judgments.table.join(judged, on=["topic_id", "unit_id"], how="semi", maintain_order="left")
        )
        used = [run for run in runs if run.tag in tags]
        again = decide(before, used, settings, seed=record["seed"], batch=record["batch"])
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "decision-incomplete",
            "the decision cannot be repeated, because an entry is missing or invalid ({entry}); use the file "
            "exactly as allocate wrote it",
            entry=str(error),
        ) from None
    repeated = to_record(again, before, used)
    return [name for name, value in repeated.items() if not _same(record.get(name), value)]


def checksum(frame: Frame) -> str:
    """Return the SHA-256 of the judgments or of a run. The order of the rows does not change it."""
    names = _RETRIEVED if isinstance(frame, Run) else _JUDGED
    columns = [name for name in names if name in frame.table.columns]
    lines = frame.table.select(columns).sort(columns).write_csv(include_header=True)
    return hashlib.sha256(lines.encode()).hexdigest()


_JUDGED: Final = ("topic_id", "unit_id", "worker_id", "document_id", "relevance_score", "gold")
_RETRIEVED: Final = ("topic_id", "document_id", "score")
_NAMES: Final = tuple(part.name for part in fields(Settings))


def _same(recorded: Any, repeated: Any) -> bool:
    if isinstance(repeated, Mapping):
        return (
            isinstance(recorded, Mapping)
            and recorded.keys() == repeated.keys()
            and all(_same(recorded[name], value) for name, value in repeated.items())
        )
    if isinstance(repeated, Sequence) and not isinstance(repeated, str):
        return (
            isinstance(recorded, Sequence)
            and len(recorded) == len(repeated)
            and all(map(_same, recorded, repeated))
        )
    if isinstance(repeated, float) and isinstance(recorded, int | float):
        return isclose(recorded, repeated, rel_tol=CLOSE, abs_tol=CLOSE)
    return bool(recorded == repeated)
