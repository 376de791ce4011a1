"""The exception for refusals, which pages and the API show to the user."""

from typing import ClassVar


class Refused(ValueError):
    """An action that is refused; the message says why and what to do.

    `status` and `title` are for the API's response; `field` names the invalid field, and makes it a
    validation error.
    """

    status: ClassVar[int] = 409
    title: ClassVar[str] = "Not now"
    field: ClassVar[str] = ""
