"""The command `discrimination`: how large a difference between systems must be to hold on other topics."""

import argparse
import math

from . import output
from .resampled import add_arguments, cell, read

SUMMARY = "swap rates of measures, and the difference needed between systems"
DETAILS = """Reads per-topic rows run topic measure value (as score --per-topic writes them). Compares all
pairs of systems on B pairs of disjoint random subsets of C topics. Writes for each measure
  measure  bin  lower edge  comparisons  swap rate (- if there are no comparisons)
for differences of 0 to .01, .01 to .02, … .20 and more on the first subset; then
  measure  absolute  the smallest difference from which at most 5 % of the comparisons are swaps
  measure  relative  the same, divided by the largest mean observed
  measure  power     the share of all comparisons whose difference is at least this large
with - if no difference is large enough.

  plumbline discrimination scores.tsv --topics 25 --trials 1000 --seed 1"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_arguments(parser, topics="topics in each of the two subsets (default: half of all topics)")
    parser.add_argument(
        "--replacement", action="store_true", help="draw the two subsets independently, with replacement"
    )


def run(args: argparse.Namespace) -> None:
    """Write the swap rates, the differences needed for a low swap rate, and the discriminative power.

    Raise `InputError` for unusable scores or settings.
    """
    import numpy as np

    from ..comparison.discrimination import discrimination

    scores = read(args)
    result = discrimination(
        scores,
        size=args.topics,
        trials=args.trials,
        replacement=args.replacement,
        rng=np.random.default_rng(args.seed),
    )
    rates = result.swap_rate()
    needed = {
        "absolute": result.absolute_difference(),
        "relative": result.relative_difference(),
        "power": result.power(),
    }
    with output(args.output) as out:
        for place, measure in enumerate(result.measures):
            for bin, rate in enumerate(rates[place]):
                count, swap_rate = result.comparisons[place, bin], None if math.isnan(rate) else float(rate)
                out.write(f"{measure}\tbin\t{bin / 100:.2f}\t{count}\t{cell(swap_rate)}\n")
            for name, values in needed.items():
                out.write(f"{measure}\t{name}\t{cell(values[place])}\n")
