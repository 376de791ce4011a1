"""Assembling: settings, addresses, the API's route table, and the processes of a copy."""

import os

# Before anybody imports numpy: its products are too small to gain from threads of their own, which
# take the processors from other requests, and a copy of a process made meanwhile waits for them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
