// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "held_inputs.hpp"

namespace doc2s {

// How samples of a file become what a model sees, and how its outputs are called: preprocessing.json.
struct Preprocessing {
  std::string problem{};               // problem.name; "": a model that cannot be applied to new data
  std::string data{};                  // "table", "libsvm" or "images"
  std::string target = "class";        // or "number"
  std::vector<std::string> classes{};  // by output; of an SVM those of −1 and +1; none if targets are numbers
  std::vector<Index> shape{};          // of a sample: {features} or {channels, height, width}
  std::vector<std::string> columns{};  // this and the next lines only of a table
  std::string label{}, header{};
  std::vector<std::string> ignore{};        // problem.ignore
  std::string missing{};                    // "drop" or "mean"; "": a missing value is refused
  std::vector<double> fill{};               // what stands for a missing value, by feature; empty: nothing
  std::vector<double> mean{}, deviation{};  // feature = (value − mean) / deviation; empty: not scaled
  PixelMoments pixels{};                    // of images, where the scaling needs them
  std::string model_sum{};                  // SHA-256 of a TorchScript file
};

std::string preprocessing_text(const Preprocessing& preprocessing);

// Throws Error if the text is not of that form.
Preprocessing parse_preprocessing(const std::string& text, const std::string& path);

}  // namespace doc2s
