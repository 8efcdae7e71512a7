"""Collections of `ir_datasets`. A path such as `irds:beir/scifact/test` names a collection, not a file."""

from django.conf import settings

from evaluation.sources import DATASET
from judging.core.faults import shown
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _


def is_dataset(path: str) -> bool:
    """Return whether a path names a collection of `ir_datasets`."""
    return path.startswith(DATASET)


def dataset_path(name: str) -> str:
    """Return the path of a collection: its name with the prefix `irds:`.

    `name` may already start with this prefix.
    """
    return f"{DATASET}{name.removeprefix(DATASET)}"


def allows_datasets() -> bool:
    """Return whether people can use at least one collection in the console."""
    return bool(settings.IR_DATASETS)


def dataset_fault(path: str) -> Sentence | None:
    """Return why people cannot use a collection in the console, or None.

    The server would download the collection, so the site's operators decide which collections are allowed.
    """
    name = path.removeprefix(DATASET)
    for allowed in settings.IR_DATASETS:
        if allowed == "*" or name == allowed or name.startswith(f"{allowed}/"):
            return None
    text = _(
        "{dataset} is not available on this site. Ask the site's administrators to add it to {variable}."
    )
    return Sentence(text, {"dataset": shown(path), "variable": "PLUMBLINE_IR_DATASETS"})
