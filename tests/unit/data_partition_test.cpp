// SPDX-License-Identifier: Apache-2.0
#include "partition/partition.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "data_testing.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {
namespace {

using data_testing::error_of, data_testing::says;
using Labels = std::vector<double>;

// The section [clients] with every kind's options at their defaults.
Settings clients_section(const std::string& partition) {
  Settings settings("clients");
  settings.set("partition", partition);
  for (const auto& kind : partition_kinds())
    for (const auto& option : kind.options) settings.set(option.name, *option.fallback);
  return settings;
}

struct Split {
  Shares shares;
  std::string notice;
};

Split split(const Labels& labels, int clients, const Settings& settings, std::uint64_t seed = 1) {
  Split result;
  result.shares = make_partition({labels, clients, seed}, settings, result.notice);
  return result;
}

Split split(const Labels& labels, int clients, const std::string& partition, std::uint64_t seed = 1) {
  return split(labels, clients, clients_section(partition), seed);
}

Labels cycling_labels(int rows, int different);

TEST(Partition, PartsAreTheSharesOneAfterTheOther) {
  for (const auto& kind : partition_kinds()) {
    SCOPED_TRACE(kind.name);
    const Labels labels = cycling_labels(101, 2);
    Settings settings = clients_section(kind.name);
    settings.set("count", Index{7});
    const Split expected = split(labels, 7, settings, 5);
    bool asked = false;
    std::string notice;
    const auto give = [&] { return asked = true, labels; };
    const Parts parts = make_parts(101, 5, give, settings, notice);
    Shares shares;
    for (int i = 0; i < 7; ++i)
      shares.emplace_back(parts.rows.begin() + parts.first[i], parts.rows.begin() + parts.first[i + 1]);
    EXPECT_EQ(shares, expected.shares);
    EXPECT_EQ(notice, expected.notice);
    EXPECT_EQ(asked, kind.name != "iid" && kind.name != "contiguous");
  }
}

Labels cycling_labels(int rows, int different) {
  Labels labels(rows);
  for (int row = 0; row < rows; ++row) labels[row] = row % different;
  return labels;
}

// How many rows of each label a client has.
std::map<double, int> label_counts(const std::vector<Index>& share, const Labels& labels) {
  std::map<double, int> counts;
  for (const Index row : share) ++counts[labels[row]];
  return counts;
}

std::vector<Index> all_rows(const Shares& shares) {
  std::vector<Index> rows;
  for (const auto& share : shares) rows.insert(rows.end(), share.begin(), share.end());
  std::sort(rows.begin(), rows.end());
  return rows;
}

void expect_disjoint_and_ascending(const Shares& shares) {
  for (const auto& share : shares) EXPECT_TRUE(std::is_sorted(share.begin(), share.end()));
  const auto rows = all_rows(shares);
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
}

void expect_near_equal_sizes(const Shares& shares) {
  const auto [least, most] = std::minmax_element(
      shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  EXPECT_LE(most->size() - least->size(), 1u);
}

TEST(Partition, KindsAreTheFiveOfTheConfig) {
  std::vector<std::string> names;
  for (const auto& kind : partition_kinds()) names.push_back(kind.name);
  EXPECT_EQ(names, (std::vector<std::string>{"iid", "contiguous", "dirichlet", "labels", "sorted"}));
}

TEST(Partition, EveryKindCoversTheRowsOnceAndGivesEveryClientSome) {
  for (const auto& kind : partition_kinds())
    for (const auto& [rows, different, clients] :
         {std::tuple{1000, 2, 16}, {97, 3, 5}, {400, 10, 10}, {50, 2, 1}}) {
      const Labels labels = cycling_labels(rows, different);
      Settings settings = clients_section(kind.name);
      settings.set("per_client", std::int64_t{clients == 1 ? 2 : 1});
      const Split result = split(labels, clients, settings);
      ASSERT_EQ(std::ssize(result.shares), clients) << kind.name;
      expect_disjoint_and_ascending(result.shares);
      EXPECT_EQ(std::ssize(all_rows(result.shares)), rows) << kind.name;
      EXPECT_EQ(result.notice, "") << kind.name;
      for (const auto& share : result.shares) EXPECT_FALSE(share.empty()) << kind.name;
    }
}

TEST(Partition, SameSeedSameSplitOtherSeedOther) {
  const Labels labels = cycling_labels(500, 4);
  for (const auto& kind : partition_kinds()) {
    EXPECT_EQ(split(labels, 7, kind.name, 5).shares, split(labels, 7, kind.name, 5).shares) << kind.name;
    const bool same = split(labels, 7, kind.name, 5).shares == split(labels, 7, kind.name, 6).shares;
    EXPECT_EQ(same, kind.name == "contiguous") << kind.name;
  }
}

TEST(Partition, IidContiguousAndSortedHaveNearEqualSizes) {
  for (const char* kind : {"iid", "contiguous", "sorted"})
    for (const int rows : {16, 17, 31, 32, 1000})
      expect_near_equal_sizes(split(Labels(rows), 16, kind).shares);
}

TEST(Partition, ContiguousKeepsTheOrder) {
  const Shares shares = split(Labels(7), 3, "contiguous").shares;
  EXPECT_EQ(shares, (Shares{{0, 1, 2}, {3, 4}, {5, 6}}));
}

TEST(Partition, SortedGivesClientsTheLabelsInOrder) {
  EXPECT_EQ(split({2, 0, 1, 0, 2, 1}, 3, "sorted").shares, (Shares{{1, 3}, {2, 5}, {0, 4}}));
  // Label 0 has rows 1, 2, 4, 5 and label 1 rows 0, 3, 6; the parts have 3, 2 and 2 rows.
  const Labels labels{1, 0, 0, 1, 0, 0, 1};
  const Shares shares = split(labels, 3, "sorted").shares;
  EXPECT_EQ(label_counts(shares[0], labels), (std::map<double, int>{{0, 3}}));
  EXPECT_EQ(label_counts(shares[1], labels), (std::map<double, int>{{0, 1}, {1, 1}}));
  EXPECT_EQ(label_counts(shares[2], labels), (std::map<double, int>{{1, 2}}));
}

// iid with one row a client shows the order of the shuffle; with 8 rows of a label, 5 cut it in the middle.
TEST(Partition, SortedKeepsTheOrderOfTheIidShuffleWithinALabel) {
  const Labels labels = cycling_labels(16, 2);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Index> order;
    for (const double label : {0, 1})
      for (const auto& share : split(labels, 16, "iid", seed).shares)
        if (labels[share[0]] == label) order.push_back(share[0]);
    const Shares shares = split(labels, 5, "sorted", seed).shares;
    auto next = order.begin();
    for (const auto& share : shares) {
      std::vector<Index> expected(next, next + std::ssize(share));
      next += std::ssize(share);
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(share, expected) << seed;
    }
  }
}

TEST(Partition, IidMixesLabelsThatLieSorted) {
  Labels labels(4000, -1);
  std::fill(labels.begin() + 2000, labels.end(), 1);
  for (const auto& share : split(labels, 4, "iid").shares)
    EXPECT_NEAR(label_counts(share, labels)[1], 500, 70);  // five standard deviations
}

TEST(Partition, IidGivesEveryRowToEveryClientAlike) {
  std::vector<int> first_client(6);
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const Shares shares = split(Labels(6), 3, "iid", seed).shares;
    for (const Index row : shares[0]) ++first_client[row];
  }
  for (const int count : first_client) EXPECT_NEAR(count, 2000, 190);  // five standard deviations
}

