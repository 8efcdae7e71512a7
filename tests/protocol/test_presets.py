"""Presets give settings other defaults, each of which the setting allows."""

import pytest

from judging.models import Study
from judging.models.setting_fields import field_of
from judging.protocol.presets import DEFAULT, PRESETS, Preset
from judging.protocol.settings import SETTINGS, departures, settings_with

EACH = pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)


@EACH
def test_each_value_is_one_that_its_setting_can_have(preset: Preset) -> None:
    assert preset.values.keys() <= SETTINGS.keys()
    for key, value in preset.values.items():
        field = field_of(SETTINGS[key])
        field.null = SETTINGS[key].can_be_empty
        field.clean(value, None)
        assert value is None or type(value) is type(SETTINGS[key].default)


@EACH
def test_only_the_values_of_a_preset_differ_from_the_usual_defaults(preset: Preset) -> None:
    defaults = {key: setting.default for key, setting in settings_with(preset.name).items()}
    assert defaults == {key: setting.default for key, setting in SETTINGS.items()} | preset.values


def test_the_usual_preset_changes_nothing() -> None:
    assert SETTINGS["preset"].default == DEFAULT
    assert settings_with(DEFAULT) == SETTINGS


@EACH
def test_departures_are_the_settings_with_other_values(preset: Preset) -> None:
    study = Study(preset=preset.name, **preset.values)
    assert departures(study) == []
    for key, setting in SETTINGS.items():
        if key in preset.values and setting.is_number:
            setattr(study, key, setting.most)
            assert [departure.key for departure in departures(study)] == [key]
            setattr(study, key, preset.values[key])
