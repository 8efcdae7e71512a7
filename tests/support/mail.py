"""A real mail server on 127.0.0.1: keeps what it is handed, refuses whom it is told to, and can be away."""

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.ports import free_port


class MailServer:
    """`refusals` are answers to recipients by address; `received` are the messages, in order."""

    def __init__(self) -> None:
        self.port = free_port()
        self.received: list[EmailMessage] = []
        self.refusals: dict[str, str] = {}
        self._controller: Controller | None = None

    @property
    def url(self) -> str:
        """Its EMAIL_URL."""
        return f"smtp://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def stop(self) -> None:
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    def recipients(self) -> list[str]:
        return [str(message["To"]) for message in self.received]

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refusals:
            return self.refusals[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        message = message_from_bytes(envelope.original_content or b"", policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.received.append(message)
        return "250 OK"


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A running mail server."""
    server = MailServer()
    server.start()
    yield server
    server.stop()
