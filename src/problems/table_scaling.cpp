// SPDX-License-Identifier: Apache-2.0
#include "table_scaling.hpp"

#include <cmath>
#include <limits>

namespace doc2s {

namespace {

constexpr double varies = std::numeric_limits<double>::quiet_NaN();

struct FeatureMoments {
  double mean = 0, squares = 0;  // squares: Σ(v − mean)²
  double only = varies;          // the value of all rows where they have one: the mean is rounded
};

FeatureMoments feature_moments(const Table& table, std::span<const Index> rows, Index feature) {
  const auto value = [&](Index row) { return table.values[row * table.features() + feature]; };
  FeatureMoments moments{0, 0, value(rows[0])};
  for (const Index row : rows) moments.mean += value(row);
  moments.mean /= static_cast<double>(rows.size());
  for (const Index row : rows) {
    const double difference = value(row) - moments.mean;
    moments.squares += difference * difference;
    if (value(row) != moments.only) moments.only = varies;
  }
  return moments;
}

// Of both samples together (Chan, Golub, LeVeque 1979).
void combine(FeatureMoments& all, double count, const FeatureMoments& more, double more_count) {
  if (count == 0) {
    all = more;
    return;
  }
  const double difference = more.mean - all.mean, sum = count + more_count;
  all.mean += difference * (more_count / sum);
  all.squares += more.squares + difference * difference * (count * more_count / sum);
  if (all.only != more.only) all.only = varies;
}

}  // namespace

FeatureScaling feature_scaling(Processes& processes, const Table& held, const Shares& shares,
                               Index least_rows) {
  std::vector<double> counts;
  std::vector<FeatureMoments> mine;  // client by client
  for (const auto& rows : shares) {
    if (rows.empty() || std::ssize(rows) < least_rows) continue;
    counts.push_back(static_cast<double>(rows.size()));
    for (Index j = 0; j < held.features(); ++j) mine.push_back(feature_moments(held, rows, j));
  }
  counts = gathered(processes, counts);
  mine = gathered(processes, mine);
  const auto features = static_cast<std::size_t>(held.features());
  std::vector<FeatureMoments> all(features);
  double count = 0;
  for (std::size_t client = 0; client < counts.size(); count += counts[client++])
    for (std::size_t j = 0; j < features; ++j)
      combine(all[j], count, mine[client * features + j], counts[client]);
  FeatureScaling scaling;
  for (const auto& [mean, squares, only] : all) {
    const bool constant = !std::isnan(only);
    scaling.mean.push_back(constant ? only : mean);
    scaling.deviation.push_back(constant || squares == 0 ? 1 : std::sqrt(squares / count));
  }
  return scaling;
}

}  // namespace doc2s
