// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include <gtest/gtest.h>

#include "doc2s/oracles/oracle.hpp"
#include "testing_world.hpp"

namespace doc2s {
namespace {

// What is done ahead or side by side for speed gives the same bits as one after the other.

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
