"""The pages of profile and notes."""
