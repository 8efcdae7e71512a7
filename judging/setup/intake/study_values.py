"""Convert a stored study to the values of a study file.

Plumbline writes these values to `study.toml`. It also passes them to the code that reads study files, to
check a study in set-up.
"""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any, Final

from judging.core.faults import Where
from judging.models import Question, Setup, SetupFile, Study, Topic
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.scales import is_used
from judging.protocol.settings import SETTINGS, UNLIMITED
from judging.protocol.setup_files import FileKind
from judging.setup.intake.toml_lines import Path as KeyPath

Values = dict[str, Any]
TOPIC: Final = "topic "
"""If a fault is in a topic, its place is this prefix followed by the topic's number."""
_TEXTS: Final = ("number", "title", "description", "narrative")


def setting_values(study: Study, slug: str) -> Values:
    """Return the slug and all settings of a study, arranged in the tables of a study file.

    Settings that have no effect in the study are left out, unless somebody has changed them.
    """
    values: Values = {"slug": slug}
    for setting in SETTINGS.values():
        value = getattr(study, setting.key)
        if value is None and setting.unlimited:
            value = UNLIMITED
        lacks_need = bool(setting.needs) and getattr(study, setting.needs) is None
        is_idle = not is_used(setting.key, study.scale) and value in (setting.default, "")
        if value is not None and not lacks_need and not is_idle:
            setting.put(values, _plain(value))
    return values


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Decimal):
        return str(value)  # a string, because TOML's numbers are not exact
    return Decimal(repr(value)) if isinstance(value, float) else value


def topic_values(topic: Topic) -> Values:
    """Return the values of a topic, including its question if it has one."""
    values: Values = {key: getattr(topic, key) for key in _TEXTS}
    question = Question.objects.filter(topic=topic).first()
    if question is not None:
        values["question"], values["options"] = question.text, question.options
        if question.right_option is not None:
            values["answer"] = question.options[question.right_option]
    return values


def active_topics(study: Study) -> list[Topic]:
    """Return the study's topics in order, without retired topics."""
    return list(Topic.objects.filter(study=study, retired_at__isnull=True).order_by("place"))


def setup_values(setup: Setup, slug: str | None = None) -> Values:
    """Return all values of a study in set-up. If given, `slug` replaces the stored slug."""
    study = setup.study
    topics = active_topics(study)
    values = setting_values(study, slug or study.slug)
    values["topic"] = [topic_values(topic) for topic in topics]
    files = list(setup.files.order_by("pk"))
    values["documents"] |= _document_values([file for file in files if file.kind == FileKind.DOCUMENTS])
    values["pool"] = {**_pool_values(setup, files), **values.get("pool", {})}
    values["grades"] = [_grade_values(file) for file in files if file.kind == FileKind.GRADES]
    values["run"] = [_file_values(file) for file in files if file.kind == FileKind.RUN]
    values["anchor"] = [anchor for topic in topics if (anchor := _anchor_values(topic, study.anchors))]
    return {key: value for key, value in values.items() if value not in ([], {}, None)}


def _file_values(file: SetupFile) -> Values:
    return {"path": file.path} | ({"encoding": file.encoding} if file.encoding else {})


def _document_values(files: list[SetupFile]) -> Values:
    if not files:
        return {}
    last = files[-1]
    paths = [file.path for file in files]
    path = paths if len(paths) > 1 else paths[0]
    return {"format": last.format, **_column_values(last), **_file_values(last), "path": path}


def _column_values(file: SetupFile) -> Values:
    return {"columns": file.columns} if file.columns else {}


def _pool_values(setup: Setup, files: list[SetupFile]) -> Values:
    if setup.pool_depth is not None:
        return {"depth": setup.pool_depth}
    return next((_file_values(file) for file in files if file.kind == FileKind.POOL), {})


def _grade_values(file: SetupFile) -> Values:
    optional = {"format": file.format, "levels": file.levels, "unlisted": file.unlisted}
    present = {key: value for key, value in optional.items() if value}
    return {"name": file.name, **_file_values(file), **_column_values(file), **present}


def _anchor_values(topic: Topic, anchors: Collection[Anchor]) -> Values:
    named = {anchor.value: document for anchor, document in topic.named.items() if anchor in anchors}
    reason = {"reason": topic.anchor_reason} if topic.anchor_reason else {}
    return {"topic": topic.number, **named, **reason} if named else {}


class TopicPlace(Where):
    """The place of a fault in a topic. When `Faults` groups faults, all topics count as one file."""

    @property
    def kind(self) -> str:
        return TOPIC


class Places:
    """Maps a key in the values of a study to the topic or file that a fault should refer to."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __call__(self, path: KeyPath) -> Where:
        """Return the topic or file of a key, or an empty place if the key belongs to the whole study."""
        match path:
            case ("topic", int(place), *_):
                return TopicPlace(f"{TOPIC}{self._values['topic'][place]['number']}")
            case ("anchor", int(place), *_):
                return TopicPlace(f"{TOPIC}{self._values['anchor'][place]['topic']}")
            case ("run" | "grades" as kind, int(place), *_):
                return Where(self._values[kind][place]["path"])
        return Where("")
