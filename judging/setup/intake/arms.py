"""Read the arms of a study file: the same study several times, each time with some settings of its own.

An arm writes its settings as the study file does, in the same tables. What an arm does not set, it takes from
the rest of the study file. So an arm is read as if its settings stood there. All arms have the same topics,
documents and units, except in studies for analysis: there, each arm has judgments of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from judging.core.faults import Faults
from judging.core.study_imports import Progress
from judging.protocol.arm_names import arm_name_fault
from judging.protocol.settings import SETTINGS, SLUG, TABLES, Kind, Purpose
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.assemble import assemble
from judging.setup.intake.content import FrozenPools, StudyContent
from judging.setup.intake.judged import TABLE as JUDGMENTS
from judging.setup.intake.judged import refuse_unsuitable
from judging.setup.intake.paths import Paths
from judging.setup.intake.study_file import FieldReader
from judging.setup.intake.toml_table import Table

ARMS: Final = "arms"
FEWEST: Final = 2


@dataclass(frozen=True)
class ArmContent:
    """The content of an arm. `name` is empty for a study without arms."""

    name: str
    content: StudyContent


def assemble_arms(
    top: Table, folder: Path, *, frozen: FrozenPools, progress: Progress, enclosed: bool = False
) -> list[ArmContent]:
    """Return the content of each arm, the front first, as `assemble` does for a study without arms."""
    arms = _arm_tables(top)
    if not arms:
        return [ArmContent("", assemble(top, folder, frozen=frozen, progress=progress, enclosed=enclosed))]
    names = [_name(arm, place, arms) for place, arm in enumerate(arms)]
    for arm in arms:
        _refuse_shared_settings(arm)
    first, *others = (arm.over(top, without=("name", SLUG.key, ARMS)) for arm in arms)
    if first.table("units").text("allocation") == "adaptive":
        text = _("Arms need the same units, so they cannot be adaptive. Set allocation to “fixed”.")
        first.table("units").fault("allocation", text)
    front = assemble(first, folder, frozen=frozen, progress=progress, enclosed=enclosed)
    contents = [front]
    for table in others:
        faults = Faults()
        arm_top = table.collecting(faults)
        if front.fields["purpose"] == Purpose.ANALYSIS:
            contents.append(assemble(arm_top, folder, frozen={}, progress=progress, enclosed=enclosed))
        else:
            contents.append(_with_settings(front, arm_top, Paths(folder, enclosed=enclosed)))
        _add_new(faults, top.faults)
    if not top.faults.count:
        for arm, content in zip(arms[1:], contents[1:], strict=True):
            _compare_shared(arm, front, content)
    return [ArmContent(name, content) for name, content in zip(names, contents, strict=True)]


def _arm_tables(top: Table) -> list[Table]:
    if ARMS not in top:
        return []
    arms = top.tables(ARMS)
    if 0 < len(arms) < FEWEST:
        text = _("A study with arms compares at least two. Add another [[arms]] table, or remove this one.")
        top.fault(ARMS, text)
    return arms


def _name(arm: Table, place: int, arms: list[Table]) -> str:
    name = arm.text("name", needed=True)
    if name and (fault := arm_name_fault(name)):
        arm.fault("name", fault)
    earlier = {other.text("name").lower() for other in arms[:place]}
    if name and name.lower() in earlier:
        arm.fault("name", _("Two arms have the name {name}. Give each arm its own name."), name=name)
    return name


_SHARED: Final = _(
    "All arms share this setting, because they have the same units, platform and consent. Move it out of"
    " [[arms]], or remove it."
)


def _refuse_shared_settings(arm: Table) -> None:
    """Add a fault for each key of an arm that arms cannot set."""
    own = [setting for setting in SETTINGS.values() if setting.by_arm]
    shared = {SLUG.key, *TABLES} | {item.written_key for item in SETTINGS.values() if not item.by_arm}
    for name in sorted({setting.table for setting in own if setting.table}):
        if arm.is_table(name):
            table = arm.table(name)
            table.pass_over(*(setting.written_key for setting in own if setting.table == name))
            table.close(shared, _SHARED)
    for setting in own:
        if not setting.table:
            arm.pass_over(setting.written_key, f"{setting.written_key}_file")
    arm.pass_over("name", JUDGMENTS)
    arm.close(shared, _SHARED)


def _with_settings(front: StudyContent, top: Table, paths: Paths) -> StudyContent:
    """Return the content of the front with the settings of another arm."""
    reader = FieldReader(top, paths)
    reader.read()
    refuse_unsuitable(top, reader.fields["purpose"], reader.fields["scale"])
    return replace(front, fields={**front.fields, **reader.fields}, where={**front.where, **reader.where})


def _add_new(faults: Faults, known: Faults) -> None:
    """Add the faults of an arm to the known faults, without those that an earlier arm has too."""
    before = {(fault.where, fault.field, str(fault.sentence)) for fault in known.listed}
    for fault in faults.listed:
        if (fault.where, fault.field, str(fault.sentence)) not in before:
            known.add(fault.where, fault.field, fault.sentence)


def _compare_shared(arm: Table, front: StudyContent, content: StudyContent) -> None:
    """Add a fault if the preset of an arm changes a setting that all arms share."""
    for key in _differences(front.fields, content.fields):
        text = _(
            "The preset of this arm changes {setting}, which all arms share. Set {setting} outside [[arms]]."
        )
        arm.fault("preset", text, setting=SETTINGS[key].name)


def _differences(fields: dict[str, Any], others: dict[str, Any]) -> Iterator[str]:
    for key, setting in SETTINGS.items():
        is_text = setting.kind == Kind.MARKDOWN
        if not setting.by_arm and not is_text and fields.get(key) != others.get(key):
            yield key
