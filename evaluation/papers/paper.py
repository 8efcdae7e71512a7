"""How the numbered tables and figures of a paper are declared."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from ..options import checked
from ..report.needs import Need
from ..report.parts import Part, Section
from ..text import Text

State = Literal["same", "differs", "absent"]
"""How an item is computed: as in the paper, in another way that its `reading` states, or not at all."""
STATES: Final = get_args(State)


@checked
@dataclass(frozen=True)
class Item:
    """A numbered table or figure of a paper.

    `key` names the item in commands and files, such as "table-2", and `name` is its name in the paper, such
    as "Table 2". `title` says what it shows. `reading` says how it is computed and read, and for the state
    "differs" or "absent", how and why it departs from the paper. `needs` are what a study must have for it.
    `where` names the places in Plumbline that have the same numbers: parts of the report, functions or pages.
    `misprints` are printed values that do not follow from the paper's own formulas, each with the value that
    does.
    """

    key: str
    name: str
    title: Text
    reading: Text
    state: State = "same"
    needs: Sequence[Need] = ()
    where: Sequence[str] = ()
    misprints: Sequence[Text] = ()

    @property
    def reading_with_misprints(self) -> Text:
        """How the item is computed and read, followed by the misprints of the paper."""
        text = "{reading}" + "".join(
            f" Misprint: {{misprint{place}}}" for place in range(len(self.misprints))
        )
        misprints = {f"misprint{place}": misprint for place, misprint in enumerate(self.misprints)}
        return Text(text, reading=self.reading, **misprints) if self.misprints else self.reading


@dataclass(frozen=True)
class Paper:
    """A paper with its numbered tables and figures, in the order in which it has them."""

    key: str
    citation: str
    title: str
    items: tuple[Item, ...]

    @property
    def section(self) -> Section:
        """The items as a section of a report, with a part for each item."""
        parts = (
            Part(
                item.key,
                Text("{name}: {title}", name=item.name, title=item.title),
                f"[{self.key}], {item.name}",
                item.reading_with_misprints,
                item.needs,
            )
            for item in self.items
        )
        return Section(self.key.lower(), Text("{citation}", citation=self.citation), tuple(parts))

    @property
    def computed(self) -> tuple[Item, ...]:
        """The items that Plumbline computes."""
        return tuple(item for item in self.items if item.state != "absent")
