"""Files that people bring: kept as rows, said yes to, taken in by the worker, and dropped again."""
