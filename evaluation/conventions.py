"""The conventions of scoring that can differ between programs: each is an option with a list of values.

The first value of each option is the default. The functions `score` and `rank` explain the values.
"""

from typing import Literal

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
