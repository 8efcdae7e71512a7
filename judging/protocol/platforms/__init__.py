"""Where workers come from and go back to, each platform in a file of its own, which is all that one needs.

A platform is found by the `PLATFORM` of its file. The settings, the model with its constraints, the worker's
way in and back, and the console's page on it ask the platform of a study.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from judging.protocol.platforms.base import Entry, Platform, Settings
from judging.protocol.signed_links import EXPIRES, SIGNATURE


def _found() -> list[Platform]:
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    return sorted((one.PLATFORM for one in modules if hasattr(one, "PLATFORM")), key=lambda one: one.name)


PLATFORMS: Final[dict[str, Platform]] = {platform.name: platform for platform in _found()}
"""Name → platform, in the order of the names."""
PLATFORM_KEYS: Final = tuple(dict.fromkeys(key for one in PLATFORMS.values() for key in one.keys))
"""The settings that count with some platforms only."""


def platform_of(study: Settings) -> Platform:
    return PLATFORMS[study.platform]


def with_entry(entry: Entry) -> list[str]:
    """Return the names of the platforms that have a way of entry."""
    return [platform.name for platform in PLATFORMS.values() if entry in platform.entries]


def ignored_keys(settings: Mapping[str, str]) -> list[str]:
    """Return the keys that are set although the study's platform makes no use of them.

    Workers of such a study would come with ids that nobody stores, so nobody could pay them.
    """
    used = PLATFORMS[settings["platform"]].keys
    return [key for key in PLATFORM_KEYS if settings[key] and key not in used]


def platform_faults(settings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield key and fault of the settings that do not go with the study's platform, or with each other."""
    platform = PLATFORMS[settings["platform"]]
    entry = Entry(settings["entry"])
    if entry not in platform.entries:
        others, own = " or ".join(with_entry(entry)), '" or "'.join(platform.entries)
        yield "entry", f'is "{entry}", which is for platform {others}; with {platform.name} use "{own}"'
    elif entry == Entry.SIGNED and (taken := {EXPIRES, SIGNATURE} & {settings[key] for key in platform.keys}):
        name = min(taken)
        yield "entry", f'is "signed", where links have a parameter {name} of their own; name yours otherwise'
    for key in ignored_keys(settings):
        others = " or ".join(f'"{one.name}"' for one in PLATFORMS.values() if key in one.keys)
        yield (
            key,
            f'has no effect with platform = "{platform.name}"; set platform = {others}, or remove this line',
        )
    for key, why in platform.needed.items():
        if not settings[key]:
            yield key, f"is needed with this platform: {why}"
    yield from platform.faults(settings)
