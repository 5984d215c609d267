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
};

struct PartitionKind : Kind {
  std::function<Shares(const PartitionRequest&, const Settings& clients)> make;
};

const std::vector<PartitionKind>& partition_kinds();

// The partition named by clients.partition. Every client has at least one row and every row at most one
// client; otherwise throws Error. `notice` receives what the user should know (rows that no client holds), or
// "".
Shares make_partition(const PartitionRequest& request, const Settings& clients, std::string& notice);

}  // namespace doc2s
