// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "doc2s/algorithms/algorithm.hpp"
#include "doc2s/algorithms/world.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

// A method that a user picks by name in method.name.
struct MethodKind : Kind {
  std::string title;      // as papers write it: "DOC²S"
  std::string guarantee;  // whose theorem holds for it, or "none"
  std::string spends;     // in an iteration
  std::function<std::unique_ptr<Algorithm<float>>(World<float>&, const Settings& method)> make_float;
  std::function<std::unique_ptr<Algorithm<double>>(World<double>&, const Settings& method)> make_double;
  bool holds_rows = true;  // blocks of n×d numbers; without them n may be large

  template <class Real>
  std::unique_ptr<Algorithm<Real>> make(World<Real>& world, const Settings& method) const {
    if constexpr (sizeof(Real) == 4)
      return make_float(world, method);
    else
      return make_double(world, method);
  }
};

const std::vector<MethodKind>& method_kinds();

}  // namespace doc2s
