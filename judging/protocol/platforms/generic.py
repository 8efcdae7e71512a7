"""Any crowd platform whose links contain the worker's id. The study's settings describe these links."""

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import quote

from judging.protocol.platforms.base import Entry, Parameters, Platform, Settings
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _


class Generic(Platform):
    """Reads ids from the parameters that the study names, and fills the placeholders in `completion_url`."""

    name = "generic"
    description = _("generic: another crowd platform that adds a worker's id to each link.")
    entries = (Entry.OPEN, Entry.SIGNED)
    keys = ("id_parameter", "submission_parameter", "completion_url", "no_work_url", "screen_out_url")
    needed = {
        "id_parameter": _(
            "the value is missing; write the name of the link parameter that holds the worker's id"
        )
    }

    def parameters(self, study: Settings) -> Parameters:
        return Parameters(study.id_parameter, study.submission_parameter)

    def faults(self, settings: Mapping[str, str]) -> Iterator[tuple[str, Sentence]]:
        worker, visit = settings["id_parameter"], settings["submission_parameter"]
        if worker and worker == visit:
            yield (
                "submission_parameter",
                Sentence(_("the name must differ from id_parameter; choose another name")),
            )
        if "{submission}" in settings["completion_url"] and not visit:
            yield (
                "completion_url",
                Sentence(
                    _(
                        "the URL contains {{submission}}; set submission_parameter too, or remove "
                        "{{submission}}"
                    )
                ),
            )

    def completion_link(self, study: Settings, *, code: str, submission_id: str) -> str:
        return study.completion_url.replace("{code}", quote(code, safe="")).replace(
            "{submission}", quote(submission_id, safe="")
        )

    def no_work_link(self, study: Settings) -> str:
        return study.no_work_url

    def screen_out_link(self, study: Settings) -> str:
        return study.screen_out_url


PLATFORM: Final = Generic()
