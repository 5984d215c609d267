#pragma once
#include <memory>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s::bench {

// The matrix products of one gradient of a network in → hidden → out on a batch, and nothing else: two
// forward, two for the weights' gradient, one back.
class Gemms {
 public:
  Gemms(Index batch, Index in, Index hidden, Index out);
  ~Gemms();
  void run();
  void run_forward();    // the two that a value needs
  double error() const;  // of the products against plain loops, the largest

 private:
  struct Matrices;
  std::unique_ptr<Matrices> at_;
};

}  // namespace doc2s::bench
