"""Where the names of points are in saved figures: read from the SVG and PDF files themselves."""

import re
import zlib
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest

from evaluation import figures
from evaluation.figures import labels, style
from tests.evaluation.figure_tables import scatter

pytestmark = pytest.mark.slow
PER_INCH = 72
"""Units of an SVG and of a PDF, whatever the resolution of the drawing."""


def texts_of_svg(path):
    """The size of the drawing, and the left end of each text's baseline, in inches from the lower left."""
    inside = ElementTree.TreeBuilder(insert_comments=True)
    root = ElementTree.parse(path, ElementTree.XMLParser(target=inside)).getroot()
    width, height = (float(end) for end in root.get("viewBox").split()[2:])
    texts = {}
    for group in root.iter():
        children = list(group)
        if len(children) == 2 and children[0].tag is ElementTree.Comment:
            place = re.match(r"translate\(([\d.]+) ([\d.]+)\)", children[1].get("transform"))
            x, y = float(place[1]), height - float(place[2])
            texts[children[0].text.strip()] = x / PER_INCH, y / PER_INCH
    return (width / PER_INCH, height / PER_INCH), texts


def texts_of_pdf(path):
    data = path.read_bytes()
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", data)
    size = float(box[1]) / PER_INCH, float(box[2]) / PER_INCH
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
    page = next(text for text in map(unpacked, streams) if b"\nBT\n" in text)
    texts = {}
    for x, y, shown in re.findall(rb"1 0 -?0 1 ([\d.]+) ([\d.]+) cm\nBT\n(.*?)ET", page, re.DOTALL):
        letters = b"".join(re.findall(rb"\(((?:\\.|[^)])*)\)", shown))
        texts[letters.replace(b"\x00", b"").decode("latin-1")] = float(x) / PER_INCH, float(y) / PER_INCH
    return size, texts


def unpacked(stream):
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


READERS = {"svg": texts_of_svg, "pdf": texts_of_pdf}


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("width", figures.WIDTHS)
@pytest.mark.parametrize("systems", [1, 5, 20])
def test_every_name_in_a_saved_file_is_beside_its_own_point_and_apart_from_others(
    kind, width, systems, tmp_path
):
    figure = figures.system_scatter(scatter(systems), width=width)
    figure.save(path := tmp_path / f"a.{kind}")
    size, texts = READERS[kind](path)
    boxes = {}
    whole = figure.drawing.axes[0].transData - figure.drawing.transFigure
    for run, x, y in figure.table.select("run", "known_value", "judged_value").iter_rows():
        left, baseline = texts[run]
        boxes[run] = left, baseline, left + style.inches_of(run) * 6 / 7, baseline + labels.SIZE / PER_INCH
        point = whole.transform((x, y)) * size
        gap = float(np.hypot(*(point - np.clip(point, boxes[run][:2], boxes[run][2:]))))
        assert 0 < gap < (0.12 if systems == 1 else 0.45), (run, gap)
    for (one, a), (other, b) in combinations(boxes.items(), 2):
        across, along = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        assert min(across, along) <= 1 / 300, (one, other)
    for run, (left, bottom, right, top) in boxes.items():
        assert left >= 0, run
        assert bottom >= 0, run
        assert right <= size[0], run
        assert top <= size[1], run


@pytest.mark.parametrize("dots", [50, 72, 300, 600])
def test_a_picture_of_any_resolution_shows_the_names_at_the_same_places(dots):
    drawing = figures.system_scatter(scatter(18)).drawing

    def places():
        inches = drawing.dpi_scale_trans.inverted()
        with style.context():
            drawing.draw_without_rendering()
            return [
                text.get_window_extent().transformed(inches).get_points() for text in drawing.axes[0].texts
            ]

    before = places()
    drawing.set_dpi(dots)
    assert np.abs(np.array(before) - places()).max() < 0.02
