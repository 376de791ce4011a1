"""What can be looked up and done with what was said, by a model, the notebook, other software."""
