#pragma once
#include <cstdint>
#include <vector>

#include "data/images.hpp"
#include "doc2s/base/rows.hpp"
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

// The training images of one process.
struct HeldImages {
  Images images;
  Shares shares;           // rows of `images` per client; empty for a client in another process
  Shares rows;             // the same as row numbers of the data file
  PixelMoments moments{};  // over all clients' images, if needed
};

// Keeps the images of the local clients and frees the others.
HeldImages hold(Images all, Shares shares, ClientRange here, bool with_moments);

}  // namespace doc2s
