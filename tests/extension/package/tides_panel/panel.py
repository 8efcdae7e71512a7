from judging.protocol.platforms.base import Entry, Parameters, Platform, Settings


class Panel(Platform):
    name = "panel"
    description = "panel: a panel that names its workers as panelist."
    entries = (Entry.OPEN,)
    keys = ("no_work_url",)
    operations = "tides_panel.panel_operations:PanelOperations"

    def parameters(self, study: Settings) -> Parameters:
        return Parameters("panelist", "visit")

    def completion_link(self, study: Settings, *, code: str, submission_id: str) -> str:
        return f"https://panel.example.org/done/{code}"

    def no_work_link(self, study: Settings) -> str:
        return study.no_work_url


PLATFORM = Panel()
