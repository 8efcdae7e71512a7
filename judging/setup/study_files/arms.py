"""Arms in study files: their slugs, and the settings with which a file describes stored arms."""

from collections.abc import Mapping, Sequence
from typing import Any

from judging.core.selectors.arms import arms_of
from judging.core.study_imports import slug_fault
from judging.models import Study
from judging.protocol.arm_names import arm_slug
from judging.protocol.settings import SETTINGS
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.arms import ARMS, ArmContent
from judging.setup.intake.study_values import setting_values
from judging.setup.intake.toml_table import Table


def slugs_of(front: str, arms: Sequence[ArmContent]) -> list[str]:
    """Return the slugs of all arms of a study whose front has the slug `front`."""
    return [front, *(arm_slug(front, arm.name) for arm in arms[1:])]


def check_arm_slugs(front: str, arms: Sequence[ArmContent], top: Table) -> None:
    """Add a fault for each slug of a further arm that is too long or belongs to another study."""
    for place, slug in enumerate(slugs_of(front, arms)[1:], start=1):
        arm = top.tables(ARMS)[place]
        if fault := slug_fault(slug):
            arm.fault("name", fault)
        elif Study.with_hidden.filter(slug=slug).exists():
            text = _(
                "The address of this arm would be {slug}, but there is already a study with this name. Rename"
                " the arm, or import the file under another name with --slug NEW."
            )
            arm.fault("name", text, slug=slug)


def refuse_update_of_arms(study: Study | None, top: Table) -> None:
    """Add a fault if a study to update has arms, or if its file has them. `study` is None if it is new."""
    if study is not None and (study.has_arms or ARMS in top):
        text = _(
            "A study with arms cannot be updated, so that all its arms keep the same units. Import the file"
            " as another study with --slug NEW."
        )
        top.fault(ARMS if ARMS in top else "slug", text)


def arm_values(study: Study) -> list[dict[str, Any]]:
    """Return the `[[arms]]` of a stored study: each arm's name, and where it differs from the front."""
    if not study.has_arms:
        return []
    front, *others = arms_of(study)
    common = setting_values(front, "")
    return [{"name": front.arm}, *({"name": arm.arm, **_own_values(arm, common)} for arm in others)]


def _own_values(arm: Study, common: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    own = setting_values(arm, "")
    for setting in SETTINGS.values():
        value = setting.get(own)
        if setting.by_arm and value is not None and value != setting.get(common):
            setting.put(values, value)
    return values
