"""Static files as a site has them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import ROOT


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `collectstatic` has filled."""
    folder = tmp_path_factory.mktemp("collected")
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"],
        cwd=ROOT,
        env=os.environ | {"PLUMBLINE_STATIC": str(folder), "PLUMBLINE_VAR": str(folder / "var")},
        check=True,
    )
    return folder
