"""The data dictionary: the columns of the published tables, for programs and docs/reference/exports.md."""

from collections.abc import Sequence

from judging.core.published.base import AnyPublished, Column


def as_objects(columns: Sequence[Column]) -> list[dict[str, str]]:
    """`[{"name", "type", "unit", "meaning"}, …]`, for programs."""
    return [
        {
            "name": column.name,
            "type": column.kind.value,
            "unit": column.unit,
            "meaning": column.meaning,
        }
        for column in columns
    ]


def markdown(table: AnyPublished) -> str:
    """The columns of a table for docs/reference/exports.md."""
    rows = [
        f"| {f'`{column.name}`' if column.name else '*name of a grade set*'} | {column.kind} |"
        f" {column.unit} | {column.meaning} |\n"
        for column in table.columns()
    ]
    return "".join(["| column | type | unit | meaning |\n|---|---|---|---|\n", *rows])
