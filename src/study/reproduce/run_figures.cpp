#include "run_figures.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "report/recorded_run.hpp"

namespace doc2s {

namespace {

constexpr double last_part = 0.1;

RecordedRun records_of(const SweepCase& one) { return read_runs({one.directory}).front(); }

}  // namespace

double figure_of(const SweepCase& one, const std::string& axis, const std::string& measure, double count) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  if (status_of(one) != Status::finished) return nothing;
  const RecordedRun run = records_of(one);
  const auto& counts = run.values[position_of(axis)];
  const auto& measures = run.values[position_of(measure)];
  double sum = 0;
  int taken = 0;
  for (std::size_t k = counts.size(); k-- > 0;) {
    if (counts[k] > count) continue;
    if (taken > 0 && counts[k] <= (1 - last_part) * count) break;
    sum += measures[k], ++taken;
  }
  return taken > 0 ? sum / taken : nothing;
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
