"""How to log in as the demonstration people."""

TALKER = "nick@example.org"
"""Whose notebook a visitor may look into."""
PASSWORD = "throughline-demo"  # noqa: S105 - printed at start, for a copy on one's own machine
LOGINS = [
    (TALKER, PASSWORD, "has talked for two months, with a conflict to settle"),
    ("ada@example.org", PASSWORD, "an empty notebook"),
    ("mira@example.org", PASSWORD, "staff, with the admin"),
    ("sarah@chickfilb.com", PASSWORD, "finds sites for restaurants, and learns with others who do"),
    ("daniel.insights@goldtobacco.com", PASSWORD, "studies shoppers, and learns with others"),
]
