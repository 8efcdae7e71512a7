"""Check that the gains computed from an imported bundle equal the gains that the bundle contains."""

from itertools import zip_longest
from math import isclose
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from judging.archive.bundles.layout import GAINS
from judging.core.faults import StudyRefusedError
from judging.core.published.gains import GainRow, gain_rows
from judging.models import Study

_ELSEWHERE: Final = 1e-12
"""The relative difference allowed between machines. On the same machine, gains are identical."""


def check_gains(path: Path, study: Study) -> None:
    """Raise StudyRefusedError at the first gain that differs between the bundle and the imported study.

    Call this inside the transaction of the import, so that the exception undoes the import.
    """
    with ZipFile(path) as bundle, bundle.open(GAINS) as file:
        for number, (line, row) in enumerate(zip_longest(file, gain_rows(study)), start=1):
            if line is None or row is None or not _same(line, row):
                differs = (
                    "The gain differs from the one computed from the judgments. Export the bundle again."
                )
                raise StudyRefusedError([f"{path}/{GAINS}:{number}: {differs}"])


def _same(line: bytes, row: GainRow) -> bool:
    topic, iteration, document, gain, _inclusion = row
    cells = line.decode(errors="replace").removesuffix("\n").split("\t")
    if cells[:3] != [topic, iteration, document] or len(cells) != 4:
        return False
    try:
        return isclose(float(cells[3]), gain, rel_tol=_ELSEWHERE)
    except ValueError:
        return False
