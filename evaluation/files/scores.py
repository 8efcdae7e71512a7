"""Scores as rows of `run topic measure value`, in tsv, csv or json. The topic `all` stands for the mean."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import TextIO

import numpy as np
import polars as pl

from ..errors import InputError, shown
from ..means import ALL
from ..measures import known_measure, summarised
from ..options import checked
from ..origin import Origin, first
from ..parsing.csv_rows import csv_rows
from ..parsing.detect import HEAD, refuse_other_kinds
from ..parsing.named import Names, named_columns
from ..parsing.numbers import parse_numbers
from ..parsing.text import File, decode, name_of, read_bytes
from ..score_table import ScoreRow, Scores
from ..shapes import SCORES
from .rows import Format, write_rows

COLUMNS = ScoreRow._fields
NO_VALUE = ("", "-", "null")

Cells = tuple[int, list[str]]
"""The line on which a row begins, and its cells."""


@checked
def write_scores(rows: Iterable[ScoreRow], out: TextIO, form: Format = "tsv", digits: int = 4) -> None:
    """Write the scores as tsv, csv or json.

    tsv has `digits` decimals and no header. csv and json have full precision. csv has a header, and json is a
    list of objects.
    """
    write_rows(COLUMNS, ((row[:3], row.value) for row in rows), out, form, digits)


def write_like_trec_eval(scores: Scores, out: TextIO, *, per_topic: bool = False, digits: int = 4) -> None:
    """Write the scores of each run in the layout of trec_eval: a measure, a topic and a value in each line.

    With `per_topic`, the scores in each topic come first, as with trec_eval's `-q`. The lines for all topics
    begin with the run's tag (`runid`) and the number of topics that have a value (`num_q`). Counts have no
    decimals, and a measure that has logarithms in its topics is written for all topics only. Missing values
    are left out.
    """
    rows = [row for row in scores.by_run(per_topic=per_topic) if row.value is not None]
    known = {name: known_measure(name) for name in scores.measures}
    counts = {name for name, measure in known.items() if measure is not None and measure.summary == "sum"}
    logarithms = {name for name, of in known.items() if of is not None and of.definition.is_logarithm}

    def cells(row: ScoreRow) -> tuple[str, str, str]:
        return row.measure, row.topic, f"{row.value:.{0 if row.measure in counts else digits}f}"

    for run, values in zip(scores.runs, scores.values, strict=True):
        number = np.count_nonzero((~np.isnan(values)).any(axis=1))
        of_run = [row for row in rows if row.run == run]
        lines = (
            *(cells(row) for row in of_run if row.topic != ALL and row.measure not in logarithms),
            ("runid", ALL, run),
            ("num_q", ALL, str(number)),
            *(cells(row) for row in of_run if row.topic == ALL),
        )
        out.writelines(f"{name:<22}\t{topic}\t{value}\n" for name, topic, value in lines)


def read_scores(path: File, columns: Names | None = None) -> Scores:
    """Read the scores of each run in each topic by each measure.

    Rows of the topic `all` are skipped. A combination of run, topic and measure without a row has no value.

    The format is recognised from the text: a json list, JSONL, or lines whose cells are separated by tabs,
    commas or blanks, with or without a header. `columns` maps `tag` (the run), `topic_id`, `measure` and
    `value` to other names of columns or, for lines without a header, to positions. Without a column for the
    run, the run has the name of the file: so trec_eval and ir_measures print a run's scores with `-q`.

    Raise `InputError` with file and line for a wrong number of columns, and for a value that is not a finite
    number. Also raise it if a run has two values for the same topic and measure.
    """
    data, name = read_bytes(path), name_of(path)
    refuse_other_kinds(data[:HEAD], name, "json-array", "jsonl")
    rows = _table(data, name, columns)
    if rows.is_empty():
        raise InputError(
            "file-without-scores", "the file has no scores; check that it is the right one", f"{name}:1"
        )
    of_topics = rows.filter(pl.col("topic") != ALL)
    if of_topics.is_empty():
        raise InputError(
            "only-means",
            "the file has only means over topics; run the score command with --per-topic to write a "
            "row for each topic",
            f"{name}:{rows['line'][0]}",
        )
    cells, origin = of_topics.drop("line"), Origin(name, of_topics["line"].to_list())
    is_repeated = ~cells.select(pl.struct(COLUMNS[:3]).is_first_distinct()).to_series()
    if (row := first(is_repeated.to_numpy())) is not None:
        run, topic, measure, _ = cells.row(row)
        raise InputError(
            "score-given-twice",
            "{measure} has two values for run {run} in topic {topic}; remove one of them",
            origin.at(row),
            measure=measure,
            run=shown(run),
            topic=shown(topic),
        )
    return _matrix(cells, _values(cells["value"], origin))


def _table(data: bytes, name: str, columns: Names | None) -> pl.DataFrame:
    """Return the rows of a file as text, each with its `line`."""
    text = decode(data, name)
    is_list = text.lstrip().startswith("[")
    if not is_list and (named := named_columns(data, name, SCORES, columns)):
        table, origin = named
        table.setdefault("tag", pl.repeat(PurePath(name).name, len(table["value"]), eager=True))
        ours = dict(zip(COLUMNS, ("tag", "topic_id", "measure", "value"), strict=True))
        of_names = {name: table[column] for name, column in ours.items()}
        return pl.DataFrame({"line": origin.lines, **of_names})
    rows = _json_rows(text, name) if is_list else _line_rows(text, name)
    schema = {"line": pl.Int64(), **dict.fromkeys(COLUMNS, pl.String())}
    return pl.DataFrame([(line, *cells) for line, cells in rows], schema=schema, orient="row")


def _values(cells: pl.Series, origin: Origin) -> pl.Series:
    absent = cells.is_in(NO_VALUE)
    filled = pl.select(pl.when(absent).then(pl.lit("0")).otherwise(cells)).to_series()
    values = parse_numbers("value", filled, origin)
    if (row := first(~np.isfinite(values.to_numpy()))) is not None:
        raise InputError(
            "value-not-finite",
            "value {value} is not finite; write a finite number, or “-” for a missing value",
            origin.at(row),
            value=str(values[row]),
        )
    return pl.select(pl.when(absent).then(None).otherwise(values)).to_series()


def _matrix(cells: pl.DataFrame, values: pl.Series) -> Scores:
    runs, measures = (cells[name].unique(maintain_order=True).to_list() for name in ("run", "measure"))
    topics = sorted(cells["topic"].unique().to_list())
    matrix = np.full((len(runs), len(topics), len(measures)), np.nan)
    axes = [{name: place for place, name in enumerate(names)} for names in (runs, topics, measures)]
    places = [[axis[name] for name in cells[column]] for axis, column in zip(axes, COLUMNS[:3], strict=True)]
    matrix[tuple(places)] = values.to_numpy()
    return Scores(tuple(runs), tuple(topics), tuple(measures), matrix, pooled=summarised(measures, matrix))


def _line_rows(text: str, path: str) -> Iterator[Cells]:
    first_line = text.lstrip().partition("\n")[0]
    rows: Iterator[Cells]
    if "\t" in first_line:
        rows = ((number, line.split("\t")) for number, line in _lines(text))
    elif "," in first_line and len(first_line.split()) != len(COLUMNS):
        # A line of four columns separated by blanks can also contain a comma, in the name of the measure.
        rows = ((line, row) for line, row in csv_rows(text, path) if row)
    else:
        rows = ((number, line.split()) for number, line in _lines(text))
    stripped = [(line, [cell.strip() for cell in cells]) for line, cells in rows]
    if stripped and all(len(row) == len(COLUMNS) - 1 for _, row in stripped):
        yield from _rows_of_others(stripped, path)
        return
    for line, row in stripped:
        if len(row) != len(COLUMNS):
            raise InputError(
                "wrong-number-of-columns",
                "the line has the wrong number of columns ({number}); write these {needed} columns: "
                "{columns}",
                f"{path}:{line}",
                number=len(row),
                needed=len(COLUMNS),
                columns=" ".join(COLUMNS),
            )
        yield line, row


def _rows_of_others(rows: list[Cells], path: str) -> Iterator[Cells]:
    """Yield the rows of a file without the column `run`, as trec_eval and ir_measures print with `-q`.

    trec_eval prints `measure topic value`, and the run's tag in the line `runid`. ir_measures prints `topic
    measure value`. Without a tag, the run has the name of the file.
    """
    run = PurePath(path).name
    is_of_trec_eval = any(known_measure(cells[0]) is not None for _, cells in rows)
    for line, (name, other, value) in rows:
        if is_of_trec_eval and name == "runid":
            run = value
        else:
            topic, measure = (other, name) if is_of_trec_eval else (name, other)
            yield line, [run, topic, measure, value]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _json_rows(text: str, path: str) -> Iterator[Cells]:
    try:
        items = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            "malformed-json",
            "the line is not well-formed JSON ({reason}); correct it",
            f"{path}:{error.lineno}",
            reason=error.msg,
        ) from None
    except RecursionError:
        raise InputError(
            "json-nested-too-deeply",
            "the JSON is nested too deeply; write a flat list of objects",
            f"{path}:1",
        ) from None
    # Errors need line numbers. json.loads does not give them, so the text is parsed a second time.
    decoder, place = json.JSONDecoder(), text.index("[") + 1
    for item in items:
        place = next(i for i in range(place, len(text)) if text[i] not in " \t\r\n,")
        line = text.count("\n", 0, place) + 1
        _, place = decoder.raw_decode(text, place)
        if not isinstance(item, Mapping) or set(item) != set(COLUMNS):
            raise InputError(
                "json-with-other-keys",
                "the entry is not an object with exactly the keys {keys}; correct its keys",
                f"{path}:{line}",
                keys=", ".join(COLUMNS),
            )
        if not all(isinstance(item[name], str) for name in COLUMNS[:3]):
            raise InputError(
                "json-name-not-text",
                "run, topic or measure is not text; write all three in quotes",
                f"{path}:{line}",
            )
        value = "" if item["value"] is None else str(item["value"])
        yield line, [item["run"], item["topic"], item["measure"], value]
