// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "doc2s/base/random.hpp"
#include "problems/held_inputs.hpp"

namespace doc2s {

// Converts bytes to network inputs: (p − mean)/deviation of the channel over the training images.
struct ChannelScaling {  // empty for a table
  std::vector<double> mean, deviation;
};
ChannelScaling channel_scaling(const Inputs& images, const PixelMoments& moments);

// The random numbers of a batch: a pure function of the client and its samples, so that both values of a
// zeroth-order pair, and a repeated estimate at another point, see the same.
Random chance_of(std::uint64_t seed, int client, std::span<const Index> batch);

// The inputs of these rows, count × shape. With `chance`, each image is shifted by up to 4 pixels in each
// direction, padded with 0, and mirrored with probability ½.
template <class Real>
void load_inputs(const Inputs& inputs, std::span<const Index> rows, const ChannelScaling& scaling,
                 Random* chance, std::vector<Real>& numbers);

}  // namespace doc2s
