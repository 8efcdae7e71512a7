"""The systemd units of `deploy/systemd/`, their paths turned into those of this checkout."""

import shlex
import shutil
from pathlib import Path

from tests.support.processes import ROOT

UNITS = ROOT / "deploy" / "systemd"
HOME = "/srv/plumbline"
RUN = f"{HOME}/deploy/run"
NAMES = [
    "plumbline.target",
    "plumbline-valkey.service",
    "plumbline-web.socket",
    "plumbline-web.service",
    "plumbline-worker@clock.service",
    "plumbline-scheduler.service",
    "plumbline-migrate.service",
    "plumbline-backup.service",
    "plumbline-backup.timer",
]


def commands(name: str, queue: str = "") -> list[list[str]]:
    """The words that each of a unit's commands gives to `manage.py`."""
    lines = (UNITS / name).read_text().replace("%i", queue).splitlines()
    results = [line.removeprefix("ExecStart=").split() for line in lines if line.startswith("ExecStart=")]
    assert all(words[0] == RUN for words in results), results
    return [words[1:] for words in results]


def valkey_command() -> list[str]:
    """The words with which systemd starts the site's own Valkey."""
    text = (UNITS / "plumbline-valkey.service").read_text().replace("\\\n", " ").replace("$$", "$")
    (line,) = (line for line in text.splitlines() if line.startswith("ExecStart="))
    return shlex.split(line.removeprefix("ExecStart="))


def environment(**changed: str) -> dict[str, str]:
    """What `plumbline.env` and the units set, with these changes, each of a variable that the file has."""
    lines = [line for line in (UNITS / "plumbline.env").read_text().splitlines() if line[:1] != "#"]
    given = dict(line.split("=", 1) for line in lines)
    assert set(changed) <= set(given)
    shared = (UNITS / "plumbline-.service.d" / "common.conf").read_text().splitlines()
    words = [line.partition("=")[2].split() for line in shared if line.startswith("Environment=")]
    return given | changed | dict(word.split("=", 1) for line in words for word in line)


def moved(folder: Path) -> Path:
    """The units in a folder of their own, for this checkout."""
    copy = Path(shutil.copytree(UNITS, folder / "units"))
    for path in (path for path in copy.rglob("*") if path.is_file()):
        path.write_text(path.read_text().replace("/etc/plumbline", str(copy)).replace(HOME, str(ROOT)))
    return copy
