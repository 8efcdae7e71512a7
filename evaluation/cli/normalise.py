"""`normalise`: bring the workers' scales together."""

import argparse

from evaluation.cli import add_output, output, warn

SUMMARY = "bring the scales of the workers' magnitudes together, per topic"
DETAILS = """Reads CSV with at least the columns topic_id, unit_id, document_id, relevance_score; a unit is
(topic_id, unit_id, worker_id where given). Writes the same rows in the same order, with the column
normalized_relevance_score. With s a magnitude, mu and sigma the mean and the standard deviation of
ln s in a unit or in a whole topic, the methods are:

  geometric  exp(ln s - mu_unit + mu_topic): ratios inside a unit stay, and all units of a topic get
             one geometric mean (Turpin et al., SIGIR 2015)
  none       s as it was given
  zlog       exp(mu_topic + sigma_topic (ln s - mu_unit) / sigma_unit): units get one spread too;
             a unit of equal numbers gets exp(mu_topic)
  n          s / s_N, by the unit's not relevant anchor
  anchors    exp(mu_N + (ln s - ln s_N) (mu_H - mu_N) / (ln s_H - ln s_N)): the unit's two anchors
             go to where the topic's anchors are on average, mu_N and mu_H the means of their logs

n and anchors need the column gold, which marks a unit's highly relevant anchor H and its not
relevant anchor N and is empty elsewhere.

  python -m evaluation normalise judgments.csv -o normalised.csv
  python -m evaluation normalise judgments.csv --method anchors | head"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("judgments", metavar="JUDGMENTS.csv", help="the judgments, plain or .gz")
    parser.add_argument(
        "--method",
        choices=("geometric", "none", "zlog", "n", "anchors"),
        default="geometric",
        help="how, as above (default: geometric)",
    )
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    from evaluation.files.judgments import read_table, write_normalized
    from evaluation.magnitudes import normalise

    table = read_table(args.judgments)
    judgments = table.judgments(gold=args.method in ("n", "anchors"))
    if (row := judgments.first_repetition()) is not None:
        warn(
            f"{judgments.origin.at(row)}: a document is judged a second time in its unit; where several"
            " workers share the ids of units, a column worker_id keeps them apart"
        )
    normalized = normalise(judgments, args.method)
    with output(args.output) as out:
        write_normalized(table, normalized, out)
