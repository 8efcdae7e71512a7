"""A study file with its files as one zip, in a temporary file that goes when it is closed."""

from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO
from zipfile import ZipFile

from judging.core.formats.packing import chunks_of, pack
from judging.models import Study
from judging.setup.study_files.study_folder import write_study_folder


def zip_folder(folder: Path) -> IO[bytes]:
    """All files of a folder but the hidden ones, by their paths in it; the same files make the same bytes."""
    archive = TemporaryFile()  # noqa: SIM115 - whoever sends it closes it
    with ZipFile(archive, "w") as opened:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            hidden = any(part.startswith(".") for part in name.parts)
            if path.is_file() and not path.is_symlink() and not hidden:
                with path.open("rb") as file:
                    pack(opened, str(name), chunks_of(file))
    archive.seek(0)
    return archive


def zip_study(study: Study) -> IO[bytes]:
    """A stored study as `study_folder` writes it. Raises RefusedError where no file can say the study."""
    with TemporaryDirectory() as folder:
        write_study_folder(study, Path(folder))
        return zip_folder(Path(folder))
