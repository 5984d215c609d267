// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <vector>

#include "doc2s/base/random.hpp"
#include "partition.hpp"

namespace doc2s {

// What a random number of a partition is used for; part of the key.
enum class PartitionDraw : std::uint16_t { rows, proportions, label_order };

inline Random partition_random(std::uint64_t seed, PartitionDraw draw, std::size_t label = 0,
                               Tick attempt = 0) {
  return Random(seed, Purpose::partition, static_cast<std::uint32_t>(label), attempt,
                static_cast<std::uint16_t>(draw));
}

// Fisher-Yates shuffle.
template <class T>
void shuffle(std::vector<T>& items, Random random) {
  for (std::size_t left = items.size(); left > 1; --left)
    std::swap(items[left - 1], items[random.below(left)]);
}

// Start of part k when `count` items are cut into `parts` nearly equal parts; k = parts gives count.
inline Index cut(Index count, Index k, Index parts) { return count / parts * k + std::min(k, count % parts); }

struct LabelRows {
  double label;
  std::vector<Index> rows;  // ascending
};

// The rows of each label, by ascending label.
inline std::vector<LabelRows> rows_by_label(std::span<const double> labels) {
  std::map<double, std::vector<Index>> rows;
  for (Index row = 0; row < std::ssize(labels); ++row) rows[labels[row]].push_back(row);
  std::vector<LabelRows> groups;
  for (auto& [label, its_rows] : rows) groups.push_back({label, std::move(its_rows)});
  return groups;
}

PartitionKind dirichlet_partition();
PartitionKind labels_partition();

}  // namespace doc2s
