# SPDX-License-Identifier: Apache-2.0
"""The studies of docs/results: designs as data, runs of the program, what is kept of them."""
