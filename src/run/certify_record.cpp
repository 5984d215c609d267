// SPDX-License-Identifier: Apache-2.0
#include "certify_record.hpp"

#include <limits>
#include <type_traits>

#include "doc2s/base/error.hpp"
#include "gradient_needs.hpp"
#include "problems/gradient_check.hpp"

namespace doc2s {

template <class Real>
CertifyRecord<Real>::CertifyRecord(Experiment<Real>& experiment) : experiment_(experiment) {
  const Settings& run = experiment.config.run;
  if (!run.has("certify_every")) return;
  if (!experiment.problem().has_gradient()) refuse_without_gradient("a certificate in records");
  every_ = run.integer("certify_every");
  search_.seed = experiment.config.seed();
  search_.delta = run.real("certify_delta");
  search_.budget = run.integer("certify_budget");
  if constexpr (std::is_same_v<Real, double>) {
    if (experiment.made.is_users && experiment.problem().has_gradient())
      check_gradient_of(experiment.made, experiment.config, experiment.transport->clients());
    full_gradient_ = experiment.processes.count() == 1
                         ? full_gradient(experiment.problem(), experiment.threads)
                         : full_gradient(experiment.problem(), *experiment.transport, experiment.processes);
  } else {
    if (experiment.made.is_users)
      throw Error("a bound is computed in float64, and the problem in float32", run.where("certify_every"),
                  "write it as a Problem<double>, or leave certify_every out");
    in_float64_ = std::make_unique<CertifiedProblem>(experiment.config, experiment.processes);
    full_gradient_ = in_float64_->gradient();
  }
}

template <class Real>
void CertifyRecord<Real>::add_to(Record& record) {
  if (every_ > 0 && records_++ % every_ == 0) record["goldstein"] = bound();
}

template <class Real>
std::vector<std::string> CertifyRecord<Real>::notes() const {
  const auto note = every_ > 0 ? memory_note(search_, experiment_.world.d()) : std::nullopt;
  return note ? std::vector{*note} : std::vector<std::string>();
}

template <class Real>
double CertifyRecord<Real>::bound() const {
  std::vector<Real> mean(static_cast<std::size_t>(experiment_.world.d()));
  experiment_.algorithm->mean_point(mean);
  const std::vector<double> centre(mean.begin(), mean.end());
  try {
    return find_certificate(full_gradient_, centre, search_).certificate.bound;
  } catch (const Diverged&) {
    return std::numeric_limits<double>::infinity();
  }
}

template class CertifyRecord<float>;
template class CertifyRecord<double>;

}  // namespace doc2s
