#include "partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "partition_parts.hpp"

namespace doc2s {

namespace {

Shares equal_parts(const std::vector<Index>& rows, int clients) {
  Shares shares(clients);
  for (int i = 0; i < clients; ++i)
    shares[i].assign(rows.begin() + cut(std::ssize(rows), i, clients),
                     rows.begin() + cut(std::ssize(rows), i + 1, clients));
  return shares;
}

std::vector<Index> all_rows(const PartitionRequest& request) {
  std::vector<Index> rows(request.labels.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

std::vector<Index> shuffled_rows(const PartitionRequest& request) {
  std::vector<Index> rows = all_rows(request);
  shuffle(rows, partition_random(request.seed, PartitionDraw::rows));
  return rows;
}

Shares make_iid(const PartitionRequest& request, const Settings&) {
  return equal_parts(shuffled_rows(request), request.clients);
}

Shares make_contiguous(const PartitionRequest& request, const Settings&) {
  return equal_parts(all_rows(request), request.clients);
}

Shares make_sorted(const PartitionRequest& request, const Settings&) {
  std::vector<Index> rows = shuffled_rows(request);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](Index a, Index b) { return request.labels[a] < request.labels[b]; });
  return equal_parts(rows, request.clients);
}

void check_request(const PartitionRequest& request, const Settings& clients) {
  if (request.clients < 1)
    throw Error(fmt::format("{} clients", request.clients), clients.where("count"),
                "there must be at least 1");
  if (static_cast<std::size_t>(request.clients) > request.labels.size())
    throw Error(fmt::format("{} clients cannot share {} samples", request.clients, request.labels.size()),
                clients.where("count"), "take fewer clients or more data");
}

void check_shares(const Shares& shares, const Settings& clients) {
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i].empty())
      throw Error(fmt::format("client {} (counted from 0) gets no samples", i), clients.where("partition"),
                  "take fewer clients or another partition");
}

std::string unheld_rows(const PartitionRequest& request, const Shares& shares) {
  std::vector<bool> held(request.labels.size());
  for (const auto& share : shares)
    for (const Index row : share) held[row] = true;
  std::vector<std::string> labels;
  std::size_t rows = 0;
  for (const auto& group : rows_by_label(request.labels)) {
    const auto lost =
        std::count_if(group.rows.begin(), group.rows.end(), [&](Index row) { return !held[row]; });
    if (lost > 0) labels.push_back(fmt::format("{}", group.label));
    rows += static_cast<std::size_t>(lost);
  }
  if (rows == 0) return "";
  constexpr std::size_t most = 8;  // labels printed
  const bool more = labels.size() > most;
  labels.resize(std::min(labels.size(), most));
  return fmt::format("{} of {} samples are held by no client (label {}{})", rows, request.labels.size(),
                     joined(labels), more ? ", …" : "");
}

}  // namespace

const std::vector<PartitionKind>& partition_kinds() {
  static const std::vector<PartitionKind> kinds{
      {{"iid", "shuffled, in near-equal parts", {}}, make_iid},
      {{"contiguous", "in the file's order, in near-equal parts", {}}, make_contiguous},
      dirichlet_partition(),
      labels_partition(),
      {{"sorted", "shuffled, then sorted by label, in near-equal parts", {}}, make_sorted},
  };
  return kinds;
}

Shares make_partition(const PartitionRequest& request, const Settings& clients, std::string& notice) {
  const PartitionKind& kind = kind_named(partition_kinds(), clients, "partition");
  check_request(request, clients);
  Shares shares = kind.make(request, clients);
  for (auto& share : shares) std::sort(share.begin(), share.end());
  check_shares(shares, clients);
  notice = unheld_rows(request, shares);
  return shares;
}

}  // namespace doc2s
