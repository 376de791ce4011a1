"""The demonstration: people, their log-ins, and two months of talk said through real turns."""
