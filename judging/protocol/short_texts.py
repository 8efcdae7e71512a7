"""The rules for a setting that is a list of short texts, such as the labels of grades."""

from collections.abc import Sequence

from judging.protocol.settings.setting import Setting
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _


def texts_fault(setting: Setting, texts: Sequence[str]) -> Sentence | None:
    """Return what is wrong with the texts of a setting, or None if nothing is.

    The declaration limits the number of texts, and the characters of each. Two texts that differ only in
    case or spaces count as equal, because readers could not tell them apart.
    """
    if not setting.least <= len(texts) <= setting.most:
        return Sentence(
            _("The list has {number} entries. Write {least} to {most}."),
            {"number": len(texts), "least": setting.least, "most": setting.most},
        )
    for place, text in enumerate(texts, start=1):
        if not text.strip():
            return Sentence(_("Entry {place} of the list is empty. Fill it in."), {"place": place})
        if len(text.splitlines()) > 1:
            return Sentence(_("Entry {place} of the list has a line break. Remove it."), {"place": place})
        if setting.longest is not None and len(text) > setting.longest:
            return Sentence(
                _("Entry {place} of the list has {number} characters; the limit is {limit}. Shorten it."),
                {"place": place, "number": len(text), "limit": setting.longest},
            )
    keys = [" ".join(text.casefold().split()) for text in texts]
    for place, key in enumerate(keys):
        if (first := keys.index(key)) < place:
            return Sentence(
                _("Entries {first} and {second} of the list are equal. Change one of them."),
                {"first": first + 1, "second": place + 1},
            )
    return None
