// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "doc2s/base/error.hpp"
#include "doc2s/run/guarantee.hpp"
#include "problems/lent_problem.hpp"
#include "solving.hpp"

namespace doc2s {

namespace {

// One for each client, also where one certificate is for all.
std::vector<double> bounds_of(const CertifyAnswer& answer, int clients) {
  std::vector<double> bounds;
  for (const CertifyResult& one : answer.results) bounds.push_back(one.bound);
  if (!answer.results.front().client) bounds.resize(static_cast<std::size_t>(clients), bounds.front());
  return bounds;
}

void heed_stop(const Options& options) {
  if (options.stop && *options.stop)
    throw Interrupted("interrupted while looking for certificates; the run is whole");
}

}  // namespace

Guaranteed guarantee(const Problem<double>& problem, const Options& options) {
  const Solving solving{options};
  const LentProblem lent(problem);
  const GuaranteeQuestion asked = solving.question(problem.clients());
  const PlannedConfig plan = guarantee_plan(asked, config_to_guarantee(asked));
  Processes alone;
  Guaranteed found{plan.theory.request.delta,
                   plan.theory.request.epsilon,
                   {},
                   false,
                   "",
                   solving.solved(problem, plan.config, alone)};
  std::optional<CertifyAnswer> answer;
  if (found.run.status == Status::finished) {
    answer = certified_outputs(plan, found.run.outputs, "", [&](const std::string&) { heed_stop(options); });
    found.bounds = bounds_of(*answer, problem.clients());
    found.run.notes.insert(found.run.notes.end(), answer->notes.begin(), answer->notes.end());
  }
  Verdict verdict = verdict_on(plan, found.run.status, answer ? &*answer : nullptr);
  found.certified = verdict.certified;
  found.verdict = std::move(verdict.text);
  return found;
}

}  // namespace doc2s
