"""Project configuration: settings, URLs, API routes, and the processes of an instance."""

import os

# Set before numpy is imported: its matrices are too small to gain from threads, which take
# processors from other requests, and which a process forked meanwhile would wait for.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
