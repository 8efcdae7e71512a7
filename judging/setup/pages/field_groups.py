"""The groups of a form of settings: which are open, and what a folded one says."""

from collections.abc import Iterator, Set
from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext as _

from judging.protocol.settings import Group
from judging.setup.pages.settings_form import SettingsForm
from judging.setup.steps import groups_of


@dataclass
class FieldGroup:
    """The fields of a group. `changed` are the fields that do not have their defaults.

    `is_used` is whether the study uses the settings, and `has_fault` whether one of the fields has a problem.
    """

    group: Group
    fields: list[forms.BoundField]
    changed: list[forms.BoundField]
    is_used: bool
    has_fault: bool

    @property
    def heading(self) -> str:
        return _(self.group.heading)

    @property
    def is_main(self) -> bool:
        return self.group.is_main

    @property
    def is_open(self) -> bool:
        """Return whether the page shows the fields at once."""
        return self.is_main or self.has_fault or bool(self.changed)


def field_groups(form: SettingsForm, section: str, faulty: Set[str]) -> Iterator[FieldGroup]:
    """Yield the groups of a step. `faulty` has the names of settings that the last check found faults in."""
    for group, declared in groups_of(section).items():
        settings = [setting for setting in declared if setting.name in form.settings]
        if not settings:
            continue
        yield FieldGroup(
            group,
            fields=[form[setting.name] for setting in settings],
            changed=[form[setting.name] for setting in settings if not form.has_default(setting)],
            is_used=group.is_used(form.study),
            has_fault=any(
                setting.name in form.errors or faulty & {setting.name, setting.key} for setting in settings
            ),
        )
