"""Declarations of installed packages that cannot be used are refused by name, and never skipped."""

from importlib.metadata import EntryPoint

import pytest

from judging.protocol import declared
from judging.protocol.declared import DeclarationError, by_name, installed
from judging.protocol.platforms import PLATFORMS
from judging.protocol.platforms.base import Platform


def announce(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    point = EntryPoint("mine", value, "plumbline.platforms")
    monkeypatch.setattr(declared, "entry_points", lambda group: [point] if group == point.group else [])


def test_a_declaration_and_a_list_of_them_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    announce(monkeypatch, "judging.protocol.platforms.mturk:PLATFORM")
    assert installed("platforms", Platform) == [PLATFORMS["mturk"]]
    assert installed("checks", Platform) == []


def test_what_is_no_declaration_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    announce(monkeypatch, "judging.protocol.platforms.mturk:NOT_ACCEPTED")
    with pytest.raises(DeclarationError) as refused:
        installed("platforms", Platform)
    for name in ("mine", "plumbline.platforms", "Platform", "judging.protocol.platforms.mturk:NOT_ACCEPTED"):
        assert name in str(refused.value)


def test_two_declarations_of_one_name_are_refused() -> None:
    with pytest.raises(DeclarationError) as refused:
        by_name([PLATFORMS["mturk"], PLATFORMS["mturk"]], lambda platform: platform.name)
    assert "mturk" in str(refused.value)