// The share of a client's rows that its most frequent label has, averaged over clients.
double skew(const Labels& labels, double alpha) {
  Settings settings = clients_section("dirichlet");
  settings.set("alpha", alpha);
  double sum = 0;
  const Shares shares = split(labels, 8, settings).shares;
  for (const auto& share : shares) {
    int most = 0;
    for (const auto& [label, count] : label_counts(share, labels)) most = std::max(most, count);
    sum += static_cast<double>(most) / static_cast<double>(share.size());
  }
  return sum / 8;
}

TEST(Partition, SmallAlphaSkewsLargeAlphaDoesNot) {
  const Labels labels = cycling_labels(20000, 10);
  EXPECT_GT(skew(labels, 0.05), 0.5);
  EXPECT_LT(skew(labels, 1e4), 0.13);
  EXPECT_GT(skew(labels, 0.05), skew(labels, 1));
  EXPECT_LT(skew(labels, 1e300), 0.11);
}

// E p_i = 1/n and Var p_i = (n − 1)/(n²(nα + 1)) of a symmetric Dirichlet; one label, so nearly no redraws.
TEST(Partition, DirichletProportionsHaveItsMoments) {
  const int n = 4, rows = 10000, trials = 2000;
  Settings settings = clients_section("dirichlet");
  settings.set("alpha", 2.0);
  double sum = 0, squares = 0;
  for (int seed = 0; seed < trials; ++seed) {
    const double p = static_cast<double>(split(Labels(rows), n, settings, seed).shares[1].size()) / rows;
    sum += p;
    squares += p * p;
  }
  const double mean = sum / trials, variance = squares / trials - mean * mean;
  EXPECT_NEAR(mean, 0.25, 0.017);  // five standard errors
  EXPECT_NEAR(variance, 3.0 / (16 * 9), 0.0035);
}

TEST(Partition, DirichletDrawsAgainUntilNobodyIsEmpty) {
  const Labels labels = cycling_labels(2000, 2);
  Settings settings = clients_section("dirichlet");
  settings.set("alpha", 0.15);
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const auto& share : split(labels, 10, settings, seed).shares) EXPECT_FALSE(share.empty());
}

