"""Preparing text for reading: masking, and splitting into sentences."""
