"""The platforms that workers come from, each declared in its own file.

To add a platform, add a module to this package, or announce a `Platform` of a package of your own by an entry
point in the group `plumbline.platforms`. The settings, the pages where workers start and end, and the
console's “Set-up” page use these declarations. A declaration is pure. If Plumbline can pay the platform's
workers, it names a class of operations in a module that is loaded only when somebody pays.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from judging.protocol.declared import by_name, declared, installed
from judging.protocol.platforms import direct, prolific
from judging.protocol.platforms.base import Entry, LeastPay, Platform, Settings
from judging.protocol.signed_links import EXPIRES, SIGNATURE
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

PLATFORMS: Final[dict[str, Platform]] = by_name(
    [*declared(__name__, __path__, Platform), *installed("platforms", Platform)],
    lambda platform: platform.name,
)
"""Maps the name of each platform to the platform, sorted by name."""
DEFAULT: Final = direct.PLATFORM.name
"""The platform of studies that do not set one."""
PLATFORM_KEYS: Final = tuple(dict.fromkeys(key for platform in PLATFORMS.values() for key in platform.keys))
"""The settings that only some platforms use."""


def platform_of(study: Settings) -> Platform:
    return PLATFORMS[study.platform]


def least_pay_of(study: Settings) -> LeastPay:
    """Return the minimum pay of the study's platform, or Prolific's if the platform has none."""
    return platform_of(study).least_pay or prolific.PLATFORM.least_pay


def with_entry(entry: Entry) -> list[str]:
    """Return the names of the platforms that support this value of the setting `entry`."""
    return [platform.name for platform in PLATFORMS.values() if entry in platform.entries]


def ignored_keys(settings: Mapping[str, str]) -> list[str]:
    """Return the settings that have a value although the study's platform does not use them.

    Such settings show that the study has the wrong platform. With this platform, Plumbline would not store
    the ids in the workers' links, so nobody could pay the workers.
    """
    used = PLATFORMS[settings["platform"]].keys
    return [key for key in PLATFORM_KEYS if settings[key] and key not in used]


def platform_faults(settings: Mapping[str, str]) -> Iterator[tuple[str, Sentence]]:
    """Yield the key and the problem of each invalid setting.

    A setting is invalid if it conflicts with the platform or another setting. A missing setting is invalid
    if the platform requires it.
    """
    platform = PLATFORMS[settings["platform"]]
    entry = Entry(settings["entry"])
    if entry not in platform.entries:
        yield (
            "entry",
            Sentence(
                _(
                    "platform {platform} does not support {entry}; use {entries}, or set platform to "
                    "{platforms}"
                ),
                {
                    "platform": platform.name,
                    "entry": _quoted([entry]),
                    "entries": _quoted(platform.entries),
                    "platforms": _quoted(with_entry(entry)),
                },
            ),
        )
    elif entry == Entry.SIGNED and (used := {EXPIRES, SIGNATURE} & {settings[key] for key in platform.keys}):
        yield (
            "entry",
            Sentence(
                _(
                    "the parameter {parameter} is not available, because signed links already use it;"
                    " choose another name"
                ),
                {"parameter": min(used)},
            ),
        )
    for key in ignored_keys(settings):
        others = [other.name for other in PLATFORMS.values() if key in other.keys]
        yield (
            key,
            Sentence(
                _(
                    "this setting has no effect with platform {platform}; set platform to {platforms}, "
                    "or remove this line"
                ),
                {"platform": _quoted([platform.name]), "platforms": _quoted(others)},
            ),
        )
    for key, fault in platform.needed.items():
        if not settings[key]:
            yield key, Sentence(fault)
    yield from platform.faults(settings)


def _quoted(names: Iterable[str]) -> str:
    return " / ".join(f'"{name}"' for name in names)
