// SPDX-License-Identifier: Apache-2.0
#include "run_figures.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "report/recorded_run.hpp"
#include "study/run_scores.hpp"

namespace doc2s {

namespace {

RecordedRun records_of(const SweepCase& one) { return read_runs({one.directory}).front(); }

}  // namespace

double figure_of(const SweepCase& one, const std::string& axis, const std::string& measure, double count) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  if (status_of(one) != Status::finished) return nothing;
  return last_tenth(one.directory, axis, measure, count);
}

RunEnd end_of(const SweepCase& one) {
  RunEnd end;
  const auto summary = nlohmann::json::parse(records_of(one).summary);
  for (const char* count : {"samples", "computation_rounds", "communication_rounds", "bytes"})
    end.counts[count] = summary.at(count).get<double>();
  end.trajectory = summary.at("trajectory").get<std::string>();
  return end;
}

}  // namespace doc2s
