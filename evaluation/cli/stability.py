"""The command `stability`: how often other topics reverse the order of two systems."""

import argparse

from . import output
from .resampled import add_arguments, cell, read

SUMMARY = "minority rate and proportion of ties of measures, over random subsets of topics"
DETAILS = """Reads per-topic rows run topic measure value (as score --per-topic writes them). Compares all
pairs of systems on B random subsets of C topics, the same for all measures. Writes a line for each
measure and fuzziness f: measure, f, minority rate, proportion of ties. A pair is tied if the means
differ by less than f times the larger one. The last line of each measure has - for f. It gives the
proportion of ties at a minority rate of .05, interpolated.

  plumbline stability scores.tsv --topics 25 --trials 1000 --fuzziness .01 .05 .1 --seed 1"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_arguments(parser, topics="topics in a subset (default: half of all topics)")
    parser.add_argument(
        "--fuzziness",
        type=float,
        nargs="+",
        metavar="F",
        help="values of f from 0 to 1 (default: 0 .01 … .10)",
    )


def run(args: argparse.Namespace) -> None:
    """Write minority rates and proportions of ties. Raise `InputError` for unusable scores or settings."""
    import numpy as np

    from ..comparison.stability import FUZZINESS, stability

    scores = read(args)
    result = stability(
        scores,
        size=args.topics,
        trials=args.trials,
        fuzziness=args.fuzziness or FUZZINESS,
        rng=np.random.default_rng(args.seed),
    )
    rates, ties, at = result.minority_rate(), result.proportion_of_ties(), result.ties_at()
    with output(args.output) as out:
        for place, measure in enumerate(result.measures):
            for f, rate, tied in zip(result.fuzziness, rates[place], ties[place], strict=True):
                out.write(f"{measure}\t{f:g}\t{cell(rate)}\t{cell(tied)}\n")
            out.write(f"{measure}\t-\t{cell(0.05)}\t{cell(at[place])}\n")
