"""The command `gains`: compute one gain per document."""

import argparse

from evaluation.cli import add_output, output

SUMMARY = "one gain per document, from its normalised magnitudes"
DETAILS = """Reads the output of normalise. Writes lines topic_id 0 document_id gain, which score can read:
separated by tabs, without a header, sorted by topic and document, with gains at full precision.

A document's gain is the median of its normalised magnitudes. With --statistic gmean, it is their
geometric mean, which depends on every magnitude. For an even number of magnitudes, the median is the
mean of the middle two: for 4 and 9 it is 6.5, or 6 with --median geometric.

  python -m evaluation normalise judgments.csv -o normalised.csv
  python -m evaluation gains normalised.csv -o gains.txt
  python -m evaluation score gains.txt runs/* -m nDCG@10"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("normalised", metavar="NORMALISED.csv", help="the normalised judgments, plain or .gz")
    parser.add_argument(
        "--statistic",
        choices=("median", "gmean"),
        default="median",
        help="the median of a document's magnitudes (default), or their geometric mean",
    )
    parser.add_argument(
        "--median",
        choices=("arithmetic", "geometric"),
        default="arithmetic",
        help="how to average the middle two, if the number of magnitudes is even (default: arithmetic)",
    )
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write one gain for each document. Raise `InputError` for unusable judgments."""
    from evaluation.files import write_gains
    from evaluation.files.judgments import read_table
    from evaluation.files.qrels import refuse_blanks
    from evaluation.magnitudes import gains

    table = read_table(args.normalised)
    judgments = table.judgments()
    refuse_blanks(judgments)
    result = gains(judgments, table.normalized(), statistic=args.statistic, median=args.median)
    with output(args.output) as out:
        write_gains(result, out)
