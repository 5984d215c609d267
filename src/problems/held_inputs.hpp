// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "doc2s/base/rows.hpp"
#include "inputs.hpp"
#include "partition/partition.hpp"

namespace doc2s {

// Exact sums of each pixel and of its square over the training images of all clients.
struct PixelMoments {
  std::uint64_t count = 0;
  std::vector<std::uint64_t> sum, squares;
};
PixelMoments moments_of(const Images& images);

// √(Σp²/m − (Σp/m)²) of m pixels; 1 if all are equal.
double pixel_deviation(std::uint64_t count, std::uint64_t sum, std::uint64_t squares);

// The training inputs of one process.
struct HeldInputs {
  Inputs inputs;
  Shares shares;                     // rows of `inputs` per client; empty for a client in another process
  Shares rows;                       // the same as row numbers of the data file
  PixelMoments moments{};            // over all clients' images, if needed
  std::vector<Inputs> validation{};  // of each client here, or a file's in the first process
};

// Renumbers the rows of the local clients, and empties the other shares. Returns the rows to keep, ascending.
std::vector<Index> keep_local(Shares& shares, ClientRange here);

// Keeps the images of the local clients and frees the others.
HeldInputs hold(Images all, Shares shares, ClientRange here, bool with_moments);

}  // namespace doc2s
