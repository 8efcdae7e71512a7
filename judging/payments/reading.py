"""Read an export of payments back in, to mark its payments as paid."""

import csv
import json
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import IO, Final

from evaluation.parsing.detect import delimiter_of, head_of, other_kind
from evaluation.parsing.text import TextFaultError, text_lines
from judging.core.faults import InputError
from judging.core.storable import parse_decimal
from judging.payments.services.payments import ExportedPayment
from judging.protocol.paying import PayDecision

_LONGEST_LINE: Final = 1 << 20
_DECISION: Final = "decision"
_COLUMNS: Final = ("worker_id", "unit_id", "state", "amount")


def read_payments(name: str, file: IO[bytes]) -> list[ExportedPayment]:
    """Return the payments of an export in CSV or JSON Lines. Leave out payments that are held or refused.

    Raise InputError, with `name` as the name of the file, at the first line that is not valid.
    """
    if problem := other_kind(head_of(file), "jsonl"):
        raise InputError(
            "payments-file-of-another-kind",
            "{problem} Or upload the exported file without changes.",
            f"{name}:1",
            problem=problem,
        )
    texts = _texts(name, file)
    first = next(texts, "")
    if not first.strip():
        raise InputError(
            "empty-payments-file", "The file is empty. Upload the exported file without changes.", name
        )
    lines = chain([first], texts)
    if first.lstrip().startswith("{"):
        rows = _jsonl_rows(name, lines)
    else:
        rows = _csv_rows(name, lines, delimiter_of(first) or ",")
    return [_payment(name, number, row) for number, row in rows if _is_due(row)]


def _is_due(row: Mapping[str, object]) -> bool:
    """Return whether the payment can be made. Exports of earlier versions contain no other payments."""
    return row.get(_DECISION, PayDecision.PAY.value) == PayDecision.PAY


def _texts(name: str, file: IO[bytes]) -> Iterator[str]:
    try:
        for _number, line in text_lines(file, longest=_LONGEST_LINE):
            yield line
    except TextFaultError as fault:
        raise InputError(
            "unreadable-payments-file",
            "Cannot read the line: {fault}. Upload the exported file without changes.",
            f"{name}:{fault.line}",
            fault=fault.error,
        ) from None


def _csv_rows(name: str, texts: Iterator[str], delimiter: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    reader = csv.DictReader(texts, strict=True, delimiter=delimiter)
    try:
        for column in _COLUMNS:
            if column not in (reader.fieldnames or ()):
                raise InputError(
                    "payments-column-missing",
                    "The column `{column}` is missing. Upload the exported file without changes.",
                    f"{name}:1",
                    column=column,
                )
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(
            "malformed-payments-csv",
            "The line is not valid CSV ({error}). Upload the exported file without changes.",
            f"{name}:{reader.reader.line_num}",
            error=str(error),
        ) from None


def _jsonl_rows(name: str, texts: Iterator[str]) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, text in enumerate(texts, start=1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise InputError(
                "payment-not-an-object",
                "The line is not a JSON object. Upload the exported file without changes.",
                f"{name}:{number}",
            )
        yield number, row


def _payment(name: str, number: int, row: Mapping[str, object]) -> ExportedPayment:
    where = f"{name}:{number}"
    cells = {}
    for column in _COLUMNS:
        if not isinstance(cell := row.get(column), str):
            raise InputError(
                "payment-value-missing",
                "`{column}` is missing or is not text. Upload the exported file without changes.",
                where,
                column=column,
            )
        cells[column] = cell.strip()
    if not (amount := parse_decimal(cells["amount"])).is_finite():
        raise InputError(
            "payment-amount-not-a-number",
            "`amount` is not a number. Upload the exported file without changes.",
            where,
        )
    return ExportedPayment(where, cells["state"], cells["worker_id"], cells["unit_id"], amount)
