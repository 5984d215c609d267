// SPDX-License-Identifier: Apache-2.0
#include "table_scaling.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

namespace {

constexpr double varies = std::numeric_limits<double>::quiet_NaN();

struct FeatureMoments {
  double count = 0;              // of rows that have a value
  double mean = 0, squares = 0;  // squares: Σ(v − mean)²
  double only = varies;          // the value of all rows where they have one: the mean is rounded
};

FeatureMoments feature_moments(const Table& table, std::span<const Index> rows, Index feature,
                               Index least_rows) {
  std::vector<double> values;
  for (const Index row : rows)
    if (const double value = table.values[row * table.features() + feature]; !std::isnan(value))
      values.push_back(value);
  if (values.empty() || std::ssize(values) < least_rows) return {};
  FeatureMoments moments{static_cast<double>(values.size()), 0, 0, values[0]};
  for (const double value : values) moments.mean += value;
  moments.mean /= moments.count;
  for (const double value : values) {
    const double difference = value - moments.mean;
    moments.squares += difference * difference;
    if (value != moments.only) moments.only = varies;
  }
  return moments;
}

// Of both samples together (Chan, Golub, LeVeque 1979).
void combine(FeatureMoments& all, const FeatureMoments& more) {
  if (more.count == 0) return;
  if (all.count == 0) {
    all = more;
    return;
  }
  const double difference = more.mean - all.mean, sum = all.count + more.count;
  all.mean += difference * (more.count / sum);
  all.squares += more.squares + difference * difference * (all.count * more.count / sum);
  if (all.only != more.only) all.only = varies;
  all.count = sum;
}

void require_values(const FeatureMoments& all, const std::string& column, Index least_rows) {
  if (all.count > 0) return;
  const std::string name = printable(column);
  throw Error(least_rows == 1 ? fmt::format("the column {} has no value in any row", name)
                              : fmt::format("no client has {} values in the column {}, so it has no mean",
                                            least_rows, name),
              "problem.missing", fmt::format("problem.ignore = {} leaves it out", to_toml(Texts{column})));
}

}  // namespace

FeatureScaling feature_scaling(Processes& processes, const Table& held, const Shares& shares,
                               Index least_rows) {
  std::vector<FeatureMoments> mine;  // client by client
  for (const auto& rows : shares) {
    if (rows.empty() || std::ssize(rows) < least_rows) continue;
    for (Index j = 0; j < held.features(); ++j) mine.push_back(feature_moments(held, rows, j, least_rows));
  }
  mine = gathered(processes, mine);
  std::vector<FeatureMoments> all(static_cast<std::size_t>(held.features()));
  for (std::size_t k = 0; k < mine.size(); ++k) combine(all[k % all.size()], mine[k]);
  FeatureScaling scaling;
  for (std::size_t j = 0; j < all.size(); ++j) {
    const auto& [count, mean, squares, only] = all[j];
    require_values(all[j], held.columns[j], least_rows);
    const bool constant = !std::isnan(only);
    scaling.mean.push_back(constant ? only : mean);
    scaling.deviation.push_back(constant || squares == 0 ? 1 : std::sqrt(squares / count));
  }
  return scaling;
}

}  // namespace doc2s
