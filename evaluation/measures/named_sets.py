"""Names that stand for several measures."""

from typing import Final

NAMED_SETS: Final = {
    "official": (
        *("num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
        *(f"iprec_at_recall_{tenths / 10:.2f}" for tenths in range(11)),
        *(f"P_{cutoff}" for cutoff in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    ),
}
"""The measures of each set. `official` has those that trec_eval prints by default, under its names."""
