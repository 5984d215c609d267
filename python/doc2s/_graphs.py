# SPDX-License-Identifier: Apache-2.0
"""Graphs of any kind → the keys of [network]."""
from __future__ import annotations

import contextlib
from typing import Any, Mapping

import numpy as np

from . import _core
from ._options import Setting

_KINDS = "give a name, a networkx graph, a list of edges, or a symmetric matrix of weights"


class Graph:
    """What `graph=` and `graph_options=` say. `clients` is None where they leave it open."""

    def __init__(self, graph: Any, options: Mapping[str, Any] | None, clients: int | None = None) -> None:
        self.settings: list[Setting] = []
        self.clients = clients
        if graph is None:
            pass  # the engine's default
        elif isinstance(graph, str):
            self._add("graph", graph)
        elif hasattr(graph, "nodes") and hasattr(graph, "edges"):
            self._take_networkx(graph)
        elif hasattr(graph, "tocoo"):
            self._take_matrix(graph.tocoo())
        else:
            self._take_array(graph)
        for name, value in (options or {}).items():
            self.settings.append((f"network.{name}", value, f"graph_options: {name}"))

    def _add(self, key: str, value: Any) -> None:
        self.settings.append((f"network.{key}", value, "graph"))

    def _take_networkx(self, graph: Any) -> None:
        if graph.is_directed():
            raise _core.Error("the graph is directed, and clients talk both ways; take graph.to_undirected()")
        names = list(graph.nodes)
        with contextlib.suppress(TypeError):  # names that have no order stay as they came
            names.sort()
        number = {name: k for k, name in enumerate(names)}
        self._take_edges([(number[a], number[b]) for a, b in graph.edges() if a != b], len(names))

    def _take_array(self, graph: Any) -> None:
        try:
            array = np.asarray(graph)
        except ValueError:
            array = np.empty(0, dtype=object)
        whole = array.dtype.kind in "iub"
        if array.size == 0 and isinstance(graph, (list, tuple)):
            self._take_edges([], self.clients or 1)
        elif whole and array.ndim == 2 and array.shape[1] == 2:
            self._take_edges(array.tolist(), self.clients or int(array.max()) + 1)
        elif array.ndim == 2 and array.shape[0] == array.shape[1] and array.dtype.kind in "fiub":
            self._take_adjacency(array) if whole else self._take_rows(array)
        else:
            kind = f"array of shape {array.shape}" if array.dtype.kind in "fiub" else type(graph).__name__
            raise TypeError(f"a graph cannot be made from this {kind}; {_KINDS}")

    def _take_adjacency(self, array: Any) -> None:
        if not np.array_equal(array, array.T) or not np.isin(array, (0, 1)).all():
            raise _core.Error("the matrix of whole numbers is no adjacency matrix, which is symmetric and has 0 and 1; "
                              "weights are floats")
        self._take_edges(np.argwhere(np.triu(array, 1)).tolist(), len(array))

    def _take_edges(self, edges: Any, clients: int) -> None:
        self._settle(clients)
        self._add("graph", "file")
        self._add("edges", "".join(f"{a} {b}\n" for a, b in edges) or "# no edges\n")

    def _take_rows(self, array: Any) -> None:
        rows = (" ".join(f"{j}:{float(row[j])!r}" for j in np.flatnonzero(row)) for row in array)
        self._take_weights(list(rows))

    def _take_matrix(self, matrix: Any) -> None:
        if matrix.shape[0] != matrix.shape[1]:
            raise _core.Error(f"the matrix has the shape {matrix.shape}, and must be square")
        rows: list[dict[int, float]] = [{} for _ in range(matrix.shape[0])]
        for i, j, weight in zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist()):
            rows[i][j] = rows[i].get(j, 0.0) + float(weight)
        self._take_weights([" ".join(f"{j}:{weight!r}" for j, weight in sorted(row.items())) for row in rows])

    def _take_weights(self, rows: list[str]) -> None:
        self._settle(len(rows))
        for client, row in enumerate(rows):
            if not row:
                rows[client] = f"{client}:0.0"
        self._add("weights", "file")
        self._add("matrix", "\n".join(rows) + "\n")

    def _settle(self, clients: int) -> None:
        if self.clients is not None and self.clients != clients:
            raise _core.Error(f"the graph has {clients} clients, and the problem {self.clients}")
        self.clients = clients
