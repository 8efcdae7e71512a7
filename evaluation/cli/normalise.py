"""`normalise`: bring the workers' scales together."""

import argparse

from evaluation.cli import add_output, output, warn

SUMMARY = "bring the scales of the workers' magnitudes together, per topic"
DETAILS = """Reads CSV with at least the columns topic_id, unit_id, document_id, relevance_score; a unit is
(topic_id, unit_id, worker_id where given). Writes the same rows in the same order, with the column
normalized_relevance_score: each magnitude divided by the geometric mean of its unit and multiplied
by that of its topic."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("judgments", metavar="JUDGMENTS.csv", help="the judgments, plain or .gz")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    from evaluation.files.judgments import read_table, write_normalized
    from evaluation.magnitudes import normalise

    table = read_table(args.judgments)
    judgments = table.judgments()
    if (row := judgments.first_repetition()) is not None:
        warn(
            f"{judgments.origin.at(row)}: a document is judged a second time in its unit; where several"
            " workers share the ids of units, a column worker_id keeps them apart"
        )
    normalized = normalise(judgments)
    with output(args.output) as out:
        write_normalized(table, normalized, out)
