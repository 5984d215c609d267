// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

using Shares = std::vector<std::vector<Index>>;  // the rows of each client, ascending

struct PartitionRequest {
  std::span<const double> labels;  // of all rows, in file order
  int clients;
  std::uint64_t seed;
  bool numbers = false;  // the labels are numbers, not classes
};

struct PartitionKind : Kind {
  std::function<Shares(const PartitionRequest&, const Settings& clients)> make;
  // Where no labels are needed: all rows in an order whose near-equal parts are the shares.
  std::function<std::vector<Index>(Index rows, std::uint64_t seed)> order{};
  bool by_class = false;  // has no meaning where the labels are numbers
};

// Shares without a vector for each client: that of client i is rows[first[i]] … rows[first[i + 1] − 1],
// ascending.
struct Parts {
  std::vector<Index> rows, first{0};
};

const std::vector<PartitionKind>& partition_kinds();

// The partition named by clients.partition. Every client has at least one row and every row at most one
// client; otherwise throws Error. `notice` receives what the user should know (rows that no client holds), or
// "".
Shares make_partition(const PartitionRequest& request, const Settings& clients, std::string& notice);

// The same shares of many rows and clients. `labels` is called only if the partition needs them.
Parts make_parts(Index rows, std::uint64_t seed, const std::function<std::vector<double>()>& labels,
                 const Settings& clients, std::string& notice);

}  // namespace doc2s
