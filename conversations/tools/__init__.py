"""Tools for memories and messages, used by language models, the notebook and other software."""
