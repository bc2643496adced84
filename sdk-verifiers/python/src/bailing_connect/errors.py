"""What this package raises. Verifiers never raise; builders, readers and clients say here what is wrong and what to do."""

from __future__ import annotations

from typing import Any


class CanonicalError(ValueError):
    """Arguments that have no canonical form. The stable word is ``invalid_arguments``."""

    code = "invalid_arguments"


class DecisionError(ValueError):
    """An approval decision that the hub would refuse. The stable word is ``invalid_decision``."""

    code = "invalid_decision"


class TicketError(ValueError):
    """A user id that no chat ticket can carry. The stable word is ``invalid_uid``."""

    code = "invalid_uid"


class SpecError(ValueError):
    """A tool declaration that cannot become a tool document. ``code`` is the stable word, the text names tool and fix."""

    def __init__(self, code: str, tool: str, says: str) -> None:
        super().__init__(f'Tool "{tool}": {says}')
        self.code = code
        self.tool = tool


class ToolDocumentWarning(UserWarning):
    """Allowed in a tool document, but not wise; the text names the tool and says what to do."""


class RawRequestError(RuntimeError):
    """The raw bytes of a request are not to be had here. ``code`` is the stable word, the text says where they are.

    ``status`` is the HTTP status a door answers with.
    """

    def __init__(self, code: str, message: str, status: int = 500) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class HubError(RuntimeError):
    """The hub answered with something other than 2xx, or could not be reached.

    ``status`` is the HTTP status (0 without an answer), ``response`` the parsed JSON body, or None.
    """

    def __init__(self, message: str, status: int = 0, response: Any = None) -> None:
        super().__init__(message)
        self.status = status
        self.response = response
