"""Two people, or two tabs, at one form of a set-up: nobody's words are overwritten unseen.

A form carries a stamp of each of its parts as they stood when it was shown. What only one of the two
changed is taken from that one; what both changed, and not to the same, is left for somebody to decide.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

Parts = dict[str, str]
"""Name of a form's field → its text."""


@dataclass(frozen=True)
class Merged:
    """`values` are what the form should hold now: where there are `conflicts`, what was typed.

    `kept` names the parts that somebody else changed meanwhile, and this form did not.
    """

    values: Parts
    kept: list[str]
    conflicts: list[str]


def stamp(parts: Mapping[str, str]) -> str:
    """What a form carries to tell later what it was shown with: for each part its name and a digest."""
    return " ".join(f"{name}={_digest(text)}" for name, text in parts.items())


def merge(seen: str, saved: Mapping[str, str], typed: Mapping[str, str]) -> Merged:
    """Put what was `typed` into what is `saved`; `seen` is the stamp of what the form was shown with.

    A part that the stamp does not name counts as unchanged since: a program that sends no stamp just writes.
    """
    before = dict(part.rsplit("=", 1) for part in seen.split() if "=" in part)
    values, kept, conflicts = dict(typed), [], []
    for name, text in typed.items():
        now = saved.get(name, "")
        base = before.get(name, _digest(now))
        if base == _digest(now) or _plain(text) == _plain(now):
            continue
        if base == _digest(text):
            values[name] = now
            kept.append(name)
        else:
            conflicts.append(name)
    return Merged(values, kept, conflicts)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _digest(text: str) -> str:
    return blake2b(_plain(text).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
