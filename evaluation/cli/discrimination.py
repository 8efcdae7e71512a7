"""The command `discrimination`: how large a difference must be for other topics to confirm it."""

import argparse
import math

from evaluation.cli import output
from evaluation.cli.resampled import add_arguments, cell, read

SUMMARY = "swap rates of measures, and the difference that is needed"
DETAILS = """Reads per-topic rows run topic measure value (as score --per-topic writes them). Compares all
pairs of systems on B pairs of disjoint random subsets of C topics and writes for each measure
  measure  bin  lower edge  comparisons  swap rate (- where there are no comparisons)
for the differences 0 to .01, .01 to .02, … .20 and more on the first subset; then
  measure  absolute  the smallest difference from which on 5 % of the comparisons swap at most
  measure  relative  the same, by the largest mean observed
  measure  power     the share of all comparisons that differ by as much
with - where no difference is large enough.

  python -m evaluation discrimination scores.tsv --topics 25 --trials 1000 --seed 1"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_arguments(parser, topics="topics in each of the two subsets (default: half of them)")
    parser.add_argument(
        "--replacement", action="store_true", help="draw both subsets with replacement, each on its own"
    )


def run(args: argparse.Namespace) -> None:
    """Write swap rates and the difference needed. Raise `InputError` for unusable scores or settings."""
    import numpy as np

    from evaluation.comparison.discrimination import discrimination

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
                count, shown = result.comparisons[place, bin], None if math.isnan(rate) else float(rate)
                out.write(f"{measure}\tbin\t{bin / 100:.2f}\t{count}\t{cell(shown)}\n")
            for name, values in needed.items():
                out.write(f"{measure}\t{name}\t{cell(values[place])}\n")
