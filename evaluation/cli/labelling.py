"""The options for the labels of judges, which two commands have."""

import argparse
from typing import TYPE_CHECKING

from ..errors import InputError, shown
from .columns import LABEL_COLUMNS, add_columns, names_of, pair

if TYPE_CHECKING:
    from ..distances.ratings import Ratings


def add_labels(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add the options for sets of labels, the columns of their files, and the families of runs."""
    parser.add_argument(
        "--labels",
        type=pair,
        nargs="+",
        action="extend",
        required=required,
        default=None if required else [],
        metavar="NAME=FILE",
        help="the labels of each judge, such as a language model",
    )
    parser.add_argument(
        "--family",
        type=pair,
        nargs="+",
        action="extend",
        default=[],
        metavar="RUN=NAME",
        help="the judge whose family a run belongs to",
    )
    add_columns(parser, *LABEL_COLUMNS)


def read_label_sets(args: argparse.Namespace) -> "dict[str, Ratings]":
    """Return the labels by the names of their judges. Raise `InputError` for a name that is given twice."""
    from ..files.labels import read_labels

    columns = names_of(args.label_columns)
    labels: dict[str, Ratings] = {}
    for name, path in args.labels:
        if name in labels:
            raise InputError(
                "judge-given-twice",
                "--labels: the judge {judge} is given twice; give it once",
                judge=shown(name),
            )
        labels[name] = read_labels(path, columns)
    return labels
