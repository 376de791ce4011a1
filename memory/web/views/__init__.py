"""The pages of the notebook that memory answers for: the profile and the notes."""
