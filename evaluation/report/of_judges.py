"""The parts on machine judges, and on how good they and other labels are beside people."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import polars as pl

from ..distances.ratings import Ratings
from ..errors import InputError
from ..frames import Gains
from ..judges import Assessment, assess
from ..judges.assessing import SAMPLES, WORKER_SAMPLES
from ..pairs import PAIR
from ..runs import Run
from ..text import Text
from .content import Content, Numbers, numbers_of
from .data import ReportData
from .machines import Machine, checks_table, faults_table, order_table, settings_table, work_table

_TABLES: Final[tuple[tuple[str, Text, Callable[[Sequence[Machine]], pl.DataFrame], int], ...]] = (
    ("machine-checks", Text("How often each judge passed the checks"), checks_table, 2),
    ("machine-work", Text("What each judge did, and what it cost"), work_table, 1),
    ("machine-faults", Text("Calls without an answer that could be used"), faults_table, 2),
    ("machine-order", Text("Pairs in which the answer followed the place"), order_table, 1),
    ("machine-settings", Text("The model and the prompt of each judge"), settings_table, 1),
)

CHECKS_IN_WORDS: Final = {
    "anchors": Text("the check of the anchors"),
    "question": Text("the questions about topics"),
    "practice": Text("the practice"),
}


def _machines(data: ReportData) -> Content:
    content = Content([_protocol_sentence(each, data) for each in data.machines])
    for key, caption, made, heads in _TABLES:
        table = made(data.machines)
        if not table.is_empty():
            content.tables.append(Numbers(key, caption, table, heads=heads))
    return content


def _protocol_sentence(machine: Machine, data: ReportData) -> Text:
    """Return whether a judge passed, and what it cost."""
    work = Text.plural(
        "It completed {units} of {number} unit for {money} ({tokens} tokens).",
        "It completed {units} of {number} units for {money} ({tokens} tokens).",
        number=machine.units_planned,
        units=machine.units,
        money=data.money(float(machine.money)),
        tokens=machine.input_tokens + machine.output_tokens,
    )
    failed = [CHECKS_IN_WORDS[check] for check in machine.failed()]
    if failed:
        return Text(
            "{judge} failed more often than it passed {check}. {work}",
            judge=machine.name,
            check=failed[0],
            work=work,
        )
    if machine.screened_out:
        return Text("{judge} was screened out. {work}", judge=machine.name, work=work)
    if machine.units_left:
        return Text("{judge} is not done yet. {work}", judge=machine.name, work=work)
    if machine.units < machine.units_planned:
        return Text("{judge} lost some of its units. {work}", judge=machine.name, work=work)
    return Text("{judge} passed the protocol. {work}", judge=machine.name, work=work)


def _beside_people(data: ReportData) -> Content:
    content = Content()
    judged = data.judgments.documents.select(PAIR).unique()
    compared = {}
    for name, labels in data.labels.items():
        if labels.table.join(judged, on=PAIR, how="semi").is_empty():
            content.missing.append(
                Text("{judge} has no label for a document that people judged.", judge=name)
            )
        else:
            compared[name] = labels
    if not compared:
        return content
    runs = data.runs if len(data.runs) > 1 and not data.is_random else None
    try:
        found = _assess(data, compared, runs)
    except InputError as error:
        # Labels that cannot score runs can still be compared with people.
        if runs is None:
            raise
        content.missing.append(error)
        found = _assess(data, compared, None)
    content.sentences = found.sentences
    content.tables = numbers_of(found, "judges")
    return content


def _assess(
    data: ReportData, labels: Mapping[str, Gains | Ratings], runs: Sequence[Run] | None
) -> Assessment:
    sampling = data.sampling
    return assess(
        data.judgments,
        labels,
        runs,
        data.measure or data.parameters.measures[0],
        families={run: judge for run, judge in data.families.items() if judge in labels},
        documents=data.documents,
        inclusion=None if sampling is None else sampling.inclusion,
        design="systematic" if sampling is None else sampling.design,
        method=data.normalisation,
        statistic=data.statistic,
        level=data.parameters.level,
        resamples=min(SAMPLES, data.parameters.resamples),
        worker_resamples=min(WORKER_SAMPLES, data.parameters.worker_resamples),
        seed=data.parameters.seed % 2**64,
    )


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "machine-judges": _machines,
    "judges-beside-people": _beside_people,
}
