// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "data/table.hpp"
#include "doc2s/base/processes.hpp"
#include "partition/partition.hpp"

namespace doc2s {

// Mean and deviation of each feature over the samples of all clients that have at least `least_rows`; of a
// constant feature its value and 1. Such a client contributes of each feature with at least `least_rows`
// values their number, mean, sum of squared differences and, where all are equal, that value; these are
// combined in the order of the clients, so the bits do not depend on the processes. NaN is no value.
struct FeatureScaling {
  std::vector<double> mean, deviation;
};
FeatureScaling feature_scaling(Processes& processes, const Table& held, const Shares& shares,
                               Index least_rows);

}  // namespace doc2s
