"""The conventions of scoring and of comparing runs: each is an option with a list of values.

The first value of each option is the default. The functions `score`, `rank` and `compare` explain the values.
"""

from typing import Final, Literal

Negative = Literal["error", "zero"]
"""What a negative code in qrels means."""
Unjudged = Literal["zero", "drop", "N"]
"""How unjudged documents count."""
Ties = Literal["trec_eval", "trec_eval9", "as_ranked"]
"""How documents are ranked, and how ties between their scores are broken."""
Missing = Literal["zero", "skip"]
"""How a judged topic that a run does not answer counts."""
Empty = Literal["skip", "zero"]
"""How a topic without relevant documents or without gain counts."""
Average = Literal["mean_of_ratios", "ratio_of_means"]
"""How ratios to the ideal list are averaged over topics."""
PairTest = Literal["wilcoxon", "sign_test", "paired_t", "randomisation", "conover", "tukey"]
"""The tests of pairs of runs."""
Correction = Literal["holm", "none"]
"""How p is adjusted for several comparisons."""
Family = Literal["measure", "all"]
"""Which comparisons are adjusted together."""
Interval = Literal["t", "bootstrap"]
"""How the interval of a mean over topics is computed."""
Design = Literal["systematic", "poisson"]
"""How the documents of a sample are drawn."""
Statistic = Literal["median", "gmean", "trimmed", "model", "mean", "worth", "chance"]
"""How the gain of a document summarises its normalised judgments. Each scale has some of these."""
SpreadOf = Literal["document", "topic"]
"""The judgments that show how much a document's gain can be off: its own, or all of its topic."""
RESAMPLES: Final = 9_999
"""The number of bootstrap samples of the topics."""
WORKER_RESAMPLES: Final = 500
"""The number of bootstrap samples of the workers, for means that are corrected for noisy gains."""
