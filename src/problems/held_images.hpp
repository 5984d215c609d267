#pragma once
#include <cstdint>
#include <vector>

#include "data/images.hpp"
#include "doc2s/base/rows.hpp"
#include "partition/partition.hpp"

namespace doc2s {

// The exact sums of each pixel and of its square over the training images of all clients.
struct PixelMoments {
  std::uint64_t count = 0;
  std::vector<std::uint64_t> sum, squares;
};
PixelMoments moments_of(const Images& images);

// √(Σp²/m − (Σp/m)²) of m pixels; 1 where all are the same
double pixel_deviation(std::uint64_t count, std::uint64_t sum, std::uint64_t squares);

// The training images that one process holds.
struct HeldImages {
  Images images;
  Shares shares;           // for each client its rows of `images`; none for a client elsewhere
  Shares rows;             // the same in the data file's numbering
  PixelMoments moments{};  // of all clients' images, where they are needed
};

// Of all images those of the clients that are here; the others are let go.
HeldImages hold(Images all, Shares shares, ClientRange here, bool with_moments);

}  // namespace doc2s
