"""The files of a site that a backup contains."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from django.conf import settings

FOLDERS: Final = {"drafts": "DRAFTS_FOLDER", "exports": "EXPORTS_FOLDER", "reports": "REPORTS_FOLDER"}
"""Maps the name of each folder in a backup to the setting that has the folder's path."""
_UNFINISHED: Final = "."
"""The first character of the names of files that are still being written."""


def folder_of(name: str) -> Path:
    return Path(getattr(settings, FOLDERS[name]))


def key_file() -> Path:
    """Return the path of the secret key's file, which the site reads if the environment sets no key."""
    return Path(settings.VAR) / "secret_key"


def site_files() -> Iterator[tuple[str, Path]]:
    """Yield a name and a path for each file of the site.

    The name is the file's path below `files/` in a backup, such as `reports/3/figure.svg`.
    """
    for name in FOLDERS:
        folder = folder_of(name)
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink() and not path.name.startswith(_UNFINISHED):
                yield f"{name}/{path.relative_to(folder).as_posix()}", path


def is_site_file(name: str) -> bool:
    """Return whether `name`, a path below `files/` in a backup, is inside one of the `FOLDERS`."""
    parts = PurePosixPath(name).parts
    return (
        len(parts) > 1
        and parts[0] in FOLDERS
        and "/".join(parts) == name
        and not any(part in {".", ".."} or re.search(r"[\\:\0]", part) for part in parts)
    )


def put_in_place(staged: Path, moved: list[Path]) -> None:
    """Move the files in `staged` to the site's folders, and add their new paths to `moved`.

    The paths within `staged` are the same as the paths below `files/` in a backup.
    """
    for path in sorted(staged.rglob("*")):
        if path.is_file():
            name, *rest = path.relative_to(staged).parts
            target = folder_of(name).joinpath(*rest)
            target.parent.mkdir(parents=True, exist_ok=True)
            moved.append(target)
            shutil.move(path, target)
