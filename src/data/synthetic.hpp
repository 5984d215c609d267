#pragma once
#include <cstdint>

#include "samples.hpp"

namespace doc2s {

struct SyntheticShape {
  Index size = 2000;      // samples
  Index dimension = 50;   // features
  double sparsity = 0.2;  // share of non-zero features per sample, in (0, 1]
  double noise = 0.05;    // share of flipped labels, in [0, ½]
};

// Labels ±1 from a random hyperplane, sparse rows of unit norm; a pure function of shape and seed.
Samples make_synthetic(const SyntheticShape& shape, std::uint64_t seed, const KeepRow& keep = {});

}  // namespace doc2s
