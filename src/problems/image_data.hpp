// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "held_inputs.hpp"
#include "kinds.hpp"

namespace doc2s {

// The data of a network in one process.
struct InputShare {
  HeldInputs train;
  Inputs test;  // in the first process, if any
  Split split;  // of all clients
  Preprocessing preprocessing;
  std::string source;
  std::vector<std::string> notices, local_notices{};
};

// Reads problem.data and problem.test, images or tables; `synthetic` makes the images of data = "synthetic".
using MakeImages = void (*)(const Settings& problem, std::uint64_t seed, Images& train, Images& test);
InputShare input_share(const ProblemRequest& request, bool with_moments, MakeImages synthetic);
InputShare image_share(const ProblemRequest& request, bool with_moments, MakeImages synthetic);

void add_options(std::vector<Option>& options, std::vector<Option> more);

// Options that say where the images come from.
std::vector<Option> image_source_options();
Option test_images_option(std::optional<Value> of_images);  // none: all, as of a table
// Options of data = "synthetic".
std::vector<Option> synthetic_image_options();
void refuse_many_pixels(const Settings& problem, Index size, Index dimension);

}  // namespace doc2s
