"""Puts pictures of all workers' pages onto one sheet, for people to look at.

    .venv/bin/python -m tests.support.contact_sheet sheet.png

It runs the tests that look at each page in each width and palette, lets them take pictures, and pastes these
side by side, the narrow ones first.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from tests.support.browser import PICTURES_TO

LOOKERS = ("tests/worker/pages/test_accessibility.py", "tests/worker/pages/test_language.py")
WIDTH = 240
"""Of a page on the sheet, in pixels."""
TALLEST = 480
IN_A_ROW = 12


def main(sheet: Path) -> None:
    """Take the pictures and write the sheet."""
    with TemporaryDirectory(prefix="plumbline-sheet-") as folder:
        command = [sys.executable, "-m", "pytest", "-q", *LOOKERS]
        subprocess.run(command, check=True, env=os.environ | {PICTURES_TO: folder})
        taken = sorted(Path(folder).iterdir(), key=lambda path: (int(path.stem.partition("-")[2]), path.stem))
        pages = [small(path) for path in taken]
    rows = -(-len(pages) // IN_A_ROW)
    whole = Image.new("RGB", (IN_A_ROW * (WIDTH + 8), rows * (TALLEST + 8)), "gray")
    for place, page in enumerate(pages):
        row, column = divmod(place, IN_A_ROW)
        whole.paste(page, (column * (WIDTH + 8), row * (TALLEST + 8)))
    whole.save(sheet, optimize=True)
    sys.stdout.write(f"{sheet}: {len(pages)} pages\n")


def small(path: Path) -> Image.Image:
    """Return a picture at the width of the sheet, without what is below."""
    picture = Image.open(path).convert("RGB")
    resized = picture.resize((WIDTH, max(1, picture.height * WIDTH // picture.width)))
    return resized.crop((0, 0, WIDTH, min(TALLEST, resized.height)))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "sheet.png"))
