"""Any crowd platform whose links carry a worker's id, described by the settings of the study."""

from collections.abc import Mapping
from urllib.parse import quote

from judging.models import Study
from judging.platforms.base import Arrival


class Generic:
    """Ids come in by the study's parameters; `{code}` and `{submission}` are filled into its links."""

    is_external = True

    def arrival(self, study: Study, query: Mapping[str, str]) -> Arrival:
        return Arrival(
            platform_id=query.get(study.id_parameter, "").replace("\0", "").strip(),
            submission_id=(
                query.get(study.submission_parameter, "").replace("\0", "").strip()
                if study.submission_parameter
                else ""
            ),
        )

    def completion_link(self, study: Study, *, code: str, submission_id: str) -> str:
        return study.completion_url.replace("{code}", quote(code, safe="")).replace(
            "{submission}", quote(submission_id, safe="")
        )

    def no_work_link(self, study: Study) -> str:
        return study.no_work_url

    def screen_out_link(self, study: Study) -> str:
        return study.screen_out_url
