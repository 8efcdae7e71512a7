"""Runs. A run holds the ranked lists of one system, in a table whose rows have been checked.

`Run(source)` and `Runs(source)` accept a path, an `ir_datasets` id, a dict of dicts, rows or a table. The
class method `Run.from_columns` takes each column as a separate argument. Ids are text, as in `frames`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, Self

import numpy as np
import polars as pl

from .columns import Column, ids, numbers, table_of
from .errors import InputError, shown
from .frame import Frame
from .origin import NO_FILE, Origin, first
from .pairs import HashArray, first_repetition, hashes
from .parsing.runs import run_columns
from .parsing.text import attribute
from .shapes import RUN
from .showing import counted, html_table
from .sources import Columns, Source, columns_of, has_dict, holds_numbers, is_path, is_row, is_table, refusal


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Run(Frame):
    """One system's ranked lists: `topic_id, document_id, score`, and optionally `rank`.

    `source` is a path to a run file, an `ir_datasets` id of a collection with a run, a dict of dicts, rows,
    or a table. `tag` is the system's name. By default, it is the tag in the file or table, or `run` if there
    is no tag.

    Example: `Run({"401": {"d1": 12.5, "d2": 11}}, tag="bm25")`.
    """

    tag: str

    def __init__(self, source: Source, tag: str | None = None) -> None:
        if is_path(source):
            file_tag, columns, origin = run_columns(source)
            run = Run.from_columns(file_tag, **columns, origin=origin)
        elif isinstance(source, Run):
            run = source
        else:
            run, *others = _runs_of_columns(columns_of(source, RUN), _own_tag(source, DEFAULT_TAG))
            if others:
                raise InputError(
                    "several-runs",
                    "the rows belong to several runs, such as {first} and {second}; read them with Runs",
                    first=shown(run.tag),
                    second=shown(others[0].tag),
                )
        self.__dict__.update(run.__dict__ if tag is None else run.__dict__ | {"tag": tag})

    @classmethod
    def from_columns(
        cls,
        tag: str,
        topic_id: Column,
        document_id: Column,
        score: Column,
        rank: Column | None = None,
        *,
        origin: Origin = NO_FILE,
    ) -> "Run":
        """Return the run in these columns. Each row is a document that was retrieved for a topic.

        A document can have only one row in each topic. A score can be infinite but not NaN. Raise
        `InputError` for the first invalid row.
        """
        columns = {
            "topic_id": ids("topic_id", topic_id, origin),
            "document_id": ids("document_id", document_id, origin),
            "score": numbers("score", score, origin),
        }
        if rank is not None:
            columns["rank"] = numbers("rank", rank, origin)
        table = table_of(columns)
        if (row := first(np.isnan(table["score"].to_numpy()))) is not None:
            raise InputError(
                "score-is-nan",
                "score is NaN, which cannot be ranked; give a number",
                origin.at(row),
            )
        if rank is not None:
            ranks = table["rank"].to_numpy()
            if (row := first(~np.isfinite(ranks) | (np.floor(ranks) != ranks))) is not None:
                raise InputError(
                    "rank-not-whole",
                    "rank {rank} is not a whole number; number the documents 1, 2, 3 …",
                    origin.at(row),
                    rank=str(ranks[row]),
                )
        run = cls.from_checked(table, origin)
        run.__dict__.update(tag=tag)
        if (row := first_repetition(table, run.hashes)) is not None:
            raise InputError(
                "document-retrieved-twice",
                "document {document} appears twice in the ranking for topic {topic}; remove one of "
                "the two entries",
                origin.at(row),
                document=shown(table["document_id"][row]),
                topic=shown(table["topic_id"][row]),
            )
        return run

    def _details(self) -> list[str]:
        return [repr(self.tag)]

    @cached_property
    def hashes(self) -> HashArray:
        """The hash of each row's topic and document (rows,)."""
        return hashes(self.table)


ReadRun = Callable[[], Run]
"""A function that reads a run when it is needed, so that the run does not stay in memory."""


