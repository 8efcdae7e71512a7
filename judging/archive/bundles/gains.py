"""Whether the gains of an imported bundle are those that it says: the promise it was published with."""

from itertools import zip_longest
from math import isclose
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from judging.archive.bundles.layout import GAINS
from judging.core.intake.faults import StudyRefusedError
from judging.core.published.gains import GainRow, gain_rows
from judging.models import Study

_ELSEWHERE: Final = 1e-12
"""How far gains may differ, relatively, between machines; on the same they are the same bits."""


def check_gains(path: Path, study: Study) -> None:
    """Raise StudyRefusedError at the first line of the bundle's gains that the study's judgments do not make.

    To be called while the import can still be taken back.
    """
    with ZipFile(path) as bundle, bundle.open(GAINS) as file:
        for number, (line, row) in enumerate(zip_longest(file, gain_rows(study)), start=1):
            if line is None or row is None or not _same(line, row):
                what = "is not the gain that the judgments of the bundle make; export it again"
                raise StudyRefusedError([f"{path}/{GAINS}:{number}: {what}"])


def _same(line: bytes, row: GainRow) -> bool:
    topic, iteration, document, gain = row
    cells = line.decode(errors="replace").removesuffix("\n").split("\t")
    if cells[:3] != [topic, iteration, document] or len(cells) != 4:
        return False
    try:
        return isclose(float(cells[3]), gain, rel_tol=_ELSEWHERE)
    except ValueError:
        return False
