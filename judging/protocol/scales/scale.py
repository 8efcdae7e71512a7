"""How to declare a scale: its words, its bounds, and how workers judge on it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, Protocol

from judging.protocol.scales.answers import AnchorNumbers, AnchorOrder, order_of_numbers
from judging.protocol.scales.choice import Option
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _


class Typed(Protocol):
    """The text that a worker typed, as the scale reads it.

    `value` is None if the text is not valid. Then, `fault` is the key of the error message in `message`.
    """

    @property
    def text(self) -> str:
        """The text as typed."""

    @property
    def value(self) -> float | None:
        """The number, or None."""

    @property
    def fault(self) -> str | None:
        """The key of the error message, or None."""

    @property
    def message(self) -> Sentence | None:
        """The error message for the worker, or None."""

    @property
    def echo(self) -> str:
        """How Plumbline reads the number, or "" if the text shows it already."""


class Settings(Protocol):
    """The settings of a study that say which answers are valid."""

    @property
    def with_fractions(self) -> bool:
        """Whether workers can type fractions."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the grades, from the lowest to the highest."""


class Parse(Protocol):
    """A function that reads what a worker typed, or the value of the option that a worker chose."""

    def __call__(self, text: str, study: Settings, *, mark: str = ".") -> Typed:
        """Return the text as the scale reads it. `mark` is the decimal mark in what the worker reads."""


class Write(Protocol):
    """A function that writes a number as a person would type it."""

    def __call__(self, value: float, rng: Random, *, comma: bool) -> str:
        """Return the text for an opinion, which is a positive number. If `comma` is true, use a comma."""


Told = Sentence | str
"""What a page tells: a sentence, which it translates, or text."""
Options = Callable[[Settings], Sequence[Option]]
"""Returns the options of a field, in the order shown."""


@dataclass(frozen=True)
class Practice:
    """The task with lines that teaches a scale: check (a).

    `template` shows a line and asks for an answer, `field` is the template of the field, and `answer` names
    the field. `passes` says whether the answers fit the lengths. `failed` tells a worker why the answers of
    the last attempt did not. `recap` returns, for each line, what the page after the practice says of its
    length and of the answer, under the headings `told` and `answer`. `parse` reads an answer. It is None if
    the answers have the same form as those for documents. `right` returns the right answer for a line, from
    the lengths of all lines, the line's place and the study. `place` says which line the page shows.
    `options` are the options of the field, if it has some.
    """

    template: str
    field: str
    passes: Callable[[Sequence[int], Sequence[float]], bool]
    failed: str
    recap: Callable[[Sequence[int], Sequence[float]], Sequence[tuple[Told, Told]]]
    right: Callable[[Sequence[int], int, Settings], str]
    answer: str = _("Your number")
    parse: Parse | None = None
    options: Options | None = None
    place: str = _("Line {place} of {places}")
    told: str = _("Length")


@dataclass(frozen=True)
class Asked:
    """What pages say to workers.

    `instructions` heads the page that explains the scale, and `document` asks for the answer. `reason` asks
    why, `no_reason` is the error message if the reason is missing, and `answers` heads earlier answers.

    A page shows a document or a pair. `work` says on the first page of the study what workers do, for one and
    for several documents, and `sets` says the same in the template of the information. `place` says which
    page it is, and `earlier` repeats an earlier answer. `go_to` heads the list of all pages, and `opens` says
    what its buttons do.
    """

    instructions: str
    document: str
    reason: str
    no_reason: str
    answers: str
    place: str = _("Document {place} of {places}")
    work: tuple[str, str] = ngettext_noop(
        "Read {number} short document. Say how relevant it is, and give a reason.",
        "Read {number} short documents. Say how relevant each one is, and give a reason.",
    )
    sets: str = _(
        "You read sets of {number} documents. For each document, you say how relevant it is, and you give a"
        " reason."
    )
    earlier: str = _("document {place}: {answer}")
    go_to: str = _("Go to any document")
    opens: str = _("When you open another document, we save what you typed above.")


@dataclass(frozen=True)
class Judging:
    """How workers judge on a scale.

    `field` is the template of the field, `scripts` are the scripts that it uses, and `parse` reads the
    answer. `options` are the options of the field, if workers choose instead of typing. `asked` has the
    sentences for workers. `instructions` are the settings with the texts that explain the scale, and
    `settings` are other settings that have no effect on scales that do not name them. `practice` teaches the
    scale, or is None. `order` says whether the anchors are in order. `write` turns the opinion of a simulated
    worker into an answer. `examples` are the answers in previews for the anchors H and N, and for other
    documents (""). `prompts` are the ready-made prompts with which machine judges can judge on the scale.

    If `compares_pairs` is true, a page shows two documents, and the answer says which of them is better. The
    number is the points of the document that is shown first.
    """

    field: str
    parse: Parse
    asked: Asked
    instructions: tuple[str, ...]
    practice: Practice | None
    write: Write
    examples: dict[str, str]
    options: Options | None = None
    order: Callable[[AnchorNumbers, str, str], AnchorOrder] = order_of_numbers
    settings: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ("js/magnitude.js",)
    prompts: tuple[str, ...] = ()
    compares_pairs: bool = False

    def work_of(self, documents: int) -> Sentence:
        """Return what workers do with the documents of a set."""
        one, many = self.asked.work
        return Sentence(one, {"number": documents}, many=many)

    def parse_practice(self, text: str, study: Settings, *, mark: str = ".") -> Typed:
        """Return the answer for a practice line as the scale reads it."""
        parse = (self.practice and self.practice.parse) or self.parse
        return parse(text, study, mark=mark)


@dataclass(frozen=True)
class Words:
    """What pages say of the numbers.

    `number` heads a column, `numbers` a section, and `normalised` an axis. `documents` says what the list of
    documents shows, and `disagreement` explains its column. `invalid` is the fault of a number in a file,
    with `{value}` and the study's `{largest}` number. `alpha` is the template of the sentence on agreement.
    `gain` names a document's gain. `file_only` refuses a study in which workers would judge on a scale
    without `judging`.
    """

    description: str
    number: str
    numbers: str
    normalised: str
    documents: str
    disagreement: str
    invalid: str
    alpha: str = "understanding/_alpha_of_numbers.html"
    gain: str = _("Median")
    file_only: str = ""


@dataclass(frozen=True)
class Scale:
    """A kind of number that judgments have.

    `name` is the value of the setting `scale`. `library` is the name of the scale in `evaluation`, which
    declares how to normalise the numbers and to compute gains. `has_ratios` says whether ratios and
    logarithms of the numbers have a meaning, and charts have `axis`. `only` returns the numbers that
    judgments of a study can have, in ascending order, if there are only a few. `judging` is None if the
    judgments can come only from a file.
    """

    name: str
    library: str
    words: Words
    smallest: float
    largest: float
    has_ratios: bool
    axis: Literal["log", "linear"]
    only: Callable[[Settings], Sequence[float]] | None = None
    judging: Judging | None = None

    def holds(self, value: float) -> bool:
        """Return whether a number is on the scale. NaN and infinity are not."""
        return self.smallest <= value <= self.largest

    def largest_in(self, study: Settings) -> float:
        """Return the largest number that a judgment of a study can have."""
        return self.largest if self.only is None else self.only(study)[-1]

    def holds_in(self, study: Settings, value: float) -> bool:
        """Return whether a judgment of a study can have a number."""
        return self.holds(value) if self.only is None else value in self.only(study)
