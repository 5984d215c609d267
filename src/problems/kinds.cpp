// SPDX-License-Identifier: Apache-2.0
#include "kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "catalogue/catalogue.hpp"
#include "doc2s/base/error.hpp"
#include "mlp.hpp"
#include "partition/sites.hpp"
#include "svm.hpp"
#include "torch.hpp"

namespace doc2s {

void TrainedModel::require_dimension(Index dimension) const {
  if (std::ssize(x) != dimension)
    throw Error(
        fmt::format("the run's point has {} numbers, and its model {} parameters", x.size(), dimension),
        problem.where("name"), "the files of the run do not belong together");
}

Split split_of(std::span<const double> labels, const Shares& shares) {
  std::map<double, std::size_t> place;
  for (const double label : labels) place.emplace(label, 0);
  Split split;
  for (auto& [label, at] : place) {
    at = split.labels.size();
    split.labels.push_back(fmt::format("{}", label));
  }
  for (const auto& share : shares) {
    auto& counts = split.counts.emplace_back(place.size());
    for (const Index row : share) ++counts[place[labels[row]]];
  }
  return split;
}

std::string notice_of_one_class(const std::string& label) {
  return fmt::format(
      "every sample has the label {}, so there is nothing to tell apart: is this the data you meant?", label);
}

Option evaluation_option(std::optional<std::int64_t> fallback) {
  return integer_option("evaluation", fallback,
                        "samples, over all clients, that the losses in records are computed on, of as many "
                        "clients where "
                        "there are more; absent: all, or 10000 where there are more than 10000 clients")
      .at_least(1);
}

std::string find_data_path(const std::string& path, const std::string& directory) {
  const auto& sets = catalogue();
  if (std::any_of(sets.begin(), sets.end(), [&](const DataSet& set) { return set.name == path; }))
    return path;
  return existing_path(path, directory, [](const std::string& candidate) {
    std::error_code unreachable;
    return std::filesystem::exists(candidate, unreachable) ||
           (is_site_pattern(candidate) && some_site_exists(candidate));
  });
}

}  // namespace doc2s
