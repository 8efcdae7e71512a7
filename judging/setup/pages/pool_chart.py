"""The chart of how much the runs overlap in the pool."""

from typing import Final

from django.utils.translation import gettext as _

from judging.core.pages.charts import Axis, Chart, Mark
from judging.setup.reading import DEPTHS, Reading

_MOST_BARS: Final = 24
"""The last bar of the chart combines all documents that this number of runs, or more, retrieve."""


def overlap_chart(reading: Reading) -> Chart | None:
    """Return a chart of how many pooled documents are in exactly one run, exactly two runs, and so on.

    The numbers come from the last check. Return None if that check read no runs or no pool.
    """
    overlap = reading.get("overlap", [])
    total = sum(overlap)
    if not total:
        return None
    # Only a pool from a list can contain documents that no run retrieves.
    rows = [(str(runs), count) for runs, count in enumerate(overlap[:_MOST_BARS]) if runs or count]
    if len(overlap) > _MOST_BARS:
        rows.append((_("{number} or more").format(number=_MOST_BARS), sum(overlap[_MOST_BARS:])))
    depth = reading.get("depth")
    if depth is None:
        about = _(
            "Pooled documents by the number of runs that retrieve them in the first {depth} ranks. "
            "Anchors are not counted."
        ).format(depth=DEPTHS)
    else:
        about = _(
            "Pooled documents by the number of runs that retrieve them within the pool depth of {depth}. "
            "Anchors are not counted."
        ).format(depth=depth)
    alone = overlap[1] if len(overlap) > 1 else 0
    return Chart(
        "overlap",
        _("Overlap of the runs in the pool"),
        about,
        Axis("runs", _("Number of runs"), "category"),
        Axis("documents", _("Documents")),
        {"runs": _("Number of runs"), "documents": _("Documents"), "percent": _("Percent")},
        [(runs, count, f"{100 * count / total:.1f}") for runs, count in rows],
        [Mark("bar")],
        note=_(
            "{percent} % of the documents are retrieved by only one run each. The smaller this share, the"
            " more the runs agree."
        ).format(percent=round(100 * alone / total)),
    )
