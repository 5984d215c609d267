// SPDX-License-Identifier: Apache-2.0
#include "run_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/metrics_file.hpp"

namespace doc2s {

namespace {

constexpr double last_part = 0.1, no_score = std::numeric_limits<double>::quiet_NaN();

struct Measured {
  double count, value;
};

std::vector<Measured> measured_in(const std::string& directory, const std::string& axis,
                                  const std::string& measure) {
  const bool sparse = quantities()[position_of(measure)].sparse;
  std::vector<Measured> all;
  for_each_record(directory + "/metrics.jsonl", [&](Index, const Record& record) {
    if (!sparse || !std::isnan(record[measure])) all.push_back({record[axis], record[measure]});
  });
  return all;
}

}  // namespace

double last_tenth(const std::string& directory, const std::string& axis, const std::string& measure,
                  double count) {
  const std::vector<Measured> all = measured_in(directory, axis, measure);
  double sum = 0;
  int taken = 0;
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    if (one->count > count) continue;
    if (taken > 0 && one->count <= (1 - last_part) * count) break;
    sum += one->value, ++taken;
  }
  return taken > 0 ? sum / taken : no_score;
}

Spread spread_of(const std::vector<double>& figures) {
  const auto count = static_cast<double>(figures.size());
  Spread spread{0, no_score, no_score, no_score};
  for (const double figure : figures) {
    spread.mean += figure / count;
    spread.lowest = std::fmin(spread.lowest, figure);
    spread.highest = std::fmax(spread.highest, figure);
  }
  if (figures.empty() || std::isnan(spread.mean)) return {no_score, no_score, no_score, no_score};
  double squares = 0;
  for (const double figure : figures) squares += (figure - spread.mean) * (figure - spread.mean);
  if (figures.size() > 1) spread.sd = std::sqrt(squares / (count - 1));
  return spread;
}

Index record_spacing(const Config& config, Index iterations, Index records) {
  const Index every = std::max<Index>(1, iterations / records);
  const bool same_phase = config.method.has("T") && every % config.method.integer("T") == 0;
  return same_phase && every > 1 ? every - 1 : every;
}

}  // namespace doc2s