TEST(Partition, DirichletGivesUpWithAHint) {
  for (const double alpha : {1e-3, 1e-300, 1e-308}) {
    Settings settings = clients_section("dirichlet");
    settings.set("alpha", alpha, "c.toml:3:1");
    const Error error = error_of([&] { split(cycling_labels(200, 2), 16, settings); });
    EXPECT_TRUE(says(error, "16 clients") && says(error, "larger alpha")) << error.what();
    EXPECT_EQ(error.where(), "c.toml:3:1: clients.alpha");
  }
}

TEST(Partition, DirichletRefusesAlphaOfZero) {
  const auto kinds = partition_kinds();
  const Option alpha = kinds[2].options.at(0);
  EXPECT_TRUE(says(error_of([&] { alpha.checked(0.0, "here"); }), "above 0"));
  EXPECT_EQ(std::get<double>(*alpha.fallback), 0.5);
  Settings settings = clients_section("dirichlet");
  settings.set("alpha", 0.0);
  EXPECT_TRUE(says(error_of([&] { split(Labels(20), 2, settings); }), "above 0"));
}

TEST(Partition, LabelsGivesEachClientItsNumberOfLabels) {
  const Labels labels = cycling_labels(720, 6);
  for (const std::int64_t per_client : {1, 2, 3, 6}) {
    Settings settings = clients_section("labels");
    settings.set("per_client", per_client);
    const Split result = split(labels, 12, settings);
    for (const auto& share : result.shares) EXPECT_EQ(std::ssize(label_counts(share, labels)), per_client);
    expect_near_equal_sizes(result.shares);
    EXPECT_EQ(all_rows(result.shares).size(), 720u);
  }
}

TEST(Partition, ALabelIsSplitEvenlyAmongItsHolders) {
  const Labels labels = cycling_labels(301, 3);  // 101, 100, 100 rows
  std::map<double, std::vector<int>> parts;
  for (const auto& share : split(labels, 7, "labels").shares)  // 3, 2, 2 holders
    for (const auto& [label, count] : label_counts(share, labels)) parts[label].push_back(count);
  std::multiset<std::size_t> holders;
  for (const auto& [label, counts] : parts) {
    holders.insert(counts.size());
    EXPECT_LE(
        *std::max_element(counts.begin(), counts.end()) - *std::min_element(counts.begin(), counts.end()), 1);
  }
  EXPECT_EQ(holders, (std::multiset<std::size_t>{2, 2, 3}));
}

TEST(Partition, RowsThatNobodyHoldsAreTold) {
  const Labels labels = cycling_labels(100, 10);
  const Split result = split(labels, 3, "labels");
  EXPECT_EQ(all_rows(result.shares).size(), 30u);
  EXPECT_NE(result.notice.find("70 of 100 samples are held by no client (label "), std::string::npos)
      << result.notice;
  const Split many = split(cycling_labels(100, 50), 3, "labels");
  EXPECT_NE(many.notice.find(", …)"), std::string::npos) << many.notice;
}

TEST(Partition, MoreLabelsAClientThanThereAreIsRefused) {
  Settings settings = clients_section("labels");
  settings.set("per_client", std::int64_t{3}, "c.toml:4:1");
  const Error error = error_of([&] { split(cycling_labels(100, 2), 4, settings); });
  EXPECT_TRUE(says(error, "3 labels per client, but the data has 2")) << error.what();
  EXPECT_EQ(error.where(), "c.toml:4:1: clients.per_client");
  settings.set("per_client", std::int64_t{0});
  EXPECT_THROW(split(cycling_labels(100, 2), 4, settings), Error);
}

TEST(Partition, AnEmptyClientIsNamed) {
  Labels labels(20, 1);
  labels[7] = 2;  // one row for the holders of label 2
  const Error error = error_of([&] { split(labels, 6, "labels"); });
  EXPECT_TRUE(says(error, "gets no samples") && says(error, "client ")) << error.what();
}

TEST(Partition, MoreClientsThanRowsIsRefusedNamingBoth) {
  for (const auto& kind : partition_kinds()) {
    Settings settings = clients_section(kind.name);
    settings.set("count", std::int64_t{11}, "c.toml:2:1");
    const Error error = error_of([&] { split(cycling_labels(10, 2), 11, settings); });
    EXPECT_TRUE(says(error, "11 clients cannot share 10 samples")) << error.what();
    EXPECT_EQ(error.where(), "c.toml:2:1: clients.count");
  }
  EXPECT_EQ(split(Labels(10), 10, "iid").shares.size(), 10u);
}

TEST(Partition, NoClientsAndUnknownNamesAreRefused) {
  EXPECT_TRUE(says(error_of([&] { split(Labels(5), 0, "iid"); }), "at least 1"));
  EXPECT_TRUE(says(error_of([&] { split(Labels(5), -2, "iid"); }), "-2 clients"));
  const Error error = error_of([&] { split(Labels(5), 2, "dirichelt"); });
  EXPECT_TRUE(says(error, "did you mean \"dirichlet\"?")) << error.what();
}

}  // namespace
}  // namespace doc2s
