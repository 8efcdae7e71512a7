"""`score`: measures of runs."""

import argparse

from evaluation.cli import add_output, output, warn

SUMMARY = "scores of runs by gains or qrels"
DETAILS = """Reads gains or qrels (topic 0 document gain, real or whole) and TREC run files, plain or .gz.
Writes rows run topic measure value; the mean over the topics is topic all.

measures: P R AP RR CG DCG nCG nDCG AnCG AnDCG ERR, with a cut-off as in nDCG@10, and parameters in
brackets:
  discount="log2" (default) | "jk" with base=2 | "rank" | "none"       DCG nDCG AnDCG
  gain="linear" (default) | "exp" | "pow2" | "0-1-10-100"              CG … AnDCG
  ideal="recall_base" (default) | "retrieved"                          CG … AnDCG
  gmax="file" (default) | "topic" | a number                           ERR
  norm="R" (default) | "min"                                           AP
  rel=2, the lowest relevant judged value (default: any above 0)       P R AP RR; for CG … AnDCG it
      counts in k = max(L, R), which is k where no cut-off is given
as in 'nDCG(discount="jk", base=2)@10'."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("gains", metavar="GAINS", help="gains or qrels")
    parser.add_argument("runs", metavar="RUN", nargs="+", help="run files, each with a tag of its own")
    parser.add_argument(
        "-m",
        "--measures",
        metavar="MEASURE",
        nargs="+",
        action="extend",
        required=True,
        help="as nDCG@10",
    )
    parser.add_argument("--per-topic", action="store_true", help="a row per topic too, before the mean")
    parser.add_argument("--rel", metavar="QRELS", help="take relevance from this file, gains from GAINS")
    _choice(parser, "--negative", ("error", "zero"), "negative gains are an error, or count 0")
    _choice(parser, "--unjudged", ("zero", "drop"), "unjudged documents have gain 0, or leave the lists")
    _choice(parser, "--ties", ("trec_eval", "as_ranked"), "by score, as trec_eval, or by the rank column")
    _choice(parser, "--missing", ("zero", "skip"), "a judged topic without a list scores 0, or is left out")
    _choice(parser, "--empty", ("skip", "zero"), "a topic with nothing relevant is left out, or counts 0")
    _choice(
        parser,
        "--average",
        ("mean_of_ratios", "ratio_of_means"),
        "the mean of nCG, nDCG, AnCG, AnDCG: of the topics' values, or the ratio of the mean vectors",
    )
    _choice(parser, "--format", ("tsv", "csv", "json"), "tsv, or csv or json at full precision")
    parser.add_argument("--digits", type=int, default=4, metavar="N", help="decimals of tsv (default: 4)")
    add_output(parser)


def _choice(parser: argparse.ArgumentParser, name: str, choices: tuple[str, ...], what: str) -> None:
    parser.add_argument(name, choices=choices, default=choices[0], help=f"{what} (default: {choices[0]})")


def run(args: argparse.Namespace) -> None:
    from evaluation.errors import InputError
    from evaluation.files import read_gains, read_runs, write_scores
    from evaluation.measures import parse
    from evaluation.scores import score

    if not 0 <= args.digits <= 17:
        raise InputError("--digits must be from 0 to 17")
    for measure in args.measures:
        parse(measure)  # before any file is read, so that a slip of the pen costs no time
    found = score(
        read_gains(args.gains, negative=args.negative),
        read_runs(args.runs),
        args.measures,
        rel=read_gains(args.rel, negative=args.negative) if args.rel else None,
        unjudged=args.unjudged,
        ties=args.ties,
        missing=args.missing,
        empty=args.empty,
        average=args.average,
    )
    for text in found.notices.sentences():
        warn(text)
    with output(args.output) as out:
        write_scores(found.by_run(per_topic=args.per_topic), out, args.format, args.digits)
