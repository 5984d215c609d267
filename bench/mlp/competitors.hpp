// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "doc2s/base/types.hpp"

namespace doc2s::bench {

// Only the matrix products of one batch gradient of a network in → hidden → out: two forward, two for the
// weight gradients, one backward.
class Gemms {
 public:
  Gemms(Index batch, Index in, Index hidden, Index out);
  ~Gemms();
  void run();
  void run_forward();    // the two products that a value needs
  double error() const;  // largest error of the products against plain loops

 private:
  struct Matrices;
  std::unique_ptr<Matrices> at_;
};

}  // namespace doc2s::bench
