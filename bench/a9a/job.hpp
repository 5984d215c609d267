#pragma once
#include <string>
#include <vector>

#include "data/samples.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s::bench {

// One run of a method on the capped-ℓ1 SVM, batch 1, first order: all that decides it, what chance drew in
// it, and where it ended.
struct Job {
  std::string method;  // "doc2s" or "me-dol"
  Samples samples;     // labels ±1
  int n = 0;
  Index d = 0, iterations = 0, T = 0;
  int R = 0;
  std::vector<double> P;  // n × n
  double phi = 0, eta = 0, D = 0, mu = 0, lambda = 0, alpha = 0;

  int computing = 0;          // clients that compute in an iteration: 1 or n
  std::vector<Index> client;  // i^t of each iteration; of use where one computes
  std::vector<Index> row;     // iterations × computing: the sample drawn
  std::vector<double> z;      // iterations × computing × d
  std::vector<double> s;      // iterations × n
  std::vector<double> y;      // n × d: our iterate at the end
};

}  // namespace doc2s::bench
