"""The papers whose tables and figures Plumbline computes. This module computes nothing."""

from collections.abc import Iterator
from typing import Final

from .jk02.items import JK02
from .k05.items import K05
from .paper import STATES, Paper
from .s04.items import S04
from .t15.items import T15
from .zy10.items import ZY10

PAPERS: Final[dict[str, Paper]] = {paper.key: paper for paper in (T15, JK02, K05, S04, ZY10)}
"""The papers by their keys."""


def summary_markdown() -> Iterator[str]:
    """Yield a Markdown table of the papers, with the number of items in each state."""
    heads = ["paper", "title", *STATES]
    yield f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    for paper in PAPERS.values():
        counts = [sum(item.state == state for item in paper.items) for state in STATES]
        yield (
            f"| [[{paper.key}]({paper.key.lower()}.md)] {paper.citation} | {paper.title} | "
            f"{' | '.join(map(str, counts))} |\n"
        )


def items_markdown(key: str) -> Iterator[str]:
    """Yield a Markdown table of the items of a paper, each with its key, state and other places."""
    yield "| item | key | state | what it shows, and how it is computed | elsewhere |\n" + "|---" * 5 + "|\n"
    for item in PAPERS[key].items:
        misprints = "".join(f" Misprint: {misprint}" for misprint in item.misprints)
        where = ", ".join(f"`{name}`" for name in item.where)
        name = "" if item.state == "absent" else f"`{item.key}`"
        yield (
            f"| {item.name} | {name} | {item.state} | {item.title}. {item.reading}{misprints} | {where} |\n"
        )
