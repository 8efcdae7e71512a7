"""The section on judges beside people: machine judges, and labels that were made elsewhere."""

from typing import Final

from ...text import Text
from .. import needs
from ..parts import Part, Section

JUDGES: Final = Section(
    "judges",
    Text("Judges beside people"),
    (
        Part(
            "machine-judges",
            Text("Machine judges: checks and cost"),
            "Plumbline",
            Text(
                "A machine judge goes through the practice, the questions and the units as a worker does, "
                "and passes or fails the same checks. A judge that fails the anchors often cannot tell H "
                "from N."
            ),
            (needs.machines,),
        ),
        Part(
            "judges-beside-people",
            Text("How good are the judges?"),
            "Plumbline",
            Text(
                "Each judge is compared with the people who judged the same documents, without the anchors. "
                "What a judge is worth is the number of human judgments that it saves at equal variance."
            ),
            (needs.judgments, needs.labels),
        ),
    ),
)
