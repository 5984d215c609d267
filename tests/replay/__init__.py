"""Replays of traces in NumPy: one file a method; `python3 tests/replay --help` says what is compared and how."""
