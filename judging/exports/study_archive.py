"""A study file with its files as one zip, in a temporary file that goes when it is closed."""

import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from judging.exports.study_folder import write_study_folder
from judging.models import Study


def zip_folder(folder: Path) -> IO[bytes]:
    """All files of a folder but the hidden ones, by their paths in it; the same files make the same bytes."""
    archive = TemporaryFile()  # noqa: SIM115 - whoever sends it closes it
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if (
                path.is_file()
                and not path.is_symlink()
                and not any(part.startswith(".") for part in name.parts)
            ):
                entry = zipfile.ZipInfo(str(name))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                with opened.open(entry, "w", force_zip64=True) as target, path.open("rb") as source:
                    while chunk := source.read(1 << 20):
                        target.write(chunk)
    archive.seek(0)
    return archive


def zip_study(study: Study) -> IO[bytes]:
    """A stored study as `study_folder` writes it. Raises RefusedError where no file can say the study."""
    with TemporaryDirectory() as folder:
        write_study_folder(study, Path(folder))
        return zip_folder(Path(folder))
