"""A chart is a table of exact numbers and a description that the script can read."""

import json
import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

from django.template import Context, Template
from django.utils.html import format_html

from judging.core.pages.charts import Axis, Chart, Mark
from tests.support.html import compact

AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
LINK = format_html('<a href="{}">{}</a>', "/w1/", "w1")
COLUMNS = {"x": "Time (UTC)", "y": "Units", "name": "Worker"}


def chart(rows: list[list[object]], **options: Any) -> Chart:
    parts: dict[str, Any] = {
        "x": Axis("x", "Time (UTC)", "time"),
        "y": Axis("y", "Units", ends=(0, 10)),
        "columns": COLUMNS,
        "marks": [Mark("line", series="name"), Mark("rule", at=0, name="Wanted <all>")],
    }
    return Chart("speed", "Units <by> time", "What it shows.", rows=rows, **{**parts, **options})


def shown(shown_chart: Chart) -> str:
    template = Template("{% load charts %}{% chart entry %}")
    return compact(template.render(Context({"entry": shown_chart})))


def cells(text: str) -> list[list[str]]:
    body = text.split("<tbody>")[1].split("</tbody>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", body)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]


def test_its_table_holds_exact_numbers() -> None:
    values = (0.1 + 0.2, -1e-9, 1e300, 3, 12345678901234567890, 0)
    rows = cells(shown(chart([[AT, value, LINK] for value in values])))
    assert len(rows) == len(values)
    for value, (time, number, worker) in zip(values, rows, strict=True):
        (exact,) = re.findall(r'<data value="([^"]+)">', number)
        assert type(value)(exact) == value
        assert re.findall(r'<time datetime="([^"]+)">', time) == [AT.isoformat()]
        assert worker == LINK


def test_texts_are_escaped_and_missing_values_are_not_zero() -> None:
    text = shown(chart([[AT, None, "<b>"]]))
    ((_, missing, name),) = cells(text)
    assert "<data" not in missing
    assert 'class="none"' in missing
    assert unescape(name) == "<b>"
    assert "<b>" not in text
    assert "Units &lt;by&gt; time" in text


def test_the_first_cell_of_a_row_names_it_and_headings_name_columns() -> None:
    text = shown(chart([[AT, 1, "w1"]]))
    assert re.findall(r'<th scope="col">(.*?)</th>', text) == list(COLUMNS.values())
    assert len(re.findall(r'<th scope="row">', text)) == 1


def test_the_description_has_what_the_script_needs() -> None:
    text = shown(chart([[AT, 1, "w1"]], horizontal=True, height=200))
    (found,) = re.findall(r'data-chart="([^"]*)"', text)
    assert json.loads(unescape(found)) == {
        "columns": ["x", "y", "name"],
        "x": {"column": "x", "label": "Time (UTC)", "scale": "time"},
        "y": {"column": "y", "label": "Units", "scale": "linear", "ends": [0, 10]},
        "marks": [{"kind": "line", "series": "name"}, {"kind": "rule", "at": 0, "name": "Wanted <all>"}],
        "horizontal": True,
        "height": 200,
    }


def test_it_has_a_title_a_text_alternative_and_a_place_for_the_picture() -> None:
    text = shown(chart([[AT, 1, "w1"]], note="A warning."))
    assert '<h3 id="speed-title">' in text
    assert '<p class="small muted" id="speed-about">What it shows.</p>' in text
    assert "data-drawing" in text
    assert "A warning." in text
    assert not re.search(r"<script|style=|onclick=", text)


def test_without_rows_there_is_neither_a_picture_nor_a_table() -> None:
    text = shown(chart([]))
    assert "data-drawing" not in text
    assert "<table" not in text
    assert "What it shows." in text
