"""Assembling: settings, addresses, the API's route table, and the processes around the house."""
