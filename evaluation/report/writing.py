"""Write a report to a folder: HTML, PDF, LaTeX tables, CSV tables and figures."""

import shutil
from pathlib import Path
from typing import Final

from ..errors import InputError, shown
from ..figures import Figure
from ..rendering import to_latex
from .building import Report
from .cells import printed
from .content import RESULT, Numbers
from .html import to_page

FIGURE_FORMATS: Final = ("svg", "pdf")
FOLDERS: Final = ("tables", "figures")


def write_report(report: Report, folder: str | Path, *, fonts: str | Path | None = None) -> list[Path]:
    """Write the report into a folder, and return the sorted paths of all files in the folder.

    The files are `index.html`, `report.pdf`, `methods.txt`, `summary.json` and `tables/result.tex` (the
    result, if there is one), `tables/KEY.csv`, `tables/KEY.tex`, `figures/KEY.svg`, `figures/KEY.pdf` and
    `figures/KEY.csv`. Create the folder if it does not exist. If it contains an earlier report, first delete
    everything in `tables` and `figures`. Leave out figures that cannot be drawn, and add the reasons to
    `Report.missing`. `fonts` is a folder with fonts for letters of `report.pdf` that neither DejaVu nor a
    font of the system has. Raise `InputError` if this folder has no font, or if `tables` or `figures` exists
    but is not part of an earlier report. Raise `OSError` if a file cannot be written.
    """
    from .pdf import fonts_in, to_pdf  # loads typst, which is optional

    root = Path(folder)
    refuse_other_folders(root)
    if fonts is not None:
        fonts_in(fonts)
    for name in FOLDERS:
        shutil.rmtree(root / name, ignore_errors=True)
        (root / name).mkdir(parents=True)
    (root / "summary.json").unlink(missing_ok=True)
    drawings: dict[str, bytes] = {}
    if (result := report.result) is not None:
        _write(root / "summary.json", result.to_json() + "\n")
        _write(root / "tables" / f"{RESULT}.tex", result.to_latex(label=f"tab:{RESULT}"))
        drawings[RESULT] = _save(result.figure(width="page"), root, RESULT)
    for content in (finished.content for finished in report.finished):
        for numbers in content.tables:
            _write_table(numbers, root / "tables")
        for drawn in list(content.figures):
            try:
                figure = drawn.figure
            except InputError as error:
                content.figures.remove(drawn)
                content.missing.append(error)
                continue
            drawings[drawn.key] = _save(figure, root, drawn.key)
    _write(root / "index.html", to_page(report, drawings))
    _write(root / "methods.txt", " ".join(report.methods) + "\n")
    (root / "report.pdf").write_bytes(to_pdf(report, drawings, fonts))
    return sorted(path for path in root.rglob("*") if path.is_file())


def _save(figure: Figure, root: Path, key: str) -> bytes:
    """Write the files of a figure, and return the SVG file."""
    paths = [root / "figures" / f"{key}.{form}" for form in FIGURE_FORMATS]
    figure.save(*paths)
    return paths[0].read_bytes()


def refuse_other_folders(root: Path) -> None:
    """Raise `InputError` if writing a report would delete files that are not part of an earlier report."""
    others = [name for name in FOLDERS if (root / name).exists()]
    if others and not (root / "methods.txt").is_file():
        raise InputError(
            "folder-of-something-else",
            "the report would delete the subfolder {name}, which is not from an earlier report; give another "
            "folder",
            str(root),
            name=shown(others[0]),
        )


def _write_table(numbers: Numbers, folder: Path) -> None:
    numbers.table.write_csv(folder / f"{numbers.key}.csv")
    if numbers.most:
        latex = to_latex(printed(numbers), str(numbers.caption), f"tab:{numbers.key}")
        _write(folder / f"{numbers.key}.tex", latex)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
