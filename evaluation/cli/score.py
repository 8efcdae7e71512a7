"""The command `score`: measures of runs."""

import argparse
from functools import partial

from evaluation.cli import add_choice, add_output, output, refuse_digits, warn

SUMMARY = "scores of runs by gains or qrels"
DETAILS = """Reads gains or qrels (topic 0 document gain, real or whole) and TREC run files (topic Q0 document
rank score tag), plain or .gz. Writes rows run topic measure value; the mean over the topics is topic
all. Measures may be named before, between and after the files.

  python -m evaluation score gains.txt runs/* -m nDCG@10 AP
  python -m evaluation score gains.txt runs/* -m 'nDCG(discount="jk", base=2)@10' --per-topic -o scores.tsv
  python -m evaluation score gains.txt runs/* --rel qrels.txt --negative zero -m 'P(rel=2)@10' nDCG@10

measures that count relevant documents, documents whose judged value is above 0 or at least rel=:
  P R F Fallout Success AP Rprec RR IPrec 11pt_avg NR ASL ESL RBP
measures that add gains:
  CG DCG nCG nDCG AnCG AnDCG SR MSR gP gR ERR
measures that do both:
  WAP Q R_measure AGR

With a cut-off, as in nDCG@10, they look at the ranks 1 to 10; without one, at the whole list. IPrec,
AnCG and AnDCG need more: IPrec(recall=0.1), AnDCG@100. Parameters, in brackets:
  rel=2                the lowest relevant judged value (else any above 0), before any gain scheme
  gain="linear"        gains as they are; "exp" 2^g - 1, "pow2" 2^g, "binary" 1 above 0, "0-1-10-100"
                       of the grades 0, 1, ..., "0:0,0.5:1,2:10" of these very values
  discount="log2"      by log2(rank + 1); "jk" by log_base(rank) from rank base on, with base=2;
                       "rank" by the rank; "none"                                DCG nDCG AnDCG
  ideal="recall_base"  the ideal list of all judged documents, or "retrieved" of those retrieved
  norm="R"             the divisor of AP, WAP, Q, AGR; "min" the smaller of cut-off and R
  gmax="file"          the largest gain: of the file, the "topic", or a number; must be given where
                       gains are not whole                     ERR gP, and RBP with graded gains
  adjust="none"        "agr" counts a level less that most relevant documents have  (measures of gains)
  N=1400               the documents in the collection                       Fallout NR ASL ESL
  beta=1  p=0.8  q=1   of F, Q and R_measure; of RBP; of ESL
  recall=0.1           the recall level of IPrec; levels="exact", "trec_eval", "trec_eval9" of IPrec
                       and 11pt_avg
  count="irrelevant"   what ESL counts, or "all" """.rstrip()


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
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
    add_choice(parser, "--negative", ("error", "zero"), "negative gains are an error, or count 0")
    add_choice(parser, "--unjudged", ("zero", "drop"), "unjudged documents have gain 0, or leave the lists")
    add_choice(parser, "--ties", ("trec_eval", "as_ranked"), "by score, as trec_eval, or by the rank column")
    add_choice(
        parser, "--missing", ("zero", "skip"), "a judged topic without a list scores 0, or is left out"
    )
    add_choice(parser, "--empty", ("skip", "zero"), "a topic with nothing relevant is left out, or counts 0")
    add_choice(
        parser,
        "--average",
        ("mean_of_ratios", "ratio_of_means"),
        "the mean of ratios to an ideal vector (nCG, nDCG, AnCG, AnDCG, SR, MSR) over the topics: "
        "of the topics' values, or the ratio of the mean vectors",
    )
    add_choice(parser, "--format", ("tsv", "csv", "json"), "tsv, or csv or json at full precision")
    parser.add_argument("--digits", type=int, default=4, metavar="N", help="decimals of tsv (default: 4)")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the scores of the runs. Raise `InputError` for unusable files, measures or settings."""
    from evaluation.files import read_gains, read_run, write_scores
    from evaluation.measures import parse
    from evaluation.scores import score

    refuse_digits(args.digits, least=0)
    for measure in args.measures:
        parse(measure)  # a typo is reported before any file is read
    scores = score(
        read_gains(args.gains, negative=args.negative),
        [partial(read_run, path) for path in args.runs],
        args.measures,
        rel=read_gains(args.rel, negative=args.negative) if args.rel else None,
        unjudged=args.unjudged,
        ties=args.ties,
        missing=args.missing,
        empty=args.empty,
        average=args.average,
    )
    for text in scores.notices.sentences():
        warn(text)
    with output(args.output) as out:
        write_scores(scores.by_run(per_topic=args.per_topic), out, args.format, args.digits)
