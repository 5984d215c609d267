// SPDX-License-Identifier: Apache-2.0
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

std::vector<Index> all_rows(Index count, std::uint64_t) {
  std::vector<Index> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

std::vector<Index> shuffled_rows(Index count, std::uint64_t seed) {
  std::vector<Index> rows = all_rows(count, seed);
  shuffle(rows, partition_random(seed, PartitionDraw::rows));
  return rows;
}

PartitionKind partition_without_labels(std::string name, std::string summary,
                                       std::function<std::vector<Index>(Index, std::uint64_t)> order) {
  const auto make = [order](const PartitionRequest& request, const Settings&) {
    return equal_parts(order(std::ssize(request.labels), request.seed), request.clients);
  };
  return {{std::move(name), std::move(summary), {}}, make, order};
}

Shares make_sorted(const PartitionRequest& request, const Settings&) {
  std::vector<Index> rows = shuffled_rows(std::ssize(request.labels), request.seed);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](Index a, Index b) { return request.labels[a] < request.labels[b]; });
  return equal_parts(rows, request.clients);
}

void check_counts(Index count, Index samples, const Settings& clients) {
  if (count < 1)
    throw Error(fmt::format("{} clients", count), clients.where("count"), "there must be at least 1");
  if (count > samples)
    throw Error(fmt::format("{} clients cannot share {} samples", count, samples), clients.where("count"),
                "take fewer clients or more data");
}

void check_labels(const PartitionKind& kind, bool numbers, const Settings& clients) {
  if (kind.by_class && numbers)
    throw Error(fmt::format("the partition {} goes by classes, and the targets are numbers", kind.name),
                clients.where("partition"), "take iid, contiguous or sorted");
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
      partition_without_labels("iid", "shuffled, in near-equal parts", shuffled_rows),
      partition_without_labels("contiguous", "in the file's order, in near-equal parts", all_rows),
      dirichlet_partition(),
      labels_partition(),
      {{"sorted", "shuffled, then sorted by label, in near-equal parts", {}}, make_sorted},
  };
  return kinds;
}

Shares make_partition(const PartitionRequest& request, const Settings& clients, std::string& notice) {
  const PartitionKind& kind = kind_named(partition_kinds(), clients, "partition");
  check_counts(request.clients, std::ssize(request.labels), clients);
  check_labels(kind, request.numbers, clients);
  Shares shares = kind.make(request, clients);
  for (auto& share : shares) std::sort(share.begin(), share.end());
  check_shares(shares, clients);
  notice = unheld_rows(request, shares);
  return shares;
}

namespace {

Parts joined_shares(const Shares& shares) {
  Parts parts;
  for (const auto& share : shares) {
    parts.rows.insert(parts.rows.end(), share.begin(), share.end());
    parts.first.push_back(std::ssize(parts.rows));
  }
  return parts;
}

Parts near_equal(std::vector<Index> rows, int clients) {
  Parts parts{std::move(rows)};
  for (int i = 0; i < clients; ++i) {
    const Index end = cut(std::ssize(parts.rows), i + 1, clients);
    std::sort(parts.rows.begin() + parts.first.back(), parts.rows.begin() + end);
    parts.first.push_back(end);
  }
  return parts;
}

}  // namespace

Parts make_parts(Index rows, std::uint64_t seed, const std::function<std::vector<double>()>& labels,
                 const Settings& clients, std::string& notice) {
  const PartitionKind& kind = kind_named(partition_kinds(), clients, "partition");
  const auto count = static_cast<int>(clients.integer("count"));
  check_counts(count, rows, clients);
  if (kind.order) return near_equal(kind.order(rows, seed), count);
  const std::vector<double> all = labels();
  return joined_shares(make_partition({all, count, seed}, clients, notice));
}

}  // namespace doc2s
