#pragma once
#include "data/samples.hpp"
#include "data/synthetic.hpp"
#include "kinds.hpp"

namespace doc2s {

// What an SVM is made of in one process.
struct SvmData {
  Samples train;  // with the features of the samples that this process holds
  Shares shares;  // rows of `train`; none for a client elsewhere
  Shares rows;    // the same in the data file's numbering
  Samples test;   // in the first process, where there are some
  Index samples;  // training samples of all clients
  Split split;    // of all clients
  std::string source;
  std::vector<std::string> notices;
};

SyntheticShape synthetic_shape(const Settings& problem);  // of data = "synthetic"
SvmData svm_data(const ProblemRequest& request);

}  // namespace doc2s
