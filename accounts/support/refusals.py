"""What the product refuses to do, as one exception that pages and the API know how to tell."""

from typing import ClassVar


class Refused(ValueError):
    """What was asked for is not done; the message says why and what to do.

    `status` and `title` are those of the API's answer; a `field` names what of the request is
    wrong, and makes it a validation error.
    """

    status: ClassVar[int] = 409
    title: ClassVar[str] = "Not now"
    field: ClassVar[str] = ""
