"""The command `gains`: compute one gain per document."""

import argparse
from typing import get_args

from ..conventions import Statistic
from ..scales import default_statistics
from . import add_output, add_scale, output, warn

SUMMARY = "one gain per document, from its normalised magnitudes"
DETAILS = """Reads the output of normalise. Writes lines topic_id 0 document_id gain, which score can read:
separated by tabs, without a header, sorted by topic and document, with gains at full precision.

A document's gain is the median of its normalised numbers. For an even number of numbers, the
median is the mean of the middle two: for 4 and 9 it is 6.5, or 6 with --median geometric. --statistic
chooses another gain:

  gmean      the geometric mean, which depends on every magnitude
  trimmed    the geometric mean without the smallest and the largest; --trim says how many
  model      the level of the document in a model of all judgments, which weighs each worker's
             judgments by the noise in them
  mean       the arithmetic mean, of ratings and grades
  worth      the worth of the document, which the model of Bradley, Terry and Davidson fits to preferences
  chance     the chance to be preferred to a random other document of the topic, by these worths

Some tools cut real-valued gains to whole numbers, or refuse them. For these, --factor 100 writes each
gain times 100, rounded, and --thresholds 1 10 writes the grades 0, 1 and 2: how many thresholds a gain
reaches.

  plumbline normalise judgments.csv -o normalised.csv
  plumbline gains normalised.csv -o gains.txt
  plumbline score gains.txt runs/* -m nDCG@10"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "normalised", metavar="NORMALISED.csv", help="the normalised judgments, plain or compressed"
    )
    parser.add_argument(
        "--statistic",
        choices=get_args(Statistic),
        help=f"how to compute a gain, as described above (default: {default_statistics()})",
    )
    parser.add_argument(
        "--trim",
        type=float,
        default=0.2,
        metavar="SHARE",
        help="the share of a document's magnitudes that --statistic trimmed leaves out at each end (default: "
        "0.2)",
    )
    parser.add_argument(
        "--median",
        choices=("arithmetic", "geometric"),
        default="arithmetic",
        help="how to average the middle two, if the number of magnitudes is even (default: arithmetic)",
    )
    whole = parser.add_mutually_exclusive_group()
    whole.add_argument(
        "--factor", type=float, metavar="F", help="write whole numbers: gains times F, rounded"
    )
    whole.add_argument(
        "--thresholds",
        type=float,
        nargs="+",
        metavar="T",
        help="write grades: the number of these gains that a document's gain reaches",
    )
    add_scale(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write one gain for each document. Raise `InputError` for unusable judgments."""
    from ..files import write_gains
    from ..files.qrels import refuse_blanks
    from ..frames import Judgments
    from ..magnitudes import gains, gains_times, grades_from
    from ..parsing.judgment_table import read_table

    table = read_table(args.normalised)
    judgments = Judgments(table, scale=args.scale)
    refuse_blanks(judgments)
    normalized = table.normalized(scale=args.scale)
    result = gains(judgments, normalized, statistic=args.statistic, median=args.median, trim=args.trim)
    if args.factor is not None:
        result = gains_times(result, args.factor)
        if lost := int((result.values == 0).sum()):
            warn(f"the factor makes {lost} gains 0, so these documents are no longer relevant")
    elif args.thresholds:
        result = grades_from(result, args.thresholds)
    with output(args.output) as out:
        write_gains(result, out, whole=args.factor is not None or args.thresholds is not None)
