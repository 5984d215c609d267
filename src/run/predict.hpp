// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// A run's model applied to new data.
struct PredictRequest {
  std::string run;              // its directory
  std::string data;             // a file, or a data set's name
  std::string client = "last";  // "last": last.npy; a number: that client's row of output.npy
};

struct Predictions {
  std::vector<std::string> classes;  // none: predictions are numbers
  std::vector<double> predicted;     // by sample: a class's place in `classes`, or a number
  std::vector<double> scores;  // of the predicted class: its probability, an SVM's |aᵀx|, or its output
  std::vector<double> truth;   // as `predicted`; empty where the data has none
  std::vector<Index> places;   // from 0, in the file, where samples were left out; else empty
  std::vector<std::string> notices;

  std::string name(double predicted_or_truth) const;
  double accuracy() const;  // these need the truth
  double rmse() const;
  double mae() const;
};

// Throws Error if the run has no model, or the data does not fit it.
Predictions predict(const PredictRequest& request);

}  // namespace doc2s
