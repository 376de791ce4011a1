"""The demonstration: people, their log-ins, and two months of conversations, made by real turns."""
