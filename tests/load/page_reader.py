"""Read from a page only what a simulated worker looks for, without parsing the whole."""

import re
from html import unescape

_HIDDEN = re.compile(r'<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"')
_PRESS = re.compile(r'<button[^>]*\sname="action"\s+value="(\w+)"')
_TYPED = re.compile(r'<input\s+class="number"[^>]*\svalue="([^"]*)"')
_LINE = re.compile(r'<line\s+x1="([\d.]+)"[^>]*\sx2="([\d.]+)"')
_TITLE = re.compile(r"<h1[^>]*>\s*(.*?)\s*</h1>", re.DOTALL)


class PageReader:
    """A page, of which `tests.support.http_crowd.Sight` tells what can be asked."""

    def __init__(self, status: int, path: str, body: bytes) -> None:
        self.status = status
        self.path = path
        self.html = self.text = body.decode()

    @property
    def step(self) -> str:
        """The last part of the address that is a word. Numbers behind it name the form."""
        return next(part for part in reversed(self.path.split("/")) if part and not part.isdigit())

    @property
    def title(self) -> str:
        """The heading of the page; on a document's page, the title of the document."""
        result = _TITLE.search(self.html)
        return unescape(result[1]) if result else ""

    def asks(self) -> bool:
        return "<form" in self.html

    def presses(self) -> list[str]:
        return _PRESS.findall(self.html)

    def hidden(self) -> dict[str, str]:
        """What the forms of the page send unseen."""
        return {name: unescape(value) for name, value in _HIDDEN.findall(self.html)}

    def value(self, name: str) -> str:
        if name == "magnitude":
            return unescape(_TYPED.findall(self.html)[0])
        return self.hidden()[name]

    def lines(self) -> list[float]:
        return [float(right) - float(left) for left, right in _LINE.findall(self.html)]
