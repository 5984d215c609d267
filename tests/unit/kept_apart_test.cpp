// Also under the thread sanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "doc2s/oracles/oracle.hpp"
#include "gossip/lazy_rows.hpp"
#include "testing_world.hpp"

namespace doc2s {
namespace {

// What is done ahead or side by side for speed gives the same bits as one after the other.

template <class Real>
void compare_mixes(const std::string& graph, int n, Index d, int threads_count) {
  const Network network = testing::network_of(graph, n, true);
  Threads threads(threads_count);
  InProcess<Real> transport(n, threads);
  Traffic traffic, traffic_by_rows;
  Gossip<Real> gossip(network, network.rounds("plain", 1), transport, traffic);
  Gossip<Real> gossip_by_rows(network, network.rounds("plain", 1), transport, traffic_by_rows);
  Rows<Real> z({0, n}, d);
  LazyRows<Real> by_rows(gossip_by_rows, {0, n}, d);
  for (int i = 0; i < n; ++i) {
    Random(1, Purpose::start, i).normals<Real>(0, z.row(i));
    for (Index j = 0; j < d; j += 3) z.row(i)[j] = j % 2 == 0 ? Real(-0.0) : Real(0);
    std::ranges::copy(z.row(i), by_rows.all().row(i).begin());
  }
  const auto compare = [&](int k) {
    for (int i = 0; i < n; ++i)
      EXPECT_EQ(std::memcmp(z.row(i).data(), by_rows.all().row(i).data(), d * sizeof(Real)), 0)
          << graph << " row " << i << " mix " << k;
  };
  const auto grow = [](std::span<Real> row) {
    for (Real& number : row) number *= Real(1.5);
  };
  for (int k = 0; k < 6; ++k) {
    if (k % 3 == 1) compare(k);
    threads.each(n, [&, rows = by_rows.view()](Index i) { grow(rows[static_cast<int>(i)]); });
    by_rows.mix();
    for (int i = 0; i < n; ++i) grow(z.row(i));
    gossip.mix(z);
  }
  compare(6);
  EXPECT_EQ(traffic_by_rows.rounds, traffic.rounds);
  EXPECT_EQ(traffic_by_rows.bytes, traffic.bytes);
  by_rows.mix();
  std::ranges::fill(by_rows.fresh().row(0), Real(2));  // what was to be mixed is dropped
  EXPECT_EQ(std::ranges::count(by_rows.all().row(0), Real(2)), d);
}

TEST(KeptApart, RowsMixedOneByOne) {
  compare_mixes<double>("ring", 16, 123, 2);
  compare_mixes<float>("ring", 7, 40, 5);  // threads with one client and with two
  compare_mixes<double>("path", 9, 64, 4);
  compare_mixes<float>("path", 5, 64, 1);
  compare_mixes<float>("complete", 7, 37, 3);
  compare_mixes<double>("ring", 16, 5'000, 2);  // too many numbers to be mixed row by row
}

// A thread keeps the chance that it drew last: neither another client's nor another oracle's is taken for it.
TEST(KeptApart, ChanceOfEstimates) {
  const testing::Quadratic<double> problem(4, 10, 20);
  const auto oracle_of = [&](std::uint64_t seed) {
    return make_first_order<double>(problem, {.batch = 2, .mu = 0.1, .seed = seed});
  };
  const auto asked = oracle_of(1), prepared = oracle_of(1), other = oracle_of(2);
  const std::vector<double> w(10, 0.5);
  std::vector<double> g(10), g_prepared(10), g_again(10), g_other(10);
  for (int client = 0; client < 4; ++client) {
    asked->estimate(client, 7, w, g);
    prepared->prepare(client, 7);
    prepared->estimate(client, 7, w, g_prepared);
    EXPECT_EQ(g_prepared, g);
    other->estimate(client, 7, w, g_other);
    EXPECT_NE(g_other, g);
    prepared->estimate_again(client, 7, w, g_again);
    EXPECT_EQ(g_again, g);
    prepared->estimate(client, 8, w, g_again);
    EXPECT_NE(g_again, g);
  }
}

}  // namespace
}  // namespace doc2s
