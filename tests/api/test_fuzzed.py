"""What schemathesis makes of the OpenAPI document: requests that it allows and requests that it does not."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.contrib.auth import get_user_model
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from rest_framework.authtoken.models import Token
from rest_framework.throttling import SimpleRateThrottle
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup

from deploy.wsgi import application
from judging.api.defaults import signed_token
from judging.models import Study
from tests.api.conftest import PASSWORD, ROOT

pytestmark = pytest.mark.slow
SEARCHED, REFUSED = 5, 20
"""Of so many examples of this speed, one is sent to each operation with a token, and without one."""


@pytest.fixture
def document(study: Study, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The document of a site with one study; the limits on requests would end the search."""
    rates = dict.fromkeys(SimpleRateThrottle.THROTTLE_RATES, "1000000/min")
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    config = SchemathesisConfig.from_dict({"parameters": {"path.slug": study.slug}})
    signals = (request_started, request_finished)
    for signal in signals:  # the connection is that of the test's transaction
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi(f"{ROOT}/schema/", application, config=config)
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def bearer(db: None) -> dict[str, str]:
    """What a program sends that has logged in as an admin."""
    user = get_user_model().objects.create_superuser("root", password=PASSWORD)
    return {"Authorization": f"Token {signed_token(Token.objects.create(user=user))}"}


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_with_a_token_every_answer_is_as_described(
    document: Any, bearer: dict[str, str], mode: GenerationMode
) -> None:
    search(document, mode, bearer, SEARCHED)


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_without_a_token_every_answer_is_as_described(document: Any, mode: GenerationMode) -> None:
    search(document, mode, {}, REFUSED)


def search(document: Any, mode: GenerationMode, headers: dict[str, str], share: int) -> None:
    """Ask every operation of the document, and check each answer against it."""
    failures = []
    examples = settings(
        max_examples=max(1, settings().max_examples // share),
        phases=[Phase.explicit, Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    for get_all_operation in document.get_all_operations():
        operation = get_all_operation.ok()
        if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body):
            continue  # nothing in it could be wrong

        @examples
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Any) -> None:
            case.call_and_validate(headers=headers)

        try:
            ask()
        except FailureGroup as failure:
            failures += [f"{operation.label}: {exception}" for exception in failure.exceptions]
    assert not failures, "\n\n".join(failures)
