"""Assembling: settings, addresses, the API's route table, and the processes of a copy."""
