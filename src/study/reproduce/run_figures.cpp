#include "run_figures.hpp"

#include <limits>

#include "report/recorded_run.hpp"

namespace doc2s {

namespace {

constexpr double last_part = 0.1;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

const std::vector<double>& values_of(const RecordedRun& run, const std::string& quantity) {
  return run.values[position_of(quantity)];
}

RecordedRun records_of(const SweepCase& one) { return read_runs({one.directory}).front(); }

}  // namespace

double figure_of(const SweepCase& one, const View& view, double count) {
  if (status_of(one) != Status::finished) return nothing;
  const RecordedRun run = records_of(one);
  const auto& counts = values_of(run, view.axis);
  const auto& measures = values_of(run, view.measure);
  double sum = 0;
  int taken = 0;
  for (std::size_t k = counts.size(); k-- > 0;) {
    if (counts[k] > count) continue;
    if (taken > 0 && counts[k] <= (1 - last_part) * count) break;
    sum += measures[k], ++taken;
  }
  return taken > 0 ? sum / taken : nothing;
}

double last_count(const SweepCase& one, const std::string& axis) {
  if (status_of(one) != Status::finished) return 0;
  return values_of(records_of(one), axis).back();
}

}  // namespace doc2s
