// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numeric>

#include "doc2s/base/error.hpp"
#include "partition_parts.hpp"

namespace doc2s {

namespace {

using Holders = std::vector<std::vector<int>>;  // the clients of each label, ascending

// Client i holds labels i·k, …, i·k + k − 1 of the shuffled order, cyclically.
Holders assign_labels(const PartitionRequest& request, std::size_t labels, std::size_t per_client) {
  std::vector<std::size_t> order(labels);
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, partition_random(request.seed, PartitionDraw::label_order));
  Holders holders(labels);
  std::size_t next = 0;
  for (int i = 0; i < request.clients; ++i)
    for (std::size_t k = 0; k < per_client; ++k) holders[order[next++ % labels]].push_back(i);
  return holders;
}

Shares make_labels(const PartitionRequest& request, const Settings& clients) {
  auto groups = rows_by_label(request.labels);
  const std::int64_t per_client = clients.integer("per_client");
  if (per_client < 1 || per_client > std::ssize(groups))
    throw Error(fmt::format("{} labels per client, but the data has {}", per_client, groups.size()),
                clients.where("per_client"), fmt::format("it must be from 1 to {}", groups.size()));
  const Holders holders = assign_labels(request, groups.size(), static_cast<std::size_t>(per_client));
  Shares shares(request.clients);
  for (std::size_t label = 0; label < groups.size(); ++label) {
    auto& rows = groups[label].rows;
    shuffle(rows, partition_random(request.seed, PartitionDraw::rows, label));
    const Index parts = std::ssize(holders[label]);
    for (Index k = 0; k < parts; ++k) {
      auto& share = shares[holders[label][k]];
      share.insert(share.end(), rows.begin() + cut(std::ssize(rows), k, parts),
                   rows.begin() + cut(std::ssize(rows), k + 1, parts));
    }
  }
  return shares;
}

}  // namespace

PartitionKind labels_partition() {
  const Option per_client = integer_option("per_client", 1, "how many different labels a client holds");
  return {{"labels",
           "each client holds per_client labels, a label's samples split evenly among its holders",
           {per_client.at_least(1)}},
          make_labels,
          {},
          true};
}

}  // namespace doc2s
