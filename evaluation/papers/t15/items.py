"""The numbered tables and figures of [T15], each with how Plumbline computes it."""

from typing import Final

from ...report import needs
from ...text import Text
from ..paper import Item, Paper

JUDGED: Final = (needs.judgments, needs.grades)
OF_SYSTEMS: Final = (needs.judgments, needs.whole, needs.runs)

T15: Final = Paper(
    "T15",
    "Turpin, Scholer, Mizzaro & Maddalena, SIGIR 2015",
    "The Benefits of Magnitude Estimation Relevance Assessments for Information Retrieval Evaluation",
    (
        Item(
            "table-1",
            "Table 1",
            Text("Topics, units and anchors"),
            Text(
                "Each row is a topic with its documents, units and anchors. On the site, it also counts "
                "units with 0, 1, and 2 or more uses of the back button and failures of the checks (c) and "
                "(d)."
            ),
            needs=(needs.judgments,),
            where=("topics",),
        ),
        Item(
            "figure-1",
            "Figure 1",
            Text("Judgments by grade"),
            Text(
                "Each box covers the middle half of the medians of the documents with one grade. U stands "
                "for documents without a grade, and the medians rise with the grade if the crowd agrees with "
                "it."
            ),
            needs=JUDGED,
            where=("magnitudes-by-grade", "adjacent", "analyses.boxes", "figures.box_plots"),
        ),
        Item(
            "figure-2",
            "Figure 2",
            Text("Judgments by grade and topic"),
            Text(
                "Each panel shows the boxes of one topic. An exception is a topic in which a lower grade has "
                "a larger median than a higher grade."
            ),
            needs=JUDGED,
            where=("magnitudes-by-topic", "exceptions", "analyses.boxes", "analyses.exceptions"),
        ),
        Item(
            "figure-3",
            "Figure 3",
            Text("Agreement on the order of two documents"),
            Text(
                "Each dot is a topic and a pair of grades, at the share of pairs of documents that both "
                "judgments order in the same way. A tie counts as agreement, as in the paper; the table also "
                "has two other rules."
            ),
            needs=JUDGED,
            where=("order-agreement", "magnitudes.pairwise_agreement", "figures.pair_agreement"),
            misprints=(
                Text(
                    "The paper reports mean agreements of 77, 64 and 65 %. The rule for ties that it states "
                    "cannot give all three."
                ),
            ),
        ),
        Item(
            "figure-4",
            "Figure 4",
            Text("Systems by judgments and by binary judgments"),
            Text(
                "Each point is a run with its mean nDCG@10 or ERR@10. ERR appears twice, with the largest "
                "gain of each topic and of all topics, because the paper does not say which one it uses."
            ),
            needs=(*OF_SYSTEMS, needs.grades, needs.binary),
            where=("systems", "analyses.system_scatter", "analyses.system_agreement"),
        ),
        Item(
            "figure-5",
            "Figure 5",
            Text("Simulated systems by judgments and by grades"),
            Text(
                "Each point is a simulated system: for each topic, it has a random one of the lists whose "
                "top 10 documents all have a grade. There are 100 such systems, and ERR appears as in Figure "
                "4."
            ),
            needs=(*OF_SYSTEMS, needs.grades, needs.multilevel),
            where=("simulated", "analyses.simulate_systems", "analyses.simulated_agreement"),
        ),
        Item(
            "figure-6",
            "Figure 6",
            Text("τ with one judgment for each document"),
            Text(
                "Each of 1,000 draws ranks the systems by one randomly chosen judgment per document. The "
                "fixed ranking is that of the runs by binary judgments, or of simulated systems by grades; "
                "without known grades, it is that of the runs by the medians."
            ),
            needs=OF_SYSTEMS,
            where=("tau", "analyses.tau_distributions"),
        ),
        Item(
            "table-2",
            "Table 2",
            Text("Other gains for the grades"),
            Text(
                "Each τ compares the ranking of 100 simulated systems by transformed grades with their "
                "ranking by the grades C. The rows are Plumbline’s choice, because the paper does not say "
                "which transformations it used."
            ),
            "differs",
            (*OF_SYSTEMS, needs.grades, needs.multilevel),
            where=("transformations", "analyses.transformation_table"),
        ),
        Item(
            "table-3",
            "Table 3",
            Text("Units with a narrow or a wide range"),
            Text(
                "Each τ compares the ranking by judgments from narrow, wide or all units with the ranking by "
                "a set of grades, and each overlap compares their top sets. Binary judgments rank the runs, "
                "and other grades rank 100 simulated systems."
            ),
            needs=(*OF_SYSTEMS, needs.ratios, needs.anchors, needs.grades),
            where=("ranges", "analyses.range_table", "magnitudes.narrow_and_wide"),
        ),
        Item(
            "figure-7",
            "Figure 7",
            Text("H ÷ N of the units"),
            Text(
                "Each bar counts the units whose ratio of the two anchors’ magnitudes, rounded to a multiple "
                "of 5, is the same. Bars with fewer than four units are counted but not drawn."
            ),
            needs=(needs.judgments, needs.ratios, needs.anchors),
            where=("anchor-ratios", "magnitudes.unit_ratios", "magnitudes.ratio_histogram"),
        ),
        Item(
            "figure-8",
            "Figure 8",
            Text("Gain of each grade"),
            Text(
                "Each value is a magnitude divided by that of the N anchor in the same unit, with lines for "
                "the gains 1-2-3-4 and 2-4-8-16. The figure includes the anchors, which makes H look too "
                "large; the table also has the values without them."
            ),
            needs=(needs.judgments, needs.ratios, needs.anchors, needs.grades),
            where=("gain-profile", "magnitudes.gain_profile", "figures.gain_profiles"),
        ),
        Item(
            "figure-9",
            "Figure 9",
            Text("H against R and M"),
            Text(
                "Each box covers the middle half of a topic’s ratios between the gain of an H document and "
                "that of an R or M document. The last box has the ratios of all topics, and the counts on "
                "the right are those above 3.5."
            ),
            needs=(needs.judgments, needs.ratios, needs.grades, needs.letters),
            where=("grade-ratios", "analyses.ratio_boxes", "figures.ratio_boxes"),
        ),
    ),
)
"""The paper."""
