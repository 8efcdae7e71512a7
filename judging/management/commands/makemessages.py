"""`makemessages`: write all translatable sentences to `locale/`, and compile the translations."""

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import makemessages
from django.core.management.utils import popen_wrapper


class Command(makemessages.Command):
    """Django's `makemessages` for all languages of the site. It omits lines that change on every run."""

    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=InputError:2",
        "--keyword=ngettext_noop:1,2",
        "--keyword=TextFaultError:2",
        "--keyword=Text:1",
        "--keyword=plural:1,2",
    ]

    def add_arguments(self, parser: CommandParser) -> None:
        """Add Django's arguments, with our own defaults."""
        super().add_arguments(parser)
        parser.set_defaults(
            locale=[name for _, name in settings.LANGUAGES],
            extensions=["html", "txt", "py"],
            ignore_patterns=["var", "tests", "docs", "deploy", "build"],
            no_location=True,
            no_wrap=True,
            no_obsolete=True,
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the catalogues, and compile those with translations. The site reads the compiled files."""
        super().handle(*args, **options)
        for catalogue in sorted(Path(settings.LOCALE_PATHS[0]).glob(f"*/LC_MESSAGES/{self.domain}.po")):
            if catalogue.parts[-3] != settings.LANGUAGE_CODE:
                compiled = catalogue.with_suffix(".mo")
                _, errors, status = popen_wrapper(
                    ["msgfmt", "--check-domain", "-o", str(compiled), str(catalogue)]
                )
                if status:
                    raise CommandError(errors)

    def write_po_file(self, potfile: str, locale: str) -> None:
        """Write the catalogue of a language without its creation time."""
        super().write_po_file(potfile, locale)
        catalogue = Path(potfile).parent / locale / "LC_MESSAGES" / f"{self.domain}.po"
        catalogue.write_text(
            re.sub(r'^"POT-Creation-Date: .*\n', "", catalogue.read_text(), flags=re.MULTILINE)
        )
