"""The command `score`: score runs by measures."""

import argparse

from . import add_choice, add_output, add_strict, output, refuse_digits, warn_of
from .scoring import add_conventions, scores_of

SUMMARY = "scores of runs by gains or qrels"
DETAILS = """Reads gains or qrels (topic 0 document gain, real or whole) and TREC run files (topic Q0 document
rank score tag), also compressed. Writes rows run topic measure value; rows of topic all are means over
topics. Measures can come before, between and after the files.

  plumbline score gains.txt runs/* -m nDCG@10 AP
  plumbline score gains.txt runs/* -m 'nDCG(discount="jk", base=2)@10' --per-topic -o scores.tsv
  plumbline score gains.txt runs/* --rel qrels.txt --negative zero -m 'P(rel=2)@10' nDCG@10
  plumbline score qrels.txt bm25.run -m official --format trec_eval
  plumbline score gains.txt runs/* -m DCG@10 --inclusion sample.csv

measures that count relevant documents (judged value above 0, or at least rel=):
  P relative_P R F Fallout Success AP GMAP Rprec RR IPrec 11pt_avg SetP SetF SetAP NR ASL ESL RBP
  INSQ INST; for incomplete judgments: bpref infAP; if the second column of GAINS has subtopics:
  alpha_nDCG alpha_DCG nERR_IA ERR_IA nNRBP NRBP P_IA AP_IA StRecall
measures that add gains:
  CG DCG nCG nDCG AnCG AnDCG SR MSR gP gR ERR nERR Compat
measures that do both:
  WAP Q R_measure AGR
measures that count judged or retrieved documents:
  Judged NumRet NumRel RBP_residual

With a cut-off, as in nDCG@10, a measure uses ranks 1 to 10; with @R, as many ranks as the topic has
relevant documents; without a cut-off, the whole list. AnCG and AnDCG need a cut-off, as in AnDCG@100.
IPrec needs a recall level, as in IPrec(recall=0.1).
Parameters, in brackets, with their default or an example:
  rel=2                the lowest relevant judged value, before any gain scheme (default: any above 0)
  gain="linear"        gains unchanged; "exp": 2^g - 1; "pow2": 2^g; "binary": 1 if above 0; or a
                       scheme: "0-1-10-100" for the grades 0, 1, ..., "0:0,0.5:1,2:10" for any values
  discount="log2"      divide by log2(rank + 1); "jk": by log_base(rank) from rank base on, with base=2;
                       "rank": by the rank; "none": not at all                   DCG nDCG AnDCG
  ideal="recall_base"  the ideal list of all judged documents; "retrieved": of the retrieved documents
  norm="R"             the divisor of AP, WAP, Q, AGR; "min": the smaller of the cut-off and R
  gmax="file"          the largest gain: in the file; "topic": in the topic; or a number. Required if
                       gains are not whole numbers
                                           ERR nERR gP, and RBP, INSQ and INST with graded gains
  stop="exp"           the probability of stopping at gain g: 2^(g - gmax) - 2^(-gmax); "ntcireval":
                       g/(gmax + 1); "share": factor*g/gmax, with factor=0.9375 and gmax="topic" by
                       default                                                        ERR nERR
  ties="broken"        "averaged": documents with equal scores share their gains  (CG, DCG, nCG, nDCG,
                       AnCG, AnDCG, SR, MSR)
  adjust="none"        "agr": the more relevant documents share a level, the lower its gain  (measures
                       that add gains)
  N=1400               the number of documents in the collection             Fallout NR ASL ESL
  beta=1  p=0.8  q=1   beta of F, SetF, Q and R_measure; p of RBP, RBP_residual, Compat (0.95), NRBP
                       and nNRBP (0.5); q of ESL
  T=1                  the number of relevant documents that a reader wants              INSQ INST
  alpha=0.5            how much less a subtopic counts each time it is repeated
                                             alpha_nDCG alpha_DCG nERR_IA ERR_IA nNRBP NRBP
  divisor="min"        bpref divides by the smaller of N and R; "R": by R
  unsampled="negative" every negative code marks a document that was pooled but not sampled (read them
                       with --negative zero); "none": no code does; or one number such as -1
                                                              bpref infAP RBP_residual Judged
  topics="relevant"    topics with a relevant document; "judged": all topics
                                                                   Judged NumRet NumRel RBP_residual
  over_topics="sum"    the value of topic all is the sum over topics; "mean": their mean
                                                                                       NumRet NumRel
  multiple=1           precision at this multiple of R                                         Rprec
  relative="no"        SetP divides by the length of the list; "yes": by R if that is smaller
  recall=0.1           the recall level of IPrec
  levels="exact"       how IPrec and 11pt_avg round recall levels to documents; also "trec_eval",
                       "trec_eval9"
  count="irrelevant"   ESL counts irrelevant documents; "all": all documents examined"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("gains", metavar="GAINS", help="gains or qrels")
    parser.add_argument("runs", metavar="RUN", nargs="+", help="run files, each with a different tag")
    parser.add_argument(
        "-m",
        "--measures",
        metavar="MEASURE",
        nargs="+",
        action="extend",
        required=True,
        help="measures, such as nDCG@10",
    )
    parser.add_argument(
        "--per-topic", action="store_true", help="write a row for each topic, before the mean"
    )
    add_conventions(parser)
    add_choice(
        parser,
        "--format",
        ("tsv", "csv", "json", "trec_eval"),
        "csv and json have full precision; trec_eval is the layout of trec_eval",
    )
    parser.add_argument("--digits", type=int, default=4, metavar="N", help="decimals in tsv (default: 4)")
    add_strict(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the scores of the runs. Raise `InputError` for unusable files, measures or settings."""
    from ..files import write_like_trec_eval, write_scores

    refuse_digits(args.digits, least=0)
    scores = scores_of(args.gains, args.runs, args)
    warn_of(scores.notices, strict=args.strict)
    with output(args.output) as out:
        if args.format == "trec_eval":
            write_like_trec_eval(scores, out, per_topic=args.per_topic, digits=args.digits)
        else:
            write_scores(scores.by_run(per_topic=args.per_topic), out, args.format, args.digits)
