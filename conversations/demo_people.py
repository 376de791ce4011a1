"""How to log in as the demonstration people."""

PASSWORD = "throughline-demo"  # noqa: S105 - printed at start, for a copy on one's own machine
LOGINS = [
    ("nick@example.org", PASSWORD, "has talked for two months, with a conflict to settle"),
    ("ada@example.org", PASSWORD, "an empty notebook"),
    ("mira@example.org", PASSWORD, "staff, with the admin"),
]
