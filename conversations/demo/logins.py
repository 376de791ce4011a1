"""The log-in data of the demo users."""

TALKER = "nick@example.org"
"""Whose notebook a visitor may look into."""
PASSWORD = "throughline-demo"  # noqa: S105 - printed at start, for a copy on one's own machine
LOGINS = [
    (TALKER, PASSWORD, "two months of conversations, with a conflict to settle"),
    ("ada@example.org", PASSWORD, "an empty notebook"),
    ("mira@example.org", PASSWORD, "staff, with access to the admin"),
    (
        "sarah@chickfilb.com",
        PASSWORD,
        "finds sites for restaurants and shares lessons with others in the role",
    ),
    (
        "daniel.insights@goldtobacco.com",
        PASSWORD,
        "studies shoppers and shares lessons with others in the role",
    ),
]
