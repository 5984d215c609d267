// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "data/samples.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s::bench {

// One first-order run of a method on the capped-ℓ1 SVM with batch size 1: its parameters, its random draws
// and its last iterate.
struct Job {
  std::string method;  // "doc2s" or "me-dol"
  Samples samples;     // labels ±1
  int n = 0;
  Index d = 0, iterations = 0, T = 0;
  int R = 0;
  std::vector<double> P;  // n × n
  double phi = 0, eta = 0, D = 0, mu = 0, lambda = 0, alpha = 0;

  int computing = 0;          // clients that compute per iteration: 1 or n
  std::vector<Index> client;  // i^t of each iteration; used when one client computes
  std::vector<Index> row;     // iterations × computing: index of the sample
  std::vector<double> z;      // iterations × computing × d
  std::vector<double> s;      // iterations × n
  std::vector<double> y;      // n × d: our last iterate
};

}  // namespace doc2s::bench
