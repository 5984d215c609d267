// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "certify.hpp"
#include "doc2s/run/record.hpp"
#include "experiment.hpp"

namespace doc2s {

// The bound of ‖∇f(x̄)‖_delta that some records hold, x̄ the mean of the clients' iterates.
template <class Real>
class CertifyRecord {
 public:
  explicit CertifyRecord(Experiment<Real>& experiment);

  // Called once a record; each run.certify_every-th, from the first on, gets "goldstein" (infinity
  // where f is not finite).
  void add_to(Record& record);
  Index& records() { return records_; }    // so far
  std::vector<std::string> notes() const;  // what memory limits

 private:
  double bound() const;

  Experiment<Real>& experiment_;
  Index every_ = 0;  // 0: never
  Index records_ = 0;
  CertificateSearch search_{};
  std::unique_ptr<CertifiedProblem> in_float64_;  // where the run itself is in float32
  // full_gradient(x, out), in float64. The search asks for the same points in every process; where the
  // clients lie in several, each of them must call this function, which folds the clients' gradients in the
  // order of the clients.
  GradientFunction full_gradient_;
};

}  // namespace doc2s
