"""Draw the pictures of the page about samples: `python -m tests.support.drawings` writes them anew.

The numbers in the pictures are computed by the library, from made-up grades of one collection and 40 samples.
A picture has a background of its own, so it can be read wherever it stands, and it follows a dark page.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

import numpy as np

from evaluation.sampling import Pool, Sample, draw, estimate, influence, pool_of
from evaluation.scores import score
from tests.support.tree import ROOT

FOLDER: Final = ROOT / "docs" / "understanding"
WIDTH: Final = 480
"""Of a picture, in pixels. On a phone it shrinks to 340, where its text still has 11 pixels."""
MEASURE: Final = "DCG@10"
DRAWS: Final = 40
SHARE: Final = 0.2
TOPIC: Final = "06"
"""Of the picture of the chances."""
STYLE: Final = """
text { font: 16px system-ui, sans-serif; fill: #1c2430 }
.ground { fill: #ffffff }
.muted { fill: #4d5560 }
.people { fill: #0b6461; stroke: #0b6461 }
.wrong { fill: #a8321d; stroke: #a8321d }
.open { fill: none }
.faint { fill: none; stroke: #8d959e }
text, text.people, text.wrong { stroke: #ffffff; stroke-width: 4px; paint-order: stroke }
@media (prefers-color-scheme: dark) {
text { fill: #e4e6ea }
.ground { fill: #1e2129 }
.muted { fill: #b4b8c4 }
.people { fill: #6fc7c3; stroke: #6fc7c3 }
.wrong { fill: #ffa195; stroke: #ffa195 }
.open { fill: none }
.faint { fill: none; stroke: #7d8493 }
text, text.people, text.wrong { stroke: #1e2129 }
}
"""

Gains = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Collection:
    """Made-up grades of 30 topics, two systems, and two models that predict the grades.

    System B is better than system A. `fair` is a model that is mostly right. `unfair` prefers the documents
    that A ranks high, as a model can do on which A was built.
    """

    grades: Gains
    runs: dict[str, Gains]
    fair: Gains
    unfair: Gains

    @property
    def pool(self) -> Pool:
        """The pool of both systems."""
        return pool_of(self.runs, 10)

    @property
    def truth(self) -> float:
        """The mean of B minus the mean of A if everything is judged."""
        means = {row.run: row.value for row in score(self.grades, self.runs, MEASURE, empty="zero").means()}
        return means["B"] - means["A"]

    def sample(self, seed: int) -> Sample:
        """Return a sample of a fifth of the pool."""
        pool = self.pool
        budget = round(SHARE * len(pool.table))
        return draw(pool, influence(pool, MEASURE), budget, rng=np.random.default_rng(seed))


def collection(seed: int = 2, topics: int = 30, documents: int = 60) -> Collection:
    """Return a made-up collection. The same seed always makes the same one."""
    rng = np.random.default_rng(seed)
    names = [f"d{number:02}" for number in range(documents)]
    made: dict[str, Gains] = {name: {} for name in ("grades", "A", "B", "fair", "unfair")}
    for topic in range(topics):
        grades = rng.choice(4, size=documents, p=[0.55, 0.2, 0.15, 0.1]).astype(float)
        alike = 0.6 * rng.normal(size=documents)
        a, b = (skill * grades + alike + 0.8 * rng.normal(size=documents) for skill in (0.6, 0.8))
        fair = grades + 0.6 * rng.normal(size=documents)
        unfair = 0.5 * grades + a + 0.3 * rng.normal(size=documents)
        for name, numbers in zip(made, (grades, a, b, fair, unfair), strict=True):
            made[name][f"{topic:02}"] = dict(zip(names, numbers.tolist(), strict=True))
    runs = {name: made[name] for name in ("A", "B")}
    return Collection(made["grades"], runs, made["fair"], made["unfair"])


@cache
def differences() -> dict[str, list[tuple[float, float, float]]]:
    """Return the estimates of B minus A and the ends of their intervals, one for each sample, by evidence."""
    made = collection()
    results: dict[str, list[tuple[float, float, float]]] = {}
    for seed in range(DRAWS):
        sample = made.sample(seed)
        for name, model in (("fair", made.fair), ("unfair", made.unfair)):
            scores = estimate(made.grades, made.runs, MEASURE, sample, predictions=[model])[MEASURE]
            for row in scores.difference("B", "A", "these_topics").iter_rows(named=True):
                ends = row["mean"], row["low"], row["high"]
                results.setdefault(f"{name} {row['evidence']}", []).append(ends)
    return results


def picture(title: str, height: float, parts: Iterable[str]) -> str:
    """Return an SVG image that a screen reader announces by its title."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" '
            f'viewBox="0 0 {WIDTH} {height:g}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="ground" width="{WIDTH}" height="{height:g}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """Return a line of text, whose baseline starts, ends or has its middle at this point."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "faint", width: float = 1) -> str:
    """Return a line between two points."""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} class="{kind}" stroke-width="{width:g}"/>'


def dot(x: float, y: float, radius: float, kind: str) -> str:
    """Return a circle. Kinds with `open` have an outline only."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" class="{kind}" stroke-width="1.5"/>'


def bar(x: float, y: float, width: float, height: float, kind: str) -> str:
    """Return a rectangle with this upper left corner. Kinds with `open` have an outline only."""
    size = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {size} class="{kind}" stroke-width="1.5"/>'


def axis(y: float, low: int, high: int) -> tuple[Callable[[float], float], list[str]]:
    """Return where a number is on a horizontal axis, and the axis with a label for each whole number."""

    def place(value: float) -> float:
        return 20 + (WIDTH - 40) * (value - low) / (high - low)

    marks = [line(place(low), y, place(high), y)]
    for tick in range(low, high + 1):
        marks += [line(place(tick), y, place(tick), y + 5)]
        marks += [text(place(tick), y + 22, f"{tick}".replace("-", "−"), "middle", "muted")]
    middle = (place(low) + place(high)) / 2
    return place, [*marks, text(middle, y + 46, "DCG@10 of B minus DCG@10 of A", "middle", "muted")]


def chances() -> str:
    """Return the picture of the chances of one topic's documents, with their ranks in both lists."""
    made = collection()
    pool, table = made.pool, made.sample(0).table
    of_topic = np.flatnonzero(table["topic_id"].to_numpy() == TOPIC)
    chance, sampled = table["inclusion"].to_numpy(), table["sampled"].to_numpy()
    order = of_topic[np.argsort(-chance[of_topic], kind="stable")]
    left, bottom, height = 94, 216, 290
    step = (WIDTH - left - 10) / len(order)
    parts = []
    for share, label in ((0, "0"), (0.25, "¼"), (0.5, "½")):
        y = bottom - height * share
        parts += [line(left - 6, y, WIDTH - 10, y), text(left - 12, y + 5, label, "end", "muted")]
    parts += [text(10, 22, "chance to be judged"), text(10, bottom + 32, "rank in A", kind="muted")]
    parts += [text(10, bottom + 58, "rank in B", kind="muted")]
    for at, document in enumerate(order):
        x, tall = left + step * at, height * chance[document]
        kind = "people" if sampled[document] else "people open"
        parts.append(bar(x + 3, bottom - tall, step - 6, tall, kind))
        for y, rank in zip((bottom + 32, bottom + 58), pool.ranks[:, document], strict=True):
            parts.append(text(x + step / 2, y, str(rank) if rank else "–", "middle"))
    for x, kind, words in ((10, "people", "judged"), (120, "people open", "not judged")):
        parts += [bar(x, bottom + 78, 16, 16, kind), text(x + 24, bottom + 91, words)]
    return picture("The chances of the documents of one topic", bottom + 106, parts)


def counts() -> str:
    """Return the picture of how many documents a judged one stands for."""
    parts = []
    for row, (chance, number) in enumerate((("1", 1), ("½", 2), ("¼", 4))):
        y = 34 + 56 * row
        parts.append(text(10, y + 6, f"chance {chance}"))
        parts += [dot(122 + 40 * place, y, 14, "faint" if place else "people") for place in range(number)]
        words = "counts once" if number == 1 else f"counts {number} times"
        parts.append(text(WIDTH - 10, y + 6, words, "end"))
    parts += [dot(20, 202, 8, "people"), text(36, 208, "judged")]
    parts += [dot(130, 202, 8, "faint"), text(146, 208, "not judged; the judged one stands for it")]
    return picture("A document counts 1 divided by its chance", 224, parts)


def intervals() -> str:
    """Return the picture of the intervals of many samples, and of which of them miss the truth."""
    truth, found = collection().truth, differences()["fair people"]
    bottom = 44 + 8 * len(found)
    place, parts = axis(bottom, -1, 5)
    parts += [line(place(truth), 28, place(truth), bottom, "people", 2)]
    parts += [text(place(truth), 20, "everything judged", "middle", "people")]
    for row, (mean, low, high) in enumerate(found):
        kind = "people" if low <= truth <= high else "wrong"
        y = 40 + 8 * row
        parts += [line(place(low), y, place(high), y, kind, 2 if kind == "people" else 4)]
        parts += [dot(place(mean), y, 2.5, kind)]
        if kind == "wrong":
            parts.append(text(place(high) + 8, y + 5, "misses", kind="wrong"))
    return picture("The 95 % intervals of 40 samples of the same pool", bottom + 58, parts)


def predictions() -> str:
    """Return the picture of the estimates with predictions, and of the gaps filled with them."""
    truth, found = collection().truth, differences()
    rows = (
        ("fair people", "people alone", "people"),
        ("fair predictions", "with a model that is mostly right", "people"),
        ("unfair predictions", "with a model that prefers A", "people"),
        ("unfair filled", "gaps filled by the model that prefers A: not valid", "wrong"),
    )
    bottom = 44 + 110 * len(rows)
    place, parts = axis(bottom, -2, 4)
    parts += [line(place(truth), 28, place(truth), bottom, "people", 2)]
    parts += [text(place(truth), 20, "everything judged", "middle", "people")]
    for row, (name, label, kind) in enumerate(rows):
        ground = 44 + 110 * (row + 1)
        stacked: dict[int, int] = {}
        for mean, *_ in sorted(found[name]):
            column = round(place(mean) / 7)
            stacked[column] = stacked.get(column, 0) + 1
            parts.append(dot(7 * column, ground + 2 - 7 * stacked[column], 2.5, kind))
        parts += [line(20, ground, WIDTH - 20, ground), text(20, ground - 84, label, kind=kind)]
    return picture("The estimates from 40 samples, with and without predictions", bottom + 58, parts)


DRAWINGS: Final[dict[str, Callable[[], str]]] = {
    "sample-chances.svg": chances,
    "sample-counts.svg": counts,
    "sample-intervals.svg": intervals,
    "sample-predictions.svg": predictions,
}
"""The name of each picture, and what draws it."""


if __name__ == "__main__":
    for name, drawing in DRAWINGS.items():
        Path(FOLDER, name).write_text(drawing())
