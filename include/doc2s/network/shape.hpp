// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/base/types.hpp"

namespace doc2s {

// What the maker of a graph knows of it, so that distances need no search. `none`: nothing is known.
struct Shape {
  enum class Kind { none, ring, complete, star, path, grid, torus, hypercube, exponential };

  Kind kind = Kind::none;
  int clients = 0;
  int rows = 0;  // of a grid or torus; client = row · columns + column
  int half = 0;  // of a ring: neighbours on either side

  int columns() const { return clients / rows; }
  bool closed_form() const { return kind != Kind::none && kind != Kind::exponential; }

  // These need a shape of closed form.
  int hops(int a, int b) const;
  int depth() const;                   // the most hops from client 0
  int diameter() const;                // the most hops between any two
  Index pairs_within(int hops) const;  // ordered pairs at most that far apart, a client with itself included
};

}  // namespace doc2s
