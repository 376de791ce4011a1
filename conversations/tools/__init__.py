"""Tools over memory and messages, for models, the notebook and other software."""
