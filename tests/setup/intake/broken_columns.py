"""Ways to break a map of columns, in the form of `broken.FAULTS`."""

from tests.setup.intake.breaks import Break, replaced
from tests.setup.intake.folder import StudyFolder


def mapped(columns: str, form: str = "jsonl") -> Break:
    """Map the columns of the documents; the fault lies at the map."""
    return replaced("study.toml", 'format = "jsonl"', f'columns = {columns}\nformat = "{form}"')


def in_documents(columns: str) -> Break:
    """Map the columns of the documents; the fault lies in the first line of their file."""

    def break_it(folder: StudyFolder) -> int:
        mapped(columns)(folder)
        return 1

    return break_it


def in_grades(tables: str, text: str) -> Break:
    """Replace the file of grades, and set keys of its table; the fault lies in its first line."""

    def break_it(folder: StudyFolder) -> int:
        folder.replace(
            "study.toml", 'path = "qrels.txt"', f'{tables}\nlevels = {{ 0 = "N" }}\npath = "qrels.txt"'
        )
        folder.write("qrels.txt", text)
        return 1

    return break_it


def in_csv(columns: str, text: str, line: int) -> Break:
    """Read the documents from CSV; the fault lies in a line of the file."""

    def break_it(folder: StudyFolder) -> int:
        mapped(columns, "csv")(folder)
        folder.write("documents.jsonl", text)
        return line

    return break_it


COLUMN_FAULTS: dict[str, tuple[Break, str, list[str]]] = {
    "an unknown field": (
        mapped('{ ident = "id" }'),
        "study.toml:{}: documents.columns",
        ["'ident'", "layout"],
    ),
    "a map for a format with fixed columns": (
        mapped('{ id = "id" }', "trec"),
        "study.toml:{}: documents.columns",
        ["'trec'", "jsonl", "csv", "tsv", "irds"],
    ),
    "a map for a format with a name": (
        mapped('{ id = "id" }', "beir"),
        "study.toml:{}: documents.columns",
        ["'beir'"],
    ),
    "positions in JSON": (mapped("{ id = 1, text = 2 }"), "study.toml:{}: documents.columns", ["jsonl"]),
    "names and positions": (
        mapped('{ id = 1, text = "text" }', "csv"),
        "study.toml:{}: documents.columns",
        [],
    ),
    "a position of 0": (mapped("{ id = 0, text = 1 }", "csv"), "study.toml:{}: documents.columns", []),
    "a column that is a list": (mapped('{ id = ["id"] }'), "study.toml:{}: documents.columns", []),
    "no column for a needed field": (mapped('{ text = "" }'), "study.toml:{}: documents.columns", ["text"]),
    "positions without a needed field": (
        mapped("{ id = 1 }", "tsv"),
        "study.toml:{}: documents.columns",
        ["text"],
    ),
    "a key that no line has": (in_documents('{ id = "key" }'), "documents.jsonl:{}: id", ['"key"', "16"]),
    "an optional key that no line has": (
        in_documents('{ title = "titel" }'),
        "documents.jsonl:{}: title",
        ['"titel"'],
    ),
    "a column that the header lacks": (
        in_csv('{ id = "name" }', "id,text\na,b\n", 1),
        "documents.jsonl:{}: id",
        ["'name'", "id, text"],
    ),
    "an optional column that the header lacks": (
        in_csv('{ title = "titel" }', "id,text\na,b\n", 1),
        "documents.jsonl:{}: title",
        ["'titel'", "id, text"],
    ),
    "a column twice": (
        in_csv('{ text = "body" }', "id,body,body\na,b,c\n", 1),
        "documents.jsonl:{}: text",
        ["body"],
    ),
    "a position beyond the row": (
        in_csv("{ id = 1, text = 4 }", "a,b,c\n", 1),
        "documents.jsonl:{}: text",
        ["3", "4"],
    ),
    "a row that is shorter than the first": (
        in_csv("{ id = 1, text = 2 }", "a,b\nc\n", 2),
        "documents.jsonl:{}",
        ["1", "2"],
    ),
    "an id with a blank": (
        in_csv("{ id = 1, text = 2 }", "a,b\nc d,e\n", 2),
        "documents.jsonl:{}: id",
        ["'c d'"],
    ),
    "a format without levels": (
        replaced("study.toml", "[[grades]]", '[[grades]]\nformat = "beir"'),
        "study.toml:{}: grades.levels",
        ["'beir'"],
    ),
    "grades without a header": (
        in_grades('format = "beir"', "007\t007-H\t3\n"),
        "qrels.txt:{}: topic",
        ["'query-id'", "007-H"],
    ),
    "an id of a collection in another format": (
        replaced("study.toml", 'path = "documents.jsonl"', 'path = "irds:beir/scifact"'),
        "study.toml:{}: documents.path",
        ["irds:"],
    ),
    "a file as a collection": (
        lambda folder: folder.replace("study.toml", 'format = "jsonl"', 'format = "irds"') + 1,
        "study.toml:{}: documents.path",
        ["irds:"],
    ),
}
