// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "doc2s/problems/problem.hpp"

namespace doc2s {

// f_i(x) = f(i, x), of which only values are known: one sample a client, no gradient. Threads call f for
// several clients at once.
class BlackBox : public Problem<double> {
 public:
  using Function = std::function<double(int client, std::span<const double> x)>;

  BlackBox(int clients, Index dimension, Function f);  // throws Error

  int clients() const override { return clients_; }
  Index dimension() const override { return dimension_; }
  Index samples(int) const override { return 1; }
  bool has_gradient() const override { return false; }
  double value(int client, std::span<const Index> batch, std::span<const double> x,
               std::span<double> gradient) const override;

 private:
  int clients_;
  Index dimension_;
  Function f_;
};

// The problem whose client i has the function f(i, x), of which only values are known.
inline BlackBox black_box(int clients, Index dimension, BlackBox::Function f) {
  return {clients, dimension, std::move(f)};
}

}  // namespace doc2s
