// SPDX-License-Identifier: Apache-2.0
#include "tour.hpp"

#include <bit>

namespace doc2s {

namespace {

struct Place {
  int row, column;
};

int modulo(int a, int m) { return (a % m + m) % m; }

// A lattice turned so that its rows suit the cycle: columns stand for rows where `turned`.
struct Lattice {
  int rows, columns;
  bool turned;

  Place place(int client) const {
    const int width = turned ? rows : columns;
    return turned ? Place{client % width, client / width} : Place{client / width, client % width};
  }
  int client(Place at) const { return turned ? at.column * rows + at.row : at.row * columns + at.column; }
};

Lattice lattice_of(const Shape& shape, bool turned) {
  return turned ? Lattice{shape.columns(), shape.rows, true} : Lattice{shape.rows, shape.columns(), false};
}

bool odd(int number) { return number % 2 == 1; }

// Row by row, each but for its last edge, then down. The first `right` rows are walked to the right, so that
// each begins a column further left than the one above; the others to the left, beginning a column further
// right. After all rows the walk is at column rows − 2·right modulo columns: at the first, with right =
// rows/2, or, for odd numbers of both with columns ≤ rows, with right = (rows + columns)/2.
int next_on_torus(const Shape& shape, int client) {
  const bool both_odd = odd(shape.rows) && odd(shape.columns());
  const Lattice lattice = lattice_of(shape, both_odd ? shape.columns() > shape.rows : odd(shape.rows));
  const auto [row, column] = lattice.place(client);
  const int right = both_odd ? (lattice.rows + lattice.columns) / 2 : lattice.rows / 2;
  const int step = row < right ? 1 : -1;
  const int first = row < right ? -row : row - 2 * right;
  if (modulo(first - step, lattice.columns) == column)
    return lattice.client({(row + 1) % lattice.rows, column});
  return lattice.client({row, modulo(column + step, lattice.columns)});
}

// To and fro through columns 1, 2, …, an even number of rows down, and up in column 0.
int next_on_grid(const Shape& shape, int client) {
  const Lattice lattice = lattice_of(shape, odd(shape.rows));
  const auto [row, column] = lattice.place(client);
  if (column == 0) return lattice.client(row == 0 ? Place{0, 1} : Place{row - 1, 0});
  if (!odd(row))
    return lattice.client(column + 1 < lattice.columns ? Place{row, column + 1} : Place{row + 1, column});
  const bool down = column == 1 && row + 1 < lattice.rows;
  return lattice.client(down ? Place{row + 1, column} : Place{row, column - 1});
}

// The next number in Gray's code.
int next_on_hypercube(int clients, int client) {
  auto place = static_cast<unsigned>(client);
  for (unsigned shift = 1; shift < 32; shift *= 2) place ^= place >> shift;
  place = (place + 1) % static_cast<unsigned>(clients);
  return static_cast<int>(place ^ (place >> 1));
}

// Clients in the order of the breadth-first search from client 0, and their parents.
struct Search {
  std::vector<int> order, parent;
};

Search searched(const Graph& graph) {
  Search found{{0}, std::vector<int>(graph.clients(), -1)};
  found.parent[0] = 0;
  for (std::size_t at = 0; at < found.order.size(); ++at)
    for (const int other : graph.neighbours(found.order[at]))
      if (found.parent[other] < 0) {
        found.parent[other] = found.order[at];
        found.order.push_back(other);
      }
  return found;
}

// In preorder a client comes as much after its parent as its elder siblings have descendants.
std::vector<int> preorder(const Graph& graph) {
  const auto [order, parent] = searched(graph);
  std::vector<int> size(graph.clients(), 1), place(graph.clients(), 0), taken(graph.clients(), 1);
  for (std::size_t k = order.size() - 1; k > 0; --k) size[parent[order[k]]] += size[order[k]];
  for (std::size_t k = 1; k < order.size(); ++k) {
    const int client = order[k], above = parent[client];
    place[client] = place[above] + taken[above];
    taken[above] += size[client];
  }
  std::vector<int> clients(graph.clients());
  for (int i = 0; i < graph.clients(); ++i) clients[place[i]] = i;
  return clients;
}

std::vector<int> successors(const std::vector<int>& order) {
  std::vector<int> next(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) next[order[k]] = order[(k + 1) % order.size()];
  return next;
}

bool walks_in_preorder(const Shape& shape) {
  return shape.kind == Shape::Kind::none ||
         (shape.kind == Shape::Kind::grid && odd(shape.rows) && odd(shape.columns()));
}

}  // namespace

Tour::Tour(const Graph& graph) : graph_(graph) {
  if (walks_in_preorder(graph.shape())) next_ = successors(preorder(graph));
}

int Tour::next(int client) const {
  if (!next_.empty()) return next_[client];
  const Shape& shape = graph_.shape();
  switch (shape.kind) {
    case Shape::Kind::grid:
      return next_on_grid(shape, client);
    case Shape::Kind::torus:
      return next_on_torus(shape, client);
    case Shape::Kind::hypercube:
      return next_on_hypercube(shape.clients, client);
    default:
      return client + 1 < shape.clients ? client + 1 : 0;
  }
}

int Tour::hops(int client) const { return graph_.hops(client, next(client)); }

bool Tour::is_cycle() const {
  const Shape::Kind kind = graph_.shape().kind;
  return next_.empty() && kind != Shape::Kind::star && kind != Shape::Kind::path;
}

BreadthFirstTree::BreadthFirstTree(const Graph& graph)
    : depth(graph.depth()), edges(Index{graph.clients()} - 1) {}

std::vector<int> BreadthFirstTree::parents(const Graph& graph) { return searched(graph).parent; }

}  // namespace doc2s
