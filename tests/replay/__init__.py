# SPDX-License-Identifier: Apache-2.0
"""Replays of traces in NumPy: one file a method. `__main__.py` says what is compared, and how close it must be."""
