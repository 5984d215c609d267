// SPDX-License-Identifier: Apache-2.0
#include "network/change.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "base/vectors.hpp"
#include "gossip/changing_rounds.hpp"
#include "gossip/gossip.hpp"
#include "network/waiting.hpp"
#include "network_helpers.hpp"
#include "testing_world.hpp"

namespace doc2s {
namespace {

using network_tests::expect_words;
using network_tests::refusal;

Network changing(int clients, const std::vector<std::pair<std::string, std::string>>& given) {
  Changes changes = {{"clients.count", std::to_string(clients), "test"}};
  for (const auto& [name, value] : given) changes.push_back({"network." + name, value, "test"});
  return make_network(default_config(changes));
}

struct Case {
  std::string name;
  Network network;
};

std::vector<Case> cases() {
  return {
      {"ring", changing(16, {{"change", "links"}, {"loss", "0.3"}})},
      {"ring in bursts", changing(16, {{"change", "links"}, {"loss", "0.5"}, {"burst", "7.5"}})},
      {"star, lazy",
       changing(9, {{"graph", "star"}, {"change", "links"}, {"loss", "0.2"}, {"lazy", "true"}})},
      {"complete", changing(7, {{"graph", "complete"}, {"change", "links"}, {"loss", "0.9"}})},
      {"periodic",
       changing(16, {{"change", "periodic"}, {"graphs", "ring, star, hypercube"}, {"every", "3"}})},
      {"periodic, lazy",
       changing(12, {{"change", "periodic"}, {"graphs", "[\"path\", \"torus\"]"}, {"lazy", "true"}})},
      {"random, twice", changing(11, {{"change", "periodic"}, {"graphs", "erdos-renyi,erdos-renyi"}})},
      {"one client", changing(1, {{"graph", "complete"}, {"change", "links"}})},
  };
}

constexpr Tick many = 10'000;

TEST(NetworkChange, EveryRoundIsMetropolisOnWhatIsUp) {
  for (const auto& [name, network] : cases()) {
    const NetworkChange& change = *network.change;
    RoundWeights P_t(change);
    for (Tick t = 0; t < many; ++t) {
      P_t.go_to(t);
      const Weights P = P_t.matrix();
      std::vector<int> degree(network.clients());
      for (Index edge = 0; edge < std::ssize(change.edges()); ++edge) {
        const auto [a, b] = change.edges()[edge];
        ASSERT_TRUE(network.graph.has_edge(a, b)) << name;
        if (P_t.up(edge)) ++degree[a], ++degree[b];
        ASSERT_EQ(P.at(a, b) > 0, P_t.up(edge)) << name << " round " << t;
      }
      for (int i = 0; i < network.clients(); ++i) {
        double sum = 0;
        for (const auto& [j, weight] : P.row(i)) {
          ASSERT_EQ(weight, P.at(j, i)) << name << " round " << t;
          ASSERT_GE(weight, 0);
          if (j != i) {
            ASSERT_EQ(weight, (change.lazy() ? 0.5 : 1.0) / (1 + std::max(degree[i], degree[j])));
          }
          sum += weight;
        }
        ASSERT_NEAR(sum, 1, 1e-15) << name << " round " << t;
      }
    }
  }
}

// Whoever comes upon a round without those before, as a run that is resumed, finds the same edges up.
TEST(NetworkChange, ARoundDoesNotDependOnTheWayToIt) {
  for (const auto& [name, network] : cases()) {
    const NetworkChange& change = *network.change;
    RoundWeights in_turn(change), by_leaps(change);
    for (Tick t = 0; t < 300; ++t) {
      in_turn.go_to(t);
      if (t % 7 == 3) by_leaps.go_to(t);
      for (Index edge = 0; edge < std::ssize(change.edges()); ++edge) {
        ASSERT_EQ(change.up(edge, t), in_turn.up(edge)) << name << " round " << t;
        ASSERT_TRUE(t % 7 != 3 || by_leaps.up(edge) == in_turn.up(edge)) << name << " round " << t;
      }
    }
    by_leaps.go_to(5);  // and back
    for (Index edge = 0; edge < std::ssize(change.edges()); ++edge)
      ASSERT_EQ(by_leaps.up(edge), change.up(edge, 5)) << name;
  }
}

TEST(NetworkChange, LinksAreDownAsOftenAndAsLongAsAsked) {
  for (const auto& [loss, burst] : {std::pair{0.3, 1.0}, {0.1, 4.0}, {0.5, 20.0}, {0.0, 3.0}}) {
    const Network network =
        changing(16, {{"change", "links"}, {"loss", std::to_string(loss)}, {"burst", std::to_string(burst)}});
    const auto edges = static_cast<double>(network.graph.edges());
    double down = 0, turned = 0;
    RoundWeights P(*network.change);
    std::vector<char> before(network.graph.edges());
    for (Tick t = 0; t < many; ++t) {
      P.go_to(t);
      for (Index edge = 0; edge < network.graph.edges(); ++edge) {
        down += P.up(edge) ? 0 : 1;
        turned += t > 0 && before[edge] != P.up(edge) ? 1 : 0;
        before[edge] = P.up(edge);
      }
    }
    const double all = edges * many, spread = 5 * std::sqrt(2 * burst * loss * (1 - loss) / all);
    EXPECT_NEAR(down / all, loss, spread);
    EXPECT_NEAR(turned / all, 2 * loss * (1 - loss) / burst,
                5 * std::sqrt(2 * loss * (1 - loss) / burst / all));
  }
}

TEST(NetworkChange, GraphsTakeTurns) {
  const Network network =
      changing(16, {{"change", "periodic"}, {"graphs", "ring, hypercube"}, {"every", "3"}});
  RoundWeights P(*network.change);
  for (const auto& [round, edges] :
       {std::pair<Tick, Index>{0, 16}, {2, 16}, {3, 32}, {5, 32}, {6, 16}, {600'003, 32}}) {
    P.go_to(round);
    EXPECT_EQ(P.edges_up(), edges) << round;
  }
  const auto& figures = network.change->figures();
  EXPECT_EQ(figures->draws, 2);
  EXPECT_EQ(figures->connected, 1);
  EXPECT_FALSE(figures->contraction);
}

TEST(NetworkChange, WithoutLossItIsTheNetworkThatStays) {
  for (const char* graph : {"ring", "star", "torus"}) {
    const Network network = changing(16, {{"graph", graph}, {"change", "links"}, {"loss", "0"}});
    RoundWeights P(*network.change);
    P.go_to(77);
    const Weights matrix = P.matrix();
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) EXPECT_EQ(matrix.at(i, j), network.P.at(i, j)) << graph;
    const double largest = std::max(network.spectrum.lambda2(), -network.spectrum.lambda_min());
    EXPECT_NEAR(*network.change->figures()->contraction, largest, 1e-10) << graph;
    EXPECT_EQ(network.change->figures()->connected, 1);
  }
}

// Two clients: their edge is up in a share 1 − loss of the rounds, and then P = ½ everywhere.
TEST(NetworkChange, ExpectsWhatTwoClientsShow) {
  const Network network = changing(2, {{"graph", "complete"}, {"change", "links"}, {"loss", "0.36"}});
  const RoundFigures figures = network.change->figures().value();
  EXPECT_EQ(figures.draws, 10'000);
  EXPECT_NEAR(figures.connected, 0.64, 0.02);
  EXPECT_NEAR(*figures.contraction, std::sqrt(1 - figures.connected), 1e-12);
  const Network bursts = changing(2, {{"graph", "complete"}, {"change", "links"}, {"burst", "2"}});
  EXPECT_FALSE(bursts.change->figures()->contraction);
}

// The naive twin: whole rounds over whole rows, with the P of each round.
template <class Real>
void mix_naively(const Network& network, Tick first, int R, Rows<Real>& z) {
  RoundWeights P(*network.change);
  const int n = network.clients();
  std::vector<std::vector<Real>> before(n), now(n), next(n);
  for (int i = 0; i < n; ++i) before[i] = now[i] = next[i] = {z.row(i).begin(), z.row(i).end()};
  for (int r = 0; r < R; ++r) {
    P.go_to(first + r);
    const Weights matrix = P.matrix();
    for (int i = 0; i < n; ++i)
      for (Index c = 0; c < z.dimension(); ++c) {
        Real sum = now[i][c] + Real(0) * (now[i][c] - before[i][c]);
        for (const auto& [j, weight] : matrix.row(i))
          if (j != i) sum += static_cast<Real>(weight) * (now[j][c] - now[i][c]);
        next[i][c] = sum;
      }
    before = now;
    now = next;
  }
  for (int i = 0; i < n; ++i) std::ranges::copy(now[i], z.row(i).begin());
}

template <class Real>
void compare_with_twin(const Case& one, Index d, int R, int thread_count) {
  const int n = one.network.clients();
  Threads threads(thread_count);
  InProcess<Real> transport(n, threads);
  Peers<Real> peers(one.network, transport);
  const auto gossip = peers.gossip("chebyshev", R, "");
  Rows<Real> z({0, n}, d), expected({0, n}, d);
  for (int i = 0; i < n; ++i) {
    Random(11, Purpose::start, i).normals<Real>(0, z.row(i));
    std::ranges::copy(z.row(i), expected.row(i).begin());
  }
  Index messages = 0;
  RoundWeights P(*one.network.change);
  for (Tick t = 0; t < 3 * R; ++t) {
    P.go_to(t);
    messages += 2 * P.edges_up();
  }
  gossip->mix(z);
  mix_naively(one.network, 0, R, expected);
  RankOneRows<Real> Delta(n, d);
  LargeVector<Real> v(d, Real(1));
  gossip->spread(n / 2, v, Delta);  // rounds R … 2R − 1
  Rows<Real> c({0, n}, 1);
  c.row(n / 2)[0] = 1;
  mix_naively(one.network, R, R, c);
  for (int i = 0; i < n; ++i) ASSERT_EQ(Delta.c[i], c.row(i)[0]) << one.name;
  gossip->mix(z);
  mix_naively(one.network, 2 * R, R, expected);
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(std::memcmp(z.row(i).data(), expected.row(i).data(), z.row(i).size_bytes()), 0) << one.name;
  EXPECT_EQ(peers.traffic().rounds, 3 * R);
  EXPECT_EQ(peers.traffic().bytes, messages * d * static_cast<Index>(sizeof(Real)));
}

TEST(NetworkChange, GossipHasTheBitsOfItsNaiveTwin) {
  for (const Case& one : cases())
    for (const int R : {1, 2, 3, 8}) {
      compare_with_twin<double>(one, 15, R, 1);
      compare_with_twin<float>(one, 5000, R, 2);
    }
}

// More rounds than are prepared at once: each begins anew with z⁽⁻¹⁾ = z⁽⁰⁾, which plain rounds do not see.
TEST(NetworkChange, ManyRoundsAreTheSameRounds) {
  for (const Case& one : cases()) {
    const int n = one.network.clients();
    Threads threads(1);
    InProcess<double> transport(n, threads);
    Peers<double> at_once(one.network, transport), one_by_one(one.network, transport);
    Rows<double> z({0, n}, 3), twin({0, n}, 3);
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c)
        z.row(i)[c] = twin.row(i)[c] = 1 + Random(1, Purpose::start, i, c).uniform();
    at_once.gossip("plain", 150, "")->mix(z);
    const auto single = one_by_one.gossip("plain", 1, "");
    for (int r = 0; r < 150; ++r) single->mix(twin);
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c) ASSERT_EQ(z.row(i)[c], twin.row(i)[c]) << one.name;
    EXPECT_EQ(at_once.measured_contraction(), one_by_one.measured_contraction());
  }
}

TEST(NetworkChange, TenThousandRoundsKeepTheMean) {
  for (const Case& one : cases()) {
    const int n = one.network.clients();
    Threads threads(1);
    InProcess<double> transport(n, threads);
    Peers<double> peers(one.network, transport);
    const auto gossip = peers.gossip("plain", 10, "");
    Rows<double> z({0, n}, 4);
    for (int i = 0; i < n; ++i) Random(3, Purpose::start, i).normals<double>(0, z.row(i));
    std::vector<double> before(4), after(4);
    transport.mean(z, before);
    for (Tick t = 0; t < many; t += 10) gossip->mix(z);
    transport.mean(z, after);
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(after[c], before[c], 1e-14) << one.name;
  }
}

// E‖P_t z‖² ≤ ρ² ‖z‖² for z of mean 0, so the geometric mean over many rounds stays below ρ.
TEST(NetworkChange, IndependentRoundsContractAsExpected) {
  for (const char* graph : {"ring", "torus", "star", "complete"})
    for (const char* loss : {"0.1", "0.3", "0.5"}) {
      const Network network = changing(16, {{"graph", graph}, {"change", "links"}, {"loss", loss}});
      Threads threads(1);
      InProcess<double> transport(16, threads);
      Peers<double> peers(network, transport);
      const auto gossip = peers.gossip("plain", 100, "");
      Rows<double> z({0, 16}, 1);
      for (int k = 0; k < 20; ++k) gossip->mix(z);
      const double expected = network.change->figures()->contraction.value();
      EXPECT_LT(expected, 1);
      EXPECT_LE(peers.measured_contraction().value(), expected) << graph << " " << loss;
      EXPECT_GE(peers.measured_contraction().value(), 0.5 * expected) << graph << " " << loss;
    }
}

// Edges of a path 0 – 1 – 2 – 3 that are up in every third round only, each in its own.
class Signals : public NetworkChange {
 public:
  Signals() : NetworkChange(Graph(4, {{0, 1}, {1, 2}, {2, 3}}), false) {}
  bool up(Index edge, Tick round, Tick, bool) const override { return round % 3 == edge; }