class Runs(tuple[Run, ...]):
    """Several runs, each with its own tag, in the order of the source.

    `source` can be anything that `Run` accepts, or a list of such sources. It can also be a dict from tags to
    such sources, or a table with the tag of each row in the column `tag` or `run`. A single run without a tag
    gets the tag `run`. In a list, runs without tags are called `run 1`, `run 2` and so on, by their places in
    the list. Raise `InputError` if two runs have the same tag.

    Example: `Runs({"bm25": {"401": {"d1": 12.5}}, "dense": "dense.run"})`.
    """

    __slots__ = ()

    def __new__(cls, source: Source) -> Self:
        """Read the runs and check that their tags differ."""
        runs = super().__new__(cls, _runs_of(source, DEFAULT_TAG))
        refuse_repeated_tags((run.tag, run.origin) for run in runs)
        return runs

    def __repr__(self) -> str:
        """Return the number of runs and the first tags."""
        tags = ", ".join([repr(run.tag) for run in self[:3]] + ["…"] * (len(self) > 3))
        return f"Runs({counted(len(self), 'run')}: {tags})"

    def _repr_html_(self) -> str:
        sizes = ((run.tag, run.table["topic_id"].n_unique(), len(run.table)) for run in self)
        return html_table(repr(self), ("run", "topics", "rows"), sizes)


DEFAULT_TAG: Final = "run"
"""The tag of a run whose source gives no tag."""


def _runs_of(source: Source, default_tag: str) -> Iterator[Run]:
    try:
        yield from _found(source, default_tag)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # an object of somebody else's can raise anything
        raise refusal(source, RUN) from error


def _found(source: Source, default_tag: str) -> Iterator[Run]:
    if isinstance(source, Run):
        yield source
    elif is_path(source):
        yield Run(source)
    elif has_dict(source):
        yield Run(source, _own_tag(source, default_tag))
    elif isinstance(source, Mapping) and not (is_table(source) or holds_numbers(source)):
        for tag, run_source in source.items():
            yield Run(run_source, *ids("tag", [tag], NO_FILE))
    elif isinstance(source, str | Mapping) or is_table(source):
        yield from _runs_of_columns(columns_of(source, RUN), default_tag)
    elif isinstance(source, Iterable):
        items = list(source)
        if items and is_row(items[0]):
            yield from _runs_of_columns(columns_of(items, RUN), default_tag)
        else:
            for place, item in enumerate(items, start=1):
                yield from _runs_of(item, f"{default_tag} {place}")
    else:
        raise refusal(source, RUN)


def _own_tag(source: Source, default_tag: str) -> str:
    """Return the name that an object gives itself, as the runs of ranx do, or else the default."""
    name = attribute(source, "name") if has_dict(source) else None
    return name if isinstance(name, str) and name else default_tag


def _runs_of_columns(columns: Columns, default_tag: str) -> Iterator[Run]:
    """Yield one run for each tag in the column `tag`, in the order in which the tags first occur."""
    tags = ids("tag", columns.pop("tag", ()), NO_FILE).to_list()
    if len({*tags}) < 2:
        yield Run.from_columns(tags[0] if tags else default_tag, **columns)
        return
    rows = pl.DataFrame({"tag": tags}).with_row_index("row").group_by("tag", maintain_order=True).agg("row")
    for tag, places in rows.iter_rows():
        run_columns: Columns = {name: [values[row] for row in places] for name, values in columns.items()}
        yield Run.from_columns(tag, **run_columns)


def as_runs(source: Source) -> Sequence[Run | ReadRun]:
    """Return `Runs(source)`, unless `source` is a list of paths, runs and functions that read a run.

    For such a list, return the list with each path replaced by a function that reads the run. This way, the
    runs need not be in memory at the same time.
    """
    if isinstance(source, list | tuple) and all(
        isinstance(item, Run) or callable(item) or is_path(item) for item in source
    ):
        return [partial(Run, item) if is_path(item) else item for item in source]
    return Runs(source)


def refuse_repeated_tags(runs: Iterable[tuple[str, Origin]]) -> None:
    """Raise `InputError` for the first run that has the same tag as an earlier run.

    `runs` gives the tag and the origin of each run.
    """
    origins: dict[str, Origin] = {}
    for tag, origin in runs:
        if tag in origins and origin.path is None:
            raise InputError(
                "tag-used-twice", "two runs have the tag {tag}; give each run its own tag", tag=shown(tag)
            )
        if tag in origins:
            raise InputError(
                "tag-of-another-file",
                "the run in {other} also has the tag {tag}; give each run its own tag",
                origin.at(0),
                other=origins[tag].path,
                tag=shown(tag),
            )
        origins[tag] = origin
