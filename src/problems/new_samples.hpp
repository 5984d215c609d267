// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "data/samples.hpp"
#include "held_inputs.hpp"
#include "preprocessing.hpp"

namespace doc2s {

// Samples that a trained model is applied to, scaled as its training data was.
struct NewSamples {
  Inputs inputs{};              // for a network
  Samples samples{};            // for an SVM
  std::vector<double> truth{};  // by sample: a class's place or a number; empty where the file has none
  std::vector<Index> places{};  // of the samples in the file, where some were left out; else empty
  std::vector<std::string> notices{};

  Index count() const { return inputs.count() + samples.count(); }
};

// Reads a file, or a data set by its name: its test samples where it has some. Throws Error if it does not
// fit.
NewSamples read_new_samples(const std::string& data, const Preprocessing& preprocessing);

// Without samples, of the shape and with the scaling that a network was trained with.
HeldInputs inputs_alike(const Preprocessing& preprocessing);

}  // namespace doc2s
