// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include "gossip/gossip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "base/vectors.hpp"
#include "doc2s/gossip/peers.hpp"
#include "testing_world.hpp"

namespace doc2s {
namespace {

using testing::graph_names;
using testing::network_of;

template <class Real>
Rows<Real> random_rows(int n, Index d) {
  Rows<Real> rows({0, n}, d);
  for (int i = 0; i < n; ++i) Random(11, Purpose::start, i).normals<Real>(0, rows.row(i));
  return rows;
}

// The naive twin: whole rounds over whole rows, the same arithmetic.
template <class Real>
Rows<Real> naive_gossip(const Network& network, Rounds rounds, const Rows<Real>& z0) {
  const int n = network.clients();
  const Index d = z0.dimension();
  std::vector<std::vector<Real>> before(n), now(n), next(n);
  for (int i = 0; i < n; ++i) before[i] = now[i] = {z0.row(i).begin(), z0.row(i).end()};
  RoundSteps steps(rounds);
  for (int r = 0; r < rounds.count; ++r) {
    const RoundStep step = steps.next();
    for (int i = 0; i < n; ++i) {
      next[i].resize(d);
      for (Index k = 0; k < d; ++k) {
        Real sum = now[i][k] + static_cast<Real>(step.d) * (now[i][k] - before[i][k]);
        for (const auto& [j, weight] : network.P.row(i))
          if (j != i) sum += static_cast<Real>(step.c * weight) * (now[j][k] - now[i][k]);
        next[i][k] = sum;
      }
    }
    before = now;
    now = next;
  }
  Rows<Real> result({0, n}, d);
  for (int i = 0; i < n; ++i) std::copy(now[i].begin(), now[i].end(), result.row(i).begin());
  return result;
}

template <class Real>
void expect_equal_bits(const Rows<Real>& a, const Rows<Real>& b) {
  for (int i = 0; i < a.clients().count; ++i)
    ASSERT_EQ(std::memcmp(a.row(i).data(), b.row(i).data(), a.row(i).size_bytes()), 0) << "row " << i;
}

template <class Real>
void compare_with_twin(const std::string& graph, int n, Index d, int R, const std::string& kind,
                       int thread_count) {
  const Network network = network_of(graph, n, /*lazy=*/true);
  Threads threads(thread_count);
  InProcess<Real> transport(n, threads);
  Traffic traffic;
  const Rounds rounds = network.rounds(kind, R);
  Gossip<Real> gossip(network, rounds, transport, traffic);
  Rows<Real> z = random_rows<Real>(n, d);
  const Rows<Real> expected = naive_gossip(network, rounds, z);
  gossip.mix(z);
  expect_equal_bits(z, expected);
  EXPECT_EQ(traffic.rounds, R);
  EXPECT_EQ(traffic.bytes, R * 2 * network.graph.edges() * d * static_cast<Index>(sizeof(Real)));
}

TEST(Gossip, HasTheBitsOfItsNaiveTwin) {
  for (const int R : {1, 2, 3, 4, 7})
    for (const auto& kind : gossip_kinds())
      for (const Index d : {1, 15, 16, 1000, 9001}) {
        compare_with_twin<double>("ring", 16, d, R, kind, 1);
        compare_with_twin<float>("star", 9, d, R, kind, 2);
        compare_with_twin<double>("torus", 12, d, R, kind, 2);
      }
  for (const int R : {1, 2, 3})  // narrow tiles, an even and an odd number of cache lines a row
    for (const Index d : {500, 520}) {
      compare_with_twin<float>("regular", 300, d, R, "chebyshev", 2);
      compare_with_twin<double>("star", 300, d, R, "plain", 2);
    }
  for (const int n : {97, 128, 300})  // many clients on rings, which have a kernel of their own, and on paths
    for (const int R : {1, 2, 3, 8})
      for (const Index d : {1000, 5000}) {
        compare_with_twin<float>("ring", n, d, R, "chebyshev", 2);
        compare_with_twin<double>("path", n, d, R, "plain", 3);
      }
  for (const int n : {3, 4, 5, 64, 65})  // rings of all lengths, in wide tiles and in narrow ones
    for (const Index d : {16, 1000, 3000}) {
      compare_with_twin<double>("ring", n, d, 2, "chebyshev", 2);
      compare_with_twin<float>("ring", n, d, 5, "chebyshev", 2);
      compare_with_twin<float>("ring", n, d, 6, "chebyshev-interval", 2);
      compare_with_twin<float>("ring", n, d, 1, "plain", 2);
      compare_with_twin<double>("ring", n, d, 8, "chebyshev", 2);
      compare_with_twin<double>("path", n, d, 4, "plain", 2);
    }
  compare_with_twin<float>("complete", 16, 20'000, 2, "chebyshev", 3);  // many terms a row, many tiles
  compare_with_twin<double>("complete", 2, 100, 2, "plain", 1);         // one term
  compare_with_twin<double>("complete", 1, 100, 1, "plain", 1);         // none
}

// Equal rows, zeros of both signs and products that vanish: where an edge's product is used from both ends, a
// zero's sign could go wrong.
TEST(Gossip, HasTheSignsOfZeroOfItsNaiveTwin) {
  const float numbers[] = {0.0F, -0.0F, 1.0F, -1.0F, 1e-45F, -1e-45F};
  for (const char* graph : {"ring", "path"})
    for (const int n : {16, 128})
      for (const int R : {1, 2, 3, 4, 5})
        for (const auto& kind : gossip_kinds()) {
          const Network network = network_of(graph, n, /*lazy=*/true);
          Threads threads(1);
          InProcess<float> transport(n, threads);
          Traffic traffic;
          Rows<float> z({0, n}, 1000);
          Random random(1, Purpose::start, R);
          for (int i = 0; i < n; ++i)
            for (float& number : z.row(i)) number = numbers[random.below(std::size(numbers))];
          const Rounds rounds = network.rounds(kind, R);
          const Rows<float> expected = naive_gossip(network, rounds, z);
          Gossip<float>(network, rounds, transport, traffic).mix(z);
          expect_equal_bits(z, expected);
        }
}

// A row that is infinite somewhere makes its neighbours so and itself NaN, also where z − z is left out.
TEST(Gossip, IsNotFiniteWhereItsNaiveTwinIsNot) {
  for (const char* graph : {"ring", "path"})
    for (const int n : {16, 128})
      for (const int R : {1, 2, 3}) {
        const Network network = network_of(graph, n, /*lazy=*/true);
        Threads threads(2);
        InProcess<float> transport(n, threads);
        Traffic traffic;
        Gossip<float> gossip(network, network.rounds("chebyshev", R), transport, traffic);
        Rows<float> z = random_rows<float>(n, 1000);
        for (const int i : {0, n / 2 - 1, n - 1}) z.row(i)[7 * i] = i == n - 1 ? INFINITY : -INFINITY;
        const Rows<float> expected = naive_gossip(network, network.rounds("chebyshev", R), z);
        gossip.mix(z);
        for (int i = 0; i < n; ++i)
          for (Index c = 0; c < 1000; ++c) {
            const float is = z.row(i)[c], wanted = expected.row(i)[c];
            ASSERT_TRUE(is == wanted || (std::isnan(is) && std::isnan(wanted)))
                << graph << R << i << " " << c;
          }
      }
}

TEST(Gossip, WorkMeanwhileIsDoneOnceAndItsFailureIsThrownWhenAllRowsAreMixed) {
  const Network network = network_of("ring", 16);
  const Rounds rounds = network.rounds("chebyshev", 2);
  for (const Index d : {10, 1000, 50'000})  // by the caller alone; one mixes, one works; side by side
    for (const bool fails : {false, true}) {
      Threads threads(2);
      InProcess<double> transport(16, threads);
      Traffic traffic;
      Rows<double> z = random_rows<double>(16, d);
      const Rows<double> expected = naive_gossip(network, rounds, z);
      int calls = 0;
      const auto nothing = [](int, Index, Index) {};
      const auto work = [&] {
        ++calls;
        if (fails) throw std::runtime_error("failed");
      };
      Gossip<double> gossip(network, rounds, transport, traffic);
      if (fails)
        EXPECT_THROW(gossip.mix(z, {.along = nothing, .beside = work}), std::runtime_error);
      else
        gossip.mix(z, {.along = nothing, .beside = work});
      EXPECT_EQ(calls, 1);
      expect_equal_bits(z, expected);
    }
}

// Every number once, as it was before the mixing.
TEST(Gossip, WorkBeforeSeesAllNumbersUnmixedOnce) {
  struct Case {
    const char* graph;
    int n;
    Index d;
  };
  for (const Case& c : {Case{"ring", 16, 10}, Case{"ring", 16, 1000}, Case{"ring", 16, 20'000},  // tiles
                        Case{"regular", 300, 100}, Case{"ring", 300, 5000}, Case{"ring", 300, 1000},
                        Case{"path", 97, 20}})  // whole rows
    for (const int R : {1, 2, 3}) {
      const Network network = network_of(c.graph, c.n, /*lazy=*/true);
      Threads threads(2);
      InProcess<float> transport(c.n, threads);
      Traffic traffic;
      Rows<float> z = random_rows<float>(c.n, c.d), sums({0, c.n}, c.d);
      const Rows<float> start = random_rows<float>(c.n, c.d);
      const auto add = [&](int i, Index first, Index end) {
        for (Index j = first; j < end; ++j) sums.row(i)[j] += z.row(i)[j];
      };
      Gossip<float>(network, network.rounds("plain", R), transport, traffic).mix(z, {.along = add});
      expect_equal_bits(sums, start);
      expect_equal_bits(z, naive_gossip(network, network.rounds("plain", R), start));
    }
}

TEST(Gossip, AgreesWithTheFormulaOfThePaper) {
  const Network network = network_of("erdos-renyi", 12, true);
  const Rounds rounds = network.rounds("chebyshev", 6);
  const Rows<double> z = random_rows<double>(12, 5);
  Rows<double> mixed = random_rows<double>(12, 5);
  Threads threads(1);
  InProcess<double> transport(12, threads);
  Traffic traffic;
  Gossip<double>(network, rounds, transport, traffic).mix(mixed);
  std::vector<double> before(12), now(12), next(12);
  for (Index c = 0; c < 5; ++c) {
    for (int i = 0; i < 12; ++i) before[i] = now[i] = z.row(i)[c];
    for (int r = 0; r < 6; ++r) {
      network.P.multiply(now, next);
      for (int i = 0; i < 12; ++i) next[i] = (1 + rounds.phi) * next[i] - rounds.phi * before[i];
      before = now;
      now = next;
    }
    for (int i = 0; i < 12; ++i) EXPECT_NEAR(mixed.row(i)[c], now[i], 1e-14);
  }
}

// The bits of more rounds than there are different ones; equal ones are kept once.
TEST(Gossip, RoundsOnAnIntervalConverge) {
  const Network ring = network_of("ring", 16), complete = network_of("complete", 16);
  EXPECT_LT(recursions_of<double>(ring, ring.rounds("chebyshev-interval", 1000)).size(), 100);
  EXPECT_EQ(recursions_of<double>(ring, ring.rounds("chebyshev-interval", 7)).size(), 7);
  EXPECT_EQ(recursions_of<double>(ring, ring.rounds("chebyshev", 7)).size(), 1);
  EXPECT_EQ(recursions_of<double>(complete, complete.rounds("chebyshev-interval", 7)).size(), 1);
  for (const int R : {200, 201}) {
    compare_with_twin<double>("ring", 16, 100, R, "chebyshev-interval", 1);
    compare_with_twin<double>("torus", 16, 100, R, "chebyshev-interval", 1);
  }
}

TEST(Gossip, EqualRowsStayEqualToTheBit) {
  const Network network = network_of("regular", 16);
  Threads threads(1);
  InProcess<float> transport(16, threads);
  Traffic traffic;
  Gossip<float> gossip(network, network.rounds("chebyshev", 3), transport, traffic);
  Rows<float> z({0, 16}, 40);
  for (int i = 0; i < 16; ++i) Random(1, Purpose::start).normals<float>(0, z.row(i));
  const std::vector<float> start(z.row(0).begin(), z.row(0).end());
  for (int k = 0; k < 1000; ++k) gossip.mix(z);
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(std::memcmp(z.row(i).data(), start.data(), z.row(i).size_bytes()), 0);
}

TEST(Gossip, KeepsTheMeanOnEveryGraph) {
  for (const auto& graph : graph_names())
    for (const auto& kind : gossip_kinds()) {
      const Network network = network_of(graph, 16, /*lazy=*/kind == "chebyshev");
      Threads threads(1);
      InProcess<double> transport(16, threads);
      Traffic traffic;
      Gossip<double> gossip(network, network.rounds(kind, 5), transport, traffic);
      Rows<double> z = random_rows<double>(16, 33);
      std::vector<double> before(33), after(33);
      transport.mean(z, before);
      gossip.mix(z);
      transport.mean(z, after);
      for (int c = 0; c < 33; ++c) EXPECT_NEAR(after[c], before[c], 1e-14) << graph;
    }
}

// √Σ_i ‖z_i − z̄‖²
double disagreement(const Rows<double>& z, const InProcess<double>& transport) {
  std::vector<double> mean(z.dimension());
  transport.mean(z, mean);
  double sum = 0;
  for (int i = 0; i < z.clients().count; ++i) sum += std::pow(distance<double>(z.row(i), mean), 2);
  return std::sqrt(sum);
}

// Σ‖z_i^(R) − z̄‖² ≤ 14 (1 − (1 − 1/√2)√γ)^{2R} Σ‖z_i − z̄‖², and with the exact ρ_R in its place.
TEST(Gossip, ContractsAsThePropositionSaysForEveryGraphAndR) {
  constexpr double rounding = 1e-14;
  for (const auto& graph : graph_names()) {
    const Network network = network_of(graph, 16, /*lazy=*/true);
    const double rate = 1 - (1 - 1 / std::sqrt(2)) * std::sqrt(network.spectrum.gamma());
    Threads threads(1);
    InProcess<double> transport(16, threads);
    Traffic traffic;
    for (int R = 1; R <= 60; ++R) {
      const Rounds rounds = network.rounds("chebyshev", R);
      Rows<double> z = random_rows<double>(16, 20);
      const double before = disagreement(z, transport);
      Gossip<double>(network, rounds, transport, traffic).mix(z);
      const double left = disagreement(z, transport) / before;
      EXPECT_LE(left, std::sqrt(14) * std::pow(rate, R) + rounding) << graph << " R = " << R;
      EXPECT_LE(network.spectrum.contraction(rounds), std::sqrt(14) * std::pow(rate, R))
          << graph << " R = " << R;
      EXPECT_LE(left, network.spectrum.contraction(rounds) + rounding) << graph << " R = " << R;
    }
  }
}

TEST(Gossip, TheExactContractionIsReached) {
  const Network network = network_of("ring", 16);
  Threads threads(1);
  InProcess<double> transport(16, threads);
  Traffic traffic;
  const Rounds rounds = network.rounds("chebyshev", 1);
  Rows<double> z({0, 16}, 1);
  for (int i = 0; i < 16; ++i) z.row(i)[0] = i % 2 ? -1 : 1;  // the eigenvector of λ = −1/3
  Gossip<double>(network, rounds, transport, traffic).mix(z);
  EXPECT_NEAR(std::abs(z.row(3)[0]), network.spectrum.contraction(rounds), 1e-12);
  EXPECT_NEAR(std::abs(z.row(3)[0]), 1.029, 5e-4);
}

TEST(Gossip, RankOneFormIsTheGossipOfOneRow) {
  for (const auto& graph : graph_names())
    for (const int R : {1, 2, 5}) {
      const Network network = network_of(graph, 16, true);
      Threads threads(1);
      InProcess<double> transport(16, threads);
      Traffic traffic;
      Gossip<double> gossip(network, network.rounds("chebyshev", R), transport, traffic);
      RankOneRows<double> Delta(16, 7);
      LargeVector<double> v(7), other(7, 1.0);
      Random(5, Purpose::start).normals<double>(0, std::span(v));
      Rows<double> dense({0, 16}, 7);
      std::copy(v.begin(), v.end(), dense.row(3).begin());
      gossip.spread(5, other, Delta);  // leaves nothing behind
      gossip.spread(3, v, Delta);
      gossip.mix(dense);
      Rows<double> scalars({0, 16}, 1);
      scalars.row(3)[0] = 1;
      Traffic elsewhere;
      Gossip<double>(network, network.rounds("chebyshev", R), transport, elsewhere).mix(scalars);
      const auto hops = network.graph.hops_from(3);
      for (int i = 0; i < 16; ++i) {
        EXPECT_EQ(Delta.c[i] != 0, hops[i] <= R) << graph << " client " << i << " R = " << R;
        EXPECT_EQ(Delta.c[i], scalars.row(i)[0]) << graph << " client " << i << " R = " << R;
        for (int j = 0; j < 7; ++j) EXPECT_NEAR(Delta.c[i] * Delta.v[j], dense.row(i)[j], 1e-14);
      }
      EXPECT_EQ(traffic.rounds, 3 * R);
    }
}

}  // namespace
}  // namespace doc2s
