// SPDX-License-Identifier: Apache-2.0
#include "doc2s/problems/black_box.hpp"

#include "doc2s/base/error.hpp"
#include "gradient_check.hpp"

namespace doc2s {

BlackBox::BlackBox(int clients, Index dimension, Function f)
    : clients_(clients), dimension_(dimension), f_(std::move(f)) {
  if (clients < 1) throw Error("there must be at least one client", "black_box");
  if (dimension < 1) throw Error("the dimension must be at least 1", "black_box");
  if (!f_) throw Error("the function is empty", "black_box");
}

double BlackBox::value(int client, std::span<const Index>, std::span<const double> x,
                       std::span<double> gradient) const {
  if (!gradient.empty()) refuse_without_gradient("black_box");
  return f_(client, x);
}

}  // namespace doc2s
