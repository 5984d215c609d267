// SPDX-License-Identifier: Apache-2.0
#include "data/npy.hpp"

#include <cstdlib>

#include "target.hpp"

DOC2S_FUZZ_TARGET(bytes) {
  const doc2s::NpyArray array = doc2s::parse_npy(std::string(bytes), "input.npy");
  if (array.values.size() != static_cast<std::size_t>(array.rows * array.columns)) std::abort();
  if (array.rows > 0) array.row(array.rows - 1);
}