 protected:
  Index period() const override { return 3; }
  bool independent() const override { return false; }
  bool drawn_up(Index edge, Index draw) const override { return draw == edge; }
};

TEST(NetworkChange, TravellersWaitWhereTheirNextEdgeIsDown) {
  const Signals signals;
  EXPECT_EQ(rounds_to_arrive(signals, {{0, 0}, {3, 3}}, 5), 0);
  EXPECT_EQ(rounds_to_arrive(signals, {{0, 3}}, 0), 3);          // with the signals
  EXPECT_EQ(rounds_to_arrive(signals, {{3, 0}}, 0), 7);          // against them: rounds 2, 4, 6
  EXPECT_EQ(rounds_to_arrive(signals, {{0, 3}, {3, 0}}, 1), 6);  // 3, 4, 5 and 2, 4, 6
  EXPECT_EQ(signals.figures()->connected, 0);
}

TEST(NetworkChange, EachLevelOfAnAveragingWaitsForItsEdges) {
  const Signals signals;
  // up: edge 2 in round 2, edge 1 in 4, edge 0 in 6; down: 0 in 9, 1 in 10, 2 in 11
  EXPECT_EQ(TreeRounds(signals).up_and_down(0), 12);
  EXPECT_EQ(TreeRounds(signals).up_and_down(3), 12);
}

TEST(NetworkChange, MistakesAreToldInOneSentence) {
  const auto mistake = [](int n, const std::vector<std::pair<std::string, std::string>>& given) {
    return refusal([&] { changing(n, given); });
  };
  expect_words(mistake(16, {{"change", "links"}, {"loss", "1"}}),
               {"network.loss", "1 is out of range", "below 1"});
  expect_words(mistake(16, {{"change", "links"}, {"loss", "-0.1"}}),
               {"network.loss", "out of range", "at least 0"});
  expect_words(mistake(16, {{"change", "links"}, {"burst", "0.5"}}), {"network.burst", "from 1"});
  expect_words(mistake(16, {{"change", "weather"}}), {"network.change", "\"weather\" is not known"});
  expect_words(mistake(16, {{"change", "links"}, {"weights", "uniform"}}),
               {"network.weights", "uniform", "links"});
  expect_words(mistake(16, {{"change", "links"}, {"weights", "file"}, {"matrix", "P.txt"}}),
               {"network.weights", "\"file\"", "metropolis"});
  expect_words(mistake(16, {{"change", "periodic"}}),
               {"network.change", "needs the graphs", "network.graphs"});
  expect_words(mistake(16, {{"change", "periodic"}, {"graphs", "ring, strа"}}),
               {"network.graphs", "is not known"});
  expect_words(mistake(16, {{"change", "periodic"}, {"graphs", ""}}), {"network.graphs", "is not known"});
  expect_words(mistake(12, {{"change", "periodic"}, {"graphs", "ring, hypercube"}}), {"12", "power of two"});
  expect_words(mistake(6, {{"change", "periodic"}, {"graphs", "file"}, {"edges", "0 1\n2 3\n4 5\n"}}),
               {"not connected", "3 components", "network.graphs"});
  expect_words(mistake(6, {{"change", "periodic"}, {"graphs", "ring"}, {"neighbours", "1"}}),
               {"isolated"});
  EXPECT_EQ(mistake(6, {{"change", "periodic"}, {"graphs", "ring, file"}, {"edges", "0 1\n2 3\n4 5\n"}}), "");
}

}  // namespace
}  // namespace doc2s
