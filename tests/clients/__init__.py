"""Tests of the clients for other software."""
