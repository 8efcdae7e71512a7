"""The data of a study for the library's report, and the report `whole`: HTML, PDF, LaTeX and CSV files."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import polars as pl
from django.conf import settings
from django.db.models import Count, Max, Min

from evaluation.papers import build_paper
from evaluation.report import Input, Parameters, ReportData, build_report, table_checksum, write_report
from evaluation.result import Warning
from evaluation.text import Text
from judging.core.formats.export_table import of
from judging.core.formats.manifest import Tally
from judging.core.formats.software import versions
from judging.core.published import PUBLISHED
from judging.core.selectors.attempts import counted_attempts
from judging.core.selectors.judgments import accepted
from judging.core.selectors.kinds import units_of, workers_of
from judging.core.selectors.labels import families_of, labels_of_judges
from judging.core.selectors.machine_summary import machines_of
from judging.core.selectors.verdicts import verdicts_of
from judging.models import PoolDocument, Study, WorkerFigures
from judging.protocol.presets import PRESETS
from judging.protocol.settings import departures
from judging.understanding.reports.catalogue import measures_of
from judging.understanding.reports.side_by_side import compared_arms
from judging.understanding.reports.study_data import StudyData

NAME: Final = "report"
"""The folder in the zip."""
SIMULATED: Final = Text("The judgments come from a simulated crowd, and say nothing about real people.")
_JUDGMENTS, _TABLE_1 = "judgments", "table1"


def analysis_data(data: StudyData, measures: Sequence[str] = ()) -> ReportData:
    """Return the data of a study in the form that the parts of the library's report need.

    The analyses use the study's seed. `measures` replace the default measures. The part about disagreements
    between measures compares the first measure with each of the others.
    """
    study = data.study
    parameters = Parameters(seed=study.seed, measures=tuple(measures_of(study)))
    if measures:
        parameters = replace(parameters, measures=tuple(measures), further_measures=())
    return ReportData(
        title=study.title,
        judgments=data.judgments,
        known=data.known,
        grades=data.grade_sets,
        lettered=frozenset({*data.known, *data.grade_sets} - data.numbered),
        runs=data.runs,
        method=study.normalisation,
        is_random=data.is_random,
        is_adaptive=study.is_adaptive,
        parameters=parameters,
        measure=study.ranked_by,
        baseline=study.baseline or None,
        judges=(Text("{kind}", kind=Text(study.judges.note)),) if study.judges.note else (),
        warnings=(Warning("simulated", SIMULATED),) if study.simulated else (),
        sampling=data.sampling,
    )


def with_judges(data: ReportData, study: Study) -> ReportData:
    """Return the data of a report with the labels of judges that are not people, and how they were made."""
    labels = labels_of_judges(study)
    machines = machines_of(study)
    if not labels:
        return replace(data, machines=machines)
    return replace(
        data,
        machines=machines,
        labels=labels,
        families=families_of(study),
        documents=_lengths(study),
    )


def _lengths(study: Study) -> pl.DataFrame:
    """Return the number of characters of each document of the pools, by which a judge can be biased."""
    pool = PoolDocument.objects.filter(topic__study=study).order_by()
    rows = pool.values_list("topic__number", "document__document_id", "document__text")
    lengths = [(topic, document, len(text)) for topic, document, text in rows.iterator()]
    schema = {"topic_id": pl.String, "document_id": pl.String, "length": pl.Int64}
    return pl.DataFrame(lengths, schema=schema, orient="row")


def report_data(
    data: StudyData, *, comments: bool = False, parameters: Parameters | None = None
) -> ReportData:
    """Return the data of a study for the whole report, with cost, settings, software version and checksums.

    With `comments`, the report quotes the workers' justifications. The checksum of the judgments is computed
    from their CSV export. Run this in a snapshot of the database.
    """
    study = data.study
    plain = analysis_data(data)
    return replace(
        with_judges(plain, study),
        comments=_comments(study) if comments else None,
        verdicts=_verdicts(study),
        topics=_table1(study),
        pay=float(study.pay_per_unit),
        fee=float(study.platform_fee) / 100,
        excluded=_excluded(study),
        flagged=_flagged(study),
        dates=_dates(study),
        currency=study.currency,
        settings=_settings(study),
        inputs=list(_inputs(data)),
        arms=compared_arms(study),
        software={name: number for name, number in versions().items() if name == "plumbline"},
        parameters=parameters or plain.parameters,
    )


class Written(NamedTuple):
    """What `write_whole` returns.

    `files` holds the files of the report, sorted. `missing` holds a pair for each missing or incomplete part:
    its title and the reason.
    """

    files: list[Path]
    missing: list[tuple[str, str]]


def write_whole(
    data: ReportData, folder: Path, progress: Callable[[int, int], None], paper: str = ""
) -> Written:
    """Compute the report, or the tables and figures of a paper, and write them into a folder.

    Raise InputError for an unknown paper, or if `PLUMBLINE_FONTS` has no fonts. Raise OSError if a file
    cannot be written.
    """
    report = build_paper(data, paper, progress) if paper else build_report(data, progress)
    return Written(write_report(report, folder, fonts=settings.FONTS), report.missing)


def zip_report(folder: Path, files: Iterable[Path], path: Path) -> None:
    """Pack files of the folder into a zip. The same files give the same zip."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for file in files:
            name = ZipInfo(f"{NAME}/{file.relative_to(folder).as_posix()}")
            name.compress_type = ZIP_DEFLATED
            archive.writestr(name, file.read_bytes())


