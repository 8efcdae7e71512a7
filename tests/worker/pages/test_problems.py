"""Every form of a worker that is refused says so at the top of its page, with links to its fields."""

from collections.abc import Callable

import pytest

from judging.models import Participation, Study
from tests.support.problems import problems_in
from tests.support.visitor import Visitor


@pytest.mark.parametrize(
    ("upto", "fields"),
    [("practising", ["magnitude"]), ("question", ["answer"]), ("judging", ["magnitude", "justification"])],
)
def test_a_refused_form_links_to_its_fields(
    enter: Callable[..., tuple[Visitor, Participation]], study: Study, upto: str, fields: list[str]
) -> None:
    visitor, _ = enter(study, upto)
    assert problems_in(visitor.seen[-1].body.decode()) == []
    visitor.send("next")
    text = visitor.seen[-1].body.decode()
    assert [field for field, _ in problems_in(text)] == fields
    for field in fields:
        assert f'id="{field}-fault"' in text
        assert f"{field}-fault" in text.partition("aria-describedby")[2]
