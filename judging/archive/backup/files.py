"""The files that belong to a site, and where they lie."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from django.conf import settings

FOLDERS: Final = {"drafts": "DRAFTS_FOLDER", "exports": "EXPORTS_FOLDER", "reports": "REPORTS_FOLDER"}
"""Name in a backup → the setting that says where the folder is."""
_UNFINISHED: Final = "."
"""How the name begins of what somebody is still writing."""


def folder_of(name: str) -> Path:
    return Path(getattr(settings, FOLDERS[name]))


def key_file() -> Path:
    """Where the secret key is kept where the environment gives none."""
    return Path(settings.VAR) / "secret_key"


def site_files() -> Iterator[tuple[str, Path]]:
    """The files of the site by their names in a backup, such as `reports/3/figure.svg`."""
    for name in FOLDERS:
        folder = folder_of(name)
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink() and not path.name.startswith(_UNFINISHED):
                yield f"{name}/{path.relative_to(folder).as_posix()}", path


def is_ours(name: str) -> bool:
    """Whether a file of a backup would lie inside of one of the folders, and nowhere else."""
    parts = PurePosixPath(name).parts
    return (
        len(parts) > 1
        and parts[0] in FOLDERS
        and "/".join(parts) == name
        and not any(part in {".", ".."} or re.search(r"[\\:\0]", part) for part in parts)
    )


def put_in_place(staged: Path, moved: list[Path]) -> None:
    """Move what lies in `staged` by the names of a backup to where the site looks; `moved` tells how far."""
    for path in sorted(staged.rglob("*")):
        if path.is_file():
            name, *rest = path.relative_to(staged).parts
            target = folder_of(name).joinpath(*rest)
            target.parent.mkdir(parents=True, exist_ok=True)
            moved.append(target)
            shutil.move(path, target)
