// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "data/samples.hpp"
#include "data/synthetic.hpp"
#include "kinds.hpp"

namespace doc2s {

// The data of an SVM in one process.
struct SvmData {
  Samples train;                    // features only of the samples that this process holds
  Shares shares;                    // rows of `train`; empty for a client in another process
  Shares rows;                      // the same as row numbers of the data file
  Samples test;                     // in the first process, if any
  std::vector<Samples> validation;  // of each client here, or a file's in the first process
  Index samples;                    // training samples of all clients
  Split split;                      // of all clients
  Preprocessing preprocessing;
  std::string source;
  std::vector<std::string> notices, local_notices;
};

// Of LIBSVM text or synthetic data.
Preprocessing svm_preprocessing(LabelPair pair, Index dimension);

SyntheticShape synthetic_shape(const Settings& problem);  // of data = "synthetic"
SvmData svm_data(const ProblemRequest& request);
SvmData svm_table_data(const ProblemRequest& request);  // of a table with two classes

// Synthetic data that is too large to keep, whose rows are made when they are asked for.
struct MadeSvmData {
  std::shared_ptr<const SyntheticRows> rows;
  Parts parts;  // empty for a client in another process
  std::vector<std::string> notices;
};

bool is_made_when_asked(const ProblemRequest& request);
MadeSvmData made_svm_data(const ProblemRequest& request);

}  // namespace doc2s
