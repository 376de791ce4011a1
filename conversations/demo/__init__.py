"""The demonstration: demo users, their logins, and two months of conversations by real turns."""