def _excluded(study: Study) -> dict[str, int]:
    """Return a dict from each topic to the number of its excluded units. These units are paid."""
    units = units_of(study).filter(excluded_at__isnull=False).order_by()
    return dict(units.values_list("topic__number").annotate(count=Count("pk")))


def _flagged(study: Study) -> list[str]:
    """Return the workers whose statistics have a flag. The report ranks the runs without them, too."""
    flagged = WorkerFigures.objects.filter(participation__in=workers_of(study), flagged__gt=0).order_by()
    return sorted(flagged.values_list("participation__pseudonym", flat=True))


def _dates(study: Study) -> tuple[str, str] | None:
    """Return the first and the last day on which a unit that counts was completed, or None."""
    ends = counted_attempts(study).aggregate(first=Min("ended_at"), last=Max("ended_at"))
    if ends["first"] is None:
        return None
    return f"{ends['first']:%Y-%m-%d}", f"{ends['last']:%Y-%m-%d}"


def _comments(study: Study) -> pl.DataFrame:
    rows = [
        (row.topic, row.document, row.justification)
        for _, topic_rows in accepted(study)
        for row in topic_rows
        if row.excluded_at is None
    ]
    schema = {"topic_id": pl.String, "document_id": pl.String, "comment": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _verdicts(study: Study) -> pl.DataFrame | None:
    """Return the researchers' verdicts on disagreements, or None if there are none."""
    rows = [(row.topic, row.document, row.grades, row.verdict) for row in verdicts_of(study)]
    names = ("topic_id", "document_id", "grades", "verdict")
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row") if rows else None


def _table1(study: Study) -> pl.DataFrame:
    table = of(PUBLISHED[_TABLE_1], study)
    return pl.DataFrame(
        [list(row) for row in table.rows], schema=table.names, orient="row", infer_schema_length=None
    )


def _settings(study: Study) -> dict[str, str]:
    return {
        **_rules(study),
        "Documents in a unit": str(study.unit_size),
        **({"Pairs of anchors in a unit": str(study.anchor_pairs)} if study.anchor_pairs > 1 else {}),
        "Judgments planned for a document": str(study.judgments_per_document),
        "Seconds required for a document": f"{study.seconds_per_document:g}",
        "If the anchors have equal magnitudes, their check": "passes"
        if study.anchor_ties == "pass"
        else "fails",
        "Seed of the study": str(study.seed),
    } | ({"The judgments come from": study.judges.source} if study.judges.source else {})


def _rules(study: Study) -> dict[str, str]:
    """Return which preset the study follows, with its exceptions, or an empty dict for the usual defaults."""
    preset = PRESETS[study.preset]
    if not preset.values:
        return {}
    exceptions = ", ".join(setting.key for setting in departures(study))
    return {"Judging followed": preset.rules + (f", except for {exceptions}" if exceptions else "")}


def _inputs(data: StudyData) -> Iterable[Input]:
    tally = Tally()
    for _ in tally.chunks(of(PUBLISHED[_JUDGMENTS], data.study), "csv"):
        pass
    yield Input(
        f"{data.study.slug}-judgments.csv", "export of the judgments", tally.rows or 0, tally.file.sha256
    )
    for name, known in data.known.items():
        yield Input(name, "known grades, as a table", known.table.height, table_checksum(known.table))
    for run in data.runs:
        yield Input(run.tag, "run, as a table", run.table.height, table_checksum(run.table))
