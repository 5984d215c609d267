#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

using Shares = std::vector<std::vector<Index>>;  // for each client the rows it owns, ascending

struct PartitionRequest {
  std::span<const double> labels;  // of all rows, in the file's order
  int clients;
  std::uint64_t seed;
};

struct PartitionKind : Kind {
  std::function<Shares(const PartitionRequest&, const Settings& clients)> make;
};

const std::vector<PartitionKind>& partition_kinds();

// The split named by clients.partition; every client has at least one row and no row has two owners, or
// Error. `notice` takes what the owner should know (rows that nobody holds), or "".
Shares make_partition(const PartitionRequest& request, const Settings& clients, std::string& notice);

}  // namespace doc2s
