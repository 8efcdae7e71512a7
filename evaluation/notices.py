"""Notices about scores, and about runs and judgments: what scores leave out, and what can mislead."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Final, overload

from .showing import html_table
from .text import Text

_MOST_NAMED: Final = 5
_MOST_ABOUT: Final = 3


@dataclass(frozen=True)
class Notice:
    """Something to know about a run, about a measure or, without both, about the judgments.

    `code` names the kind of notice, and `text` is a sentence without a full stop. `names` are the topics that
    it is about, and `count` is the number of these topics or of documents. A warning means that scores can
    mislead, and a caution that they do mislead unless the notice stands right beside them.
    """

    code: str
    text: Text
    run: str = ""
    measure: str = ""
    names: tuple[str, ...] = ()
    count: int = 0
    is_warning: bool = True
    is_caution: bool = False

    @property
    def about(self) -> str:
        """The run or the measure that the notice is about, or an empty string."""
        return self.run or self.measure

    def __str__(self) -> str:
        return str(_sentence((self,)))

    def row(self) -> dict[str, object]:
        """Return the notice as an object of JSON."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"text": str(self.text)}


@dataclass(frozen=True)
class Notices(Sequence[Notice]):
    """All notices, as a sequence. A table or a message shows them as `sentences`."""

    items: tuple[Notice, ...] = ()

    @overload
    def __getitem__(self, place: int) -> Notice: ...

    @overload
    def __getitem__(self, place: slice) -> "Notices": ...

    def __getitem__(self, place: int | slice) -> "Notice | Notices":
        return Notices(self.items[place]) if isinstance(place, slice) else self.items[place]

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"Notices({', '.join(dict.fromkeys(notice.code for notice in self))})"

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, ("notice",), ([sentence] for sentence in self.sentences()))

    @property
    def facts(self) -> "Notices":
        """The notices that are no warnings."""
        return Notices(tuple(notice for notice in self if not notice.is_warning))

    @property
    def warnings(self) -> "Notices":
        """The notices without which scores can mislead."""
        return Notices(tuple(notice for notice in self if notice.is_warning))

    @property
    def cautions(self) -> "Notices":
        """The notices that belong right beside the scores."""
        return Notices(tuple(notice for notice in self if notice.is_caution))

    @property
    def further(self) -> "Notices":
        """The notices that are not cautions."""
        return Notices(tuple(notice for notice in self if not notice.is_caution))

    def of(self, measure: str | None) -> "Notices":
        """Return the notices about a measure or, for None, those that are not about a measure."""
        return Notices(tuple(notice for notice in self if notice.measure == (measure or "")))

    def topics(self, code: str) -> dict[str, tuple[str, ...]]:
        """Return the topics of the notices of this kind, by the run or measure that each is about."""
        return {notice.about: notice.names for notice in self if notice.code == code}

    def texts(self) -> list[Text]:
        """Return a sentence for each kind of notice, the cautions first, as `kinds` does."""
        return [text for _, text in self.kinds()]

    def kinds(self) -> list[tuple[str, Text]]:
        """Return the code of each kind of notice with a sentence, the cautions first.

        A sentence names the first runs or measures with such a notice and counts the others. If what there is
        to say differs between them, it says this of the first. Cautions and facts that differ have a sentence
        each.
        """
        kinds: dict[tuple[str, str], list[Notice]] = {}
        for notice in (*self.cautions, *self.further):
            is_grouped = notice.is_warning and not notice.is_caution
            kinds.setdefault((notice.code, "" if is_grouped else str(notice.text)), []).append(notice)
        return [(code, _sentence(alike)) for (code, _), alike in kinds.items()]

    def sentences(self) -> list[str]:
        """Return `texts` in English."""
        return [*map(str, self.texts())]


def _sentence(alike: Sequence[Notice]) -> Text:
    first = alike[0]
    if any(str(notice.text) != str(first.text) for notice in alike):
        return Text("{about}; the first: {notice}", about=_about(alike), notice=first.text)
    return Text("{about}: {notice}", about=_about(alike), notice=first.text)


def _about(alike: Sequence[Notice]) -> Text:
    if not alike[0].about:
        return Text("qrels")
    names = ", ".join(notice.about for notice in alike[:_MOST_ABOUT])
    if more := len(alike[_MOST_ABOUT:]):
        names = str(Text("{names} and {more} more", names=names, more=more))
    if alike[0].measure:
        return Text("{measures}", measures=names)
    return Text("run {runs}", runs=names) if len(alike) == 1 else Text("runs {runs}", runs=names)


def about_topics(
    code: str, text: str, topics: Sequence[str], *, run: str = "", measure: str = "", **values: object
) -> Iterator[Notice]:
    """Yield a notice about topics, or nothing if there are none.

    `text` can contain `{topics}`, which stands for the number of topics and the first of them.
    """
    if not topics:
        return
    first = ", ".join(topics[:_MOST_NAMED]) + (", …" if len(topics) > _MOST_NAMED else "")
    said = Text(text, topics=f"{len(topics)} ({first})", **values)
    yield Notice(code, said, run, measure, tuple(topics), len(topics))


NO_NOTICES: Final = Notices()
