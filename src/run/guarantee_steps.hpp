// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <string>

#include "certified.hpp"
#include "doc2s/run/run.hpp"
#include "planning.hpp"

// What `doc2s guarantee` does, in its three steps: plan, run, certify. The commands and Python tell what
// comes of each.
namespace doc2s {

struct GuaranteeQuestion {
  std::string text, name, folder;  // a config, what messages call it, where its paths start
  Changes changes;  // the goal among them: method.delta and method.epsilon or run.budget.samples
};
GuaranteeQuestion question_of_file(const std::string& path, Changes changes);

// The tight plan of the config's problem, and the config that runs it whole.
Config config_to_guarantee(const GuaranteeQuestion& asked);
PlannedConfig guarantee_plan(const GuaranteeQuestion& asked, const Config& config);

// The certificates of the outputs of that run, row by row, for the plan's delta and epsilon; in a file too
// where `path` is not empty and the problem can be made from its config. `own` is the problem, where not the
// config's.
CertifyAnswer certified_outputs(const PlannedConfig& planned, std::span<const double> outputs,
                                const std::string& path, const News& news,
                                std::shared_ptr<const Problem<double>> own = nullptr);

struct Verdict {
  bool certified;    // every client's output has a proved bound of at most epsilon
  std::string text;  // two sentences
};
// `answer` is null where the run did not finish.
Verdict verdict_on(const PlannedConfig& planned, Status status, const CertifyAnswer* answer);

}  // namespace doc2s
