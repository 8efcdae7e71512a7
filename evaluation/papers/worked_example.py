"""The worked example G′ of [JK02], which [K05] also uses, computed with the library."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import polars as pl

from ..analyses import gain_curves
from ..analyses.schemes import JK, W
from ..frames import Gains
from ..runs import Run

RETRIEVED: Final = (3, 2, 3, 0, 0, 1, 2, 2, 3, 0)
"""G′: the gains of the ten documents of a list, rank by rank."""
IDEAL: Final = (3, 3, 3, 2, 2, 2, 1, 1, 1, 1)
"""I′ down to rank 10: the gains of the ideal list. The list does not retrieve three documents of grade 1."""
_MEASURES: Final = {"CG": "CG", "DCG": f"DCG({JK})", "nCG": "nCG", "nDCG": f"nDCG({JK})"}


def vectors() -> dict[str, list[float]]:
    """Return the vectors of the example by their names, such as `CG′`. The vectors of the ideal have an I."""
    documents = [f"d{rank}" for rank in range(1, len(RETRIEVED) + 1)]
    left = list(IDEAL)
    for gain in filter(None, RETRIEVED):
        left.remove(gain)
    judged = dict(zip(documents, RETRIEVED, strict=True))
    judged |= {f"not retrieved {place}": gain for place, gain in enumerate(left)}
    gains = Gains.from_columns(["example"] * len(judged), list(judged), list(judged.values()))
    scores = [-float(rank) for rank in range(len(documents))]
    run = Run.from_columns("example", ["example"] * len(documents), documents, scores)
    table = gain_curves(gains, [run], measures=[*_MEASURES.values()], schemes=[W["w3"]], depth=len(documents))
    results: dict[str, list[float]] = {
        "G′": [float(gain) for gain in RETRIEVED],
        "I′": [float(gain) for gain in IDEAL],
    }
    for name, part in zip(_MEASURES, table.partition_by("measure", maintain_order=True), strict=True):
        results[f"{name}′"] = part["value"].to_list()
        if not name.startswith("n"):
            results[f"{name}′I"] = part["ideal"].to_list()
    return results


def example_table(names: Iterable[str], printed: Mapping[str, Sequence[float]]) -> pl.DataFrame:
    """Return a table with a row for each of the named vectors, and a column for each rank.

    The columns `vector` and `from` name the rows. A row with the `printed` values of a vector, if there are
    any, follows the row with its computed values.
    """
    computed, rows = vectors(), []
    for name in names:
        rows.append((name, "formula", *computed[name]))
        if name in printed:
            rows.append((name, "paper", *map(float, printed[name])))
    ranks = (str(rank) for rank in range(1, len(RETRIEVED) + 1))
    schema = {"vector": pl.String, "from": pl.String, **dict.fromkeys(ranks, pl.Float64)}
    return pl.DataFrame(rows, schema=schema, orient="row")
