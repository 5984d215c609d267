// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "doc2s/base/types.hpp"
#include "kernels.hpp"

namespace doc2s {

template <class Set, class Real>
struct NormalKernels {
  // Random::normals() of this key and place: the normals number first, first + 1, …
  static void fill(std::array<std::uint32_t, 2> key, std::array<std::uint32_t, 3> place, Index first,
                   std::span<Real> out);
};

}  // namespace doc2s
