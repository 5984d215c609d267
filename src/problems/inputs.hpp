// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include "data/images.hpp"

namespace doc2s {

// What a network is trained or tried on: images, or the rows of a table, whose features are numbers that are
// scaled already.
struct Inputs : Images {
  Inputs() = default;
  Inputs(Images images) : Images(std::move(images)) {}

  bool is_table = false;        // 1×1×features, with `values` in place of pixels
  bool is_numeric = false;      // targets are numbers; then classes = 1 and every label is 0
  std::vector<double> values;   // count() × features()
  std::vector<double> targets;  // count(), if numeric

  // Of one input: {features} of a table, {channels, height, width} of images.
  std::vector<Index> shape() const {
    if (is_table) return {features()};
    return {channels, height, width};
  }
};

}  // namespace doc2s
