"""The estimate of a draft, from its values as they are typed and from what its last check has read."""

from pathlib import Path

from judging.intake.drafting import Values
from judging.intake.faults import Faults
from judging.intake.importing import FILE_NAME
from judging.intake.paths import Paths
from judging.intake.reading import Reading
from judging.intake.study_file import FieldReader
from judging.intake.tables import Table
from judging.intake.toml_lines import TomlLines
from judging.protocol.estimates import Estimate, Terms, estimate
from judging.protocol.settings import ANCHORS_PER_UNIT


def terms_of(values: Values) -> Terms:
    """What the study asks and pays; a value that does not fit counts as its default."""
    only = {
        name: values[name]
        for name in ("units", "checks", "pay", "platform")
        if isinstance(values.get(name), dict)
    }
    reader = FieldReader(Table(only, (), FILE_NAME, TomlLines(""), Faults()), Paths(Path()))
    reader.read()
    fields = reader.fields
    return Terms(
        unit_size=fields["unit_size"],
        anchors=ANCHORS_PER_UNIT,
        judgments_per_document=fields["judgments_per_document"],
        seconds_per_document=fields["seconds_per_document"],
        expected_minutes=fields["expected_minutes"],
        pay_per_unit=fields["pay_per_unit"],
        currency=fields["currency"],
        platform_fee=fields["platform_fee"],
    )


def pool_sizes(values: Values, reading: Reading) -> list[int]:
    """Documents beside the anchors, topic by topic, at the depth that the values say now."""
    depth = depth_of(values)
    return [
        topic["depths"][depth - 1]
        if depth and depth != reading.get("depth") and depth <= len(topic["depths"])
        else topic["others"]
        for topic in reading.get("topics", ())
    ]


def depth_of(values: Values) -> int:
    """The depth to which the runs are pooled; 0 for a list, or for none that can be read."""
    pool = values.get("pool")
    depth = pool.get("depth", 0) if isinstance(pool, dict) else 0
    return depth if type(depth) is int and depth > 0 else 0


def estimate_of(values: Values, reading: Reading) -> tuple[Terms, Estimate]:
    """The terms, and what they come to for the pools of the last check."""
    terms = terms_of(values)
    return terms, estimate(pool_sizes(values, reading), terms)


def at_depths(values: Values, reading: Reading, depths: tuple[int, ...]) -> list[dict[str, object]]:
    """What each depth would come to: documents and those that two runs or more agree on, and the estimate."""
    terms = terms_of(values)
    rows: list[dict[str, object]] = []
    for depth in depths:
        sizes = [topic["depths"][depth - 1] for topic in reading.get("topics", ()) if topic["depths"]]
        if sizes:
            found = estimate(sizes, terms)
            shared = reading["shared"][depth - 1]
            rows.append(
                {
                    "depth": depth,
                    "estimate": found,
                    "least": min(sizes),
                    "most": max(sizes),
                    "shared": shared,
                    "percent": round(100 * shared / found.documents) if found.documents else 0,
                }
            )
    return rows
