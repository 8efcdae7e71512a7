"""Every figure on plain and on awkward tables: whole, legible, and the same again."""

import gc
import os
import subprocess
import sys
import warnings
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.text import Text

from evaluation.figures import WIDTHS, style
from tests.evaluation.figure_tables import CASES, figure_of
from tests.evaluation.refusals import OPTION, refused

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.slow]
PLAIN = {case.draw.__name__: name for name, case in reversed(CASES.items())}
"""The name of the first case of each figure."""
IN_WIDTHS = [
    pytest.param(name, width, marks=[] if width == "column" or name in PLAIN.values() else pytest.mark.long)
    for name in CASES
    for width in WIDTHS
]
"""Every case as narrow as it is drawn, and the first of each figure as wide too."""
TOUCH = 1.0
"""Dots, of 300 an inch, by which two boxes of letters may meet: the boxes have room around the ink."""


@pytest.fixture(scope="module", autouse=True)
def _nothing_left_by_others():
    """Warnings are errors here: sockets that other tests left to the collector of garbage are not ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


def texts_drawn(drawing, monkeypatch):
    """What is written, with its place in dots: texts that are drawn, and not ticks that are out of view."""
    results = []
    plain = Text.draw

    def draw(self, renderer):
        if self.get_visible() and self.get_text().strip():
            results.append((self.get_text(), self.get_window_extent(renderer)))
        plain(self, renderer)

    monkeypatch.setattr(Text, "draw", draw)
    with style.context():
        drawing.draw_without_rendering()
    return results


@pytest.mark.parametrize(("name", "width"), IN_WIDTHS)
def test_texts_are_whole_and_apart_and_every_point_is_inside_its_panel(name, width, monkeypatch):
    drawing = figure_of(name, width).drawing
    assert drawing.get_size_inches()[0] == WIDTHS[width]
    texts = texts_drawn(drawing, monkeypatch)
    assert len(texts) >= 4  # the names of both axes and a number on each, at least
    for text, box in texts:
        inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= drawing.bbox.x1 and box.y1 <= drawing.bbox.y1
        assert inside, f"{text!r} is clipped: {box.extents} of {drawing.bbox.extents}"
    for (one, a), (other, b) in combinations(texts, 2):
        across, along = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(across, along) <= TOUCH, f"{one!r} and {other!r} overlap"
    for panel in drawing.axes:
        for line in panel.lines:
            if line.get_transform() == panel.transData:
                points = np.ma.filled(np.ma.column_stack(line.get_data()).astype(float), np.nan)
                points = points[~np.isnan(points).any(axis=1)]
                low, high = np.sort([panel.get_xlim(), panel.get_ylim()], axis=1).T
                assert (points >= low).all()
                assert (points <= high).all()


STARTS = {"a.svg": b"<?xml", "a.pdf": b"%PDF-", "a.png": b"\x89PNG", "a.csv": b""}


@pytest.mark.parametrize(
    "names",
    [["gain_curves"], pytest.param(list(PLAIN), marks=pytest.mark.long)],
    ids=["lines", "all"],
)
def test_every_format_is_written_and_another_process_writes_the_same_files(names, tmp_path):
    elsewhere(names, tmp_path)
    for name in names:
        files = written(PLAIN[name], tmp_path / f"{name} here")
        other = {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        assert [file for file in files if files[file] != other[file]] == []
        assert files.keys() == other.keys() == STARTS.keys()
        for file, start in STARTS.items():
            assert files[file].startswith(start)
            assert len(files[file]) > 20


def elsewhere(names, folder):
    """Write the figures in a process with other hashes and settings, in another time zone."""
    (folder / "matplotlibrc").write_text("font.size: 20\naxes.facecolor: red\npdf.fonttype: 3\n")
    settings = {"MATPLOTLIBRC": str(folder), "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "2"}
    program = (
        "import pathlib, sys\nfrom tests.evaluation.test_figures import PLAIN, written\n"
        "for name in sys.argv[2:]: written(PLAIN[name], pathlib.Path(sys.argv[1]) / name)\n"
    )
    command = [sys.executable, "-c", program, str(folder), *names]
    root = Path(__file__).parents[2]
    subprocess.run(command, env={**os.environ, **settings}, cwd=root, check=True, timeout=120)


def written(name, folder):
    """Return what the files hold that a case writes into a new folder, by their names."""
    folder.mkdir()
    paths = CASES[name].drawn().save(*(folder / name for name in list(STARTS)[:3]))
    assert sorted(paths) == sorted(folder.iterdir())
    return {path.name: path.read_bytes() for path in paths}


def test_letters_in_a_pdf_are_truetype_and_no_date_is_in_a_file(tmp_path):
    svg, pdf, *_ = CASES["curves"].drawn().save(tmp_path / "a.svg", tmp_path / "a.pdf")
    document = pdf.read_bytes()
    assert b"/Type0" in document
    assert b"/CIDFontType2" in document
    assert b"/Type3" not in document
    assert b"CreationDate" not in document
    assert "<dc:date>" not in svg.read_text()


def test_a_name_that_is_no_figures_is_refused_before_anything_is_written(tmp_path):
    figure = CASES["histogram"].drawn()
    with refused("unknown-figure-format", "'a.jpg'", ".svg", ".pdf", ".png"):
        figure.save(tmp_path / "a.svg", tmp_path / "a.jpg")
    assert list(tmp_path.iterdir()) == []


def test_a_width_that_is_not_known_is_refused():
    with refused(OPTION, "'poster'", "column", "page"):
        CASES["histogram"].drawn("poster")


SEEN_BY = {
    "everyone": np.eye(3),
    "protanopes": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopes": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopes": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
"""Linear RGB as it is seen, after Machado, Oliveira and Fernandes (2009), in full severity."""
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour, seen=SEEN_BY["everyone"]):
    """CIE L*a*b* of an sRGB colour."""
    parts = np.array(to_rgb(colour))
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    share = TO_XYZ @ np.clip(np.array(seen) @ linear, 0, 1) / TO_XYZ.sum(axis=1)
    x, y, z = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def lightness(colour):
    """L*, 0 to 100: what is left of a colour in grey."""
    return lab(colour)[0]


@pytest.mark.parametrize("seen", SEEN_BY.values(), ids=SEEN_BY.keys())
def test_every_two_colours_are_told_apart(seen):
    for one, other in combinations(style.COLOURS, 2):
        assert np.linalg.norm(lab(one, seen) - lab(other, seen)) >= 13  # 2.3 is just noticeable


def test_neighbouring_series_differ_in_grey_and_every_two_in_marker_or_dashes():
    for one, other in pairwise([*style.COLOURS, style.COLOURS[0]]):
        assert abs(lightness(one) - lightness(other)) >= 20
    looks = [style.series(place) for place in range(style.MOST_SERIES)]
    assert len({look["marker"] for look in looks}) == style.MOST_SERIES
    assert len({look["color"] for look in looks}) == style.MOST_SERIES
    assert all(one["linestyle"] != other["linestyle"] for one, other in pairwise(looks))
    assert max(map(lightness, style.COLOURS)) < 66  # dark enough on white: a contrast of 3 : 1
    fills = [lightness(fill) for fill in style.shades(4)]
    assert all(one - other >= 8 for one, other in pairwise(fills))


def test_series_of_one_panel_look_different_in_every_figure():
    for name in ("stability of the battery", "swap rates", "curves of 129 runs", "curves"):
        for panel in figure_of(name).drawing.axes:
            lines = [line for line in panel.lines if isinstance(line, Line2D) and line.get_marker() != "None"]
            looks = Counter((line.get_color(), line.get_marker(), line.get_linestyle()) for line in lines)
            assert looks
            assert max(looks.values()) == 1


def test_without_matplotlib_the_error_says_what_to_install():
    program = "import sys; sys.modules['matplotlib'] = None\nimport evaluation.figures\n"
    root = Path(__file__).parents[2]
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False, timeout=60
    )
    assert result.returncode == 1
    assert "ModuleNotFoundError: " in result.stderr
    assert "'plumbline-ir[figures]'" in result.stderr
