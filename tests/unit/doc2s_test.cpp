// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "centralised.hpp"

namespace doc2s {
namespace {

using testing::CentralisedConversion;
using testing::doc2s_settings;
using testing::expect_near;
using testing::network_of;
using testing::SmallWorld;

template <class Real>
std::unique_ptr<Algorithm<Real>> make_doc2s(SmallWorld<Real>& small, const Settings& settings,
                                            const std::vector<Real>& x0) {
  auto method = method_kinds().front().make<Real>(small.world, settings);
  method->start(x0);
  return method;
}

std::vector<double> random_start(Index d) {
  std::vector<double> x0(d);
  Random(21, Purpose::start).normals<double>(0, std::span(x0));
  return x0;
}

// Algorithm 1 as the paper prints it: dense Δ, every w, all epochs' means kept.
struct DenseDoc2s {
  using Matrix = std::vector<std::vector<double>>;

  SmallWorld<double>& small;
  Rounds rounds;
  Tick T;
  double eta, D;
  Matrix y, Delta, w_sum;
  std::vector<Matrix> epoch_means;  // [k][i] = ŵ_i^k

  Matrix gossip(const Matrix& z) const {
    Matrix before = z, now = z;
    RoundSteps steps(rounds);
    for (int r = 0; r < rounds.count; ++r) {
      const auto [weight, momentum] = steps.next();
      Matrix next(z.size(), std::vector<double>(z[0].size()));
      for (std::size_t i = 0; i < z.size(); ++i)
        for (std::size_t c = 0; c < z[0].size(); ++c) {
          for (const auto& [j, p] : small.network.P.row(static_cast<int>(i))) next[i][c] += p * now[j][c];
          next[i][c] = weight * next[i][c] + (1 + momentum - weight) * now[i][c] - momentum * before[i][c];
        }
      before = now;
      now = next;
    }
    return now;
  }

  void step(Tick tick) {
    const int n = small.world.n();
    const std::size_t d = y[0].size();
    if (tick % T == 0) Delta = w_sum = Matrix(n, std::vector<double>(d));
    const int it = small.world.client_at(tick);
    Matrix x = y, w = y;
    for (int i = 0; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j) {
        w[i][j] += small.world.interpolation(i, tick) * Delta[i][j];
        if (i == it) x[i][j] += n * Delta[i][j];
        w_sum[i][j] += w[i][j];
      }
    y = gossip(x);
    std::vector<double> g(d), next(d);
    small.oracle->estimate(it, tick, w[it], g);
    for (std::size_t j = 0; j < d; ++j) next[j] = Delta[it][j] - eta * g[j];
    const double factor = n * std::min(1.0, D / norm<double>(next));
    Delta = Matrix(n, std::vector<double>(d));
    for (std::size_t j = 0; j < d; ++j) Delta[it][j] = factor * next[j];
    Delta = gossip(Delta);
    if (tick % T == T - 1) {
      epoch_means.push_back(w_sum);
      for (auto& row : epoch_means.back())
        for (double& number : row) number /= static_cast<double>(T);
    }
  }
};

void compare_with_dense(const std::string& graph, int n, int R, const std::string& gossip, bool first_order) {
  constexpr Tick K = 4, T = 25;
  constexpr Index d = 7;
  SmallWorld<double> small(network_of(graph, n, true), d, 5, first_order),
      twin(network_of(graph, n, true), d, 5, first_order);
  const auto x0 = random_start(d);
  auto method = make_doc2s<double>(small, doc2s_settings(K, T, R, 0.05, 0.02, gossip), x0);
  DenseDoc2s dense{twin, twin.network.rounds(gossip, R), T, 0.05, 0.02, {}, {}, {}, {}};
  dense.y.assign(n, x0);
  for (Tick tick = 0; tick < K * T; ++tick) {
    method->step(tick);
    dense.step(tick);
    for (int i = 0; i < n; ++i) expect_near(method->iterate().row(i), dense.y[i], 1e-11);
  }
  const Output<double> output = method->output();
  EXPECT_EQ(output.epochs, K);
  std::vector<double> last(d);
  for (int i = 0; i < n; ++i) {
    double nearest = 1e9;  // one of the client's own epoch means, to rounding
    for (const auto& means : dense.epoch_means)
      nearest = std::min(nearest, distance<double>(output.row(i), means[i]));
    EXPECT_LT(nearest, 1e-11);
    for (Index j = 0; j < d; ++j) last[j] += dense.epoch_means.back()[i][j] / n;
  }
  expect_near(output.last, last, 1e-11);
}

TEST(Doc2s, IsTheListingOfThePaper) {
  compare_with_dense("ring", 9, 2, "chebyshev", true);
  compare_with_dense("star", 6, 1, "plain", true);
  compare_with_dense("ring", 16, 1, "chebyshev-interval", true);
  compare_with_dense("torus", 12, 4, "chebyshev-interval", false);
  compare_with_dense("torus", 12, 3, "chebyshev", false);
  compare_with_dense("complete", 1, 1, "plain", true);
}

// On the complete graph every client holds the mean.
TEST(Doc2s, IsTheCentralisedConversionOnTheCompleteGraph) {
  constexpr Tick K = 5, T = 40;
  constexpr Index d = 6;
  for (const int R : {1, 30}) {
    SmallWorld<double> small(network_of("complete", 8), d, 3), twin(network_of("complete", 8), d, 3);
    CentralisedConversion central{twin, T, 0.03, 0.05, random_start(d)};
    auto method = make_doc2s<double>(small, doc2s_settings(K, T, R, 0.03, 0.05), central.x);
    for (Tick tick = 0; tick < K * T; ++tick) {
      method->step(tick);
      central.step(tick);
      for (int i = 0; i < 8; ++i) expect_near(method->iterate().row(i), central.x, 1e-12);
    }
  }
}

TEST(Doc2s, CountsAsTheSpecificationDoesByHand) {
  SmallWorld<double> small(network_of("ring", 16), 10, 1, /*first_order=*/false);
  auto method = make_doc2s<double>(small, doc2s_settings(2, 10, 3, 0.01, 0.01), std::vector<double>(10));
  EXPECT_EQ(method->length(), 20);
  for (Tick tick = 0; tick < 7; ++tick) method->step(tick);
  EXPECT_EQ(small.oracle->samples(), 7 * 2);          // a batch of 2, one client an iteration
  EXPECT_EQ(small.oracle->evaluations(), 7 * 2 * 2);  // two values a sample
  EXPECT_EQ(small.peers.traffic().rounds, 7 * 2 * 3);
  EXPECT_EQ(small.peers.traffic().bytes, 7 * 2 * 3 * 32 * 10 * 8);  // 32 directed edges
}

// Each client's output is uniform over the finished epochs: over many seeds, each of 4 epochs is as frequent.
TEST(Doc2s, OutputIsUniformOverTheFinishedEpochs) {
  constexpr Tick T = 3, finished = 4;
  constexpr int n = 4, seeds = 600;
  std::vector<int> hits(finished);
  for (int seed = 0; seed < seeds; ++seed) {
    SmallWorld<double> small(network_of("complete", n), 2, seed), twin(network_of("complete", n), 2, seed);
    const std::vector<double> x0(2, 1.0);
    auto method =
        make_doc2s<double>(small, doc2s_settings(1000, T, 1, 0.1, 0.1), x0);  // stopped long before K
    DenseDoc2s dense{twin, twin.network.rounds("chebyshev", 1), T, 0.1, 0.1, {}, {}, {}, {}};
    dense.y.assign(n, x0);
    for (Tick tick = 0; tick < finished * T + 2; ++tick) method->step(tick), dense.step(tick);
    const Output<double> output = method->output();
    ASSERT_EQ(output.epochs, finished);
    for (int i = 0; i < n; ++i)
      for (Tick k = 0; k < finished; ++k)
        hits[k] += distance<double>(output.row(i), dense.epoch_means[k][i]) < 1e-10;
  }
  const double expected = seeds * n / static_cast<double>(finished);
  EXPECT_EQ(std::accumulate(hits.begin(), hits.end(), 0), seeds * n);
  for (const int hit : hits) EXPECT_NEAR(hit, expected, 5 * std::sqrt(expected * 0.75));
}

TEST(Doc2s, BeforeTheFirstEpochEndsTheMeanSoFarStandsIn) {
  SmallWorld<double> small(network_of("ring", 5), 3, 2), twin(network_of("ring", 5), 3, 2);
  const std::vector<double> x0(3, 0.7);
  const Settings settings = doc2s_settings(2, 100, 2, 0.1, 0.1);
  auto method = make_doc2s<double>(small, settings, x0);
  EXPECT_EQ(distance<double>(method->output().row(2), x0), 0);
  DenseDoc2s dense{twin, twin.network.rounds("chebyshev", 2), 100, 0.1, 0.1, {}, {}, {}, {}};
  dense.y.assign(5, x0);
  for (Tick tick = 0; tick < 9; ++tick) method->step(tick), dense.step(tick);
  const Output<double> output = method->output();
  EXPECT_EQ(output.epochs, 0);
  std::vector<double> last(3);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(output.row(i)[j], dense.w_sum[i][j] / 9, 1e-12);
      last[j] += dense.w_sum[i][j] / 9 / 5;
    }
  expect_near(output.last, last, 1e-12);
}

template <class Real>
void expect_same_bits_on_threads(bool first_order) {
  constexpr Index d = 6000;  // 16 rows of it are worth a second thread
  const std::vector<Real> x0(d, Real(0.1));
  SmallWorld<Real> one(network_of("ring", 16), d, 4, first_order, 1),
      two(network_of("ring", 16), d, 4, first_order, 2), five(network_of("ring", 16), d, 4, first_order, 5);
  const Settings settings = doc2s_settings(3, 8, 2, 0.1, 0.1);
  auto a = make_doc2s<Real>(one, settings, x0), b = make_doc2s<Real>(two, settings, x0),
       c = make_doc2s<Real>(five, settings, x0);
  for (Tick tick = 0; tick < 24; ++tick) a->step(tick), b->step(tick), c->step(tick);
  for (int i = 0; i < 16; ++i)
    for (auto* other : {b.get(), c.get()}) {
      const auto same = [](std::span<const Real> u, std::span<const Real> v) {
        return std::memcmp(u.data(), v.data(), u.size_bytes()) == 0;
      };
      EXPECT_TRUE(same(a->iterate().row(i), other->iterate().row(i)));
    }
  EXPECT_EQ(one.oracle->digest(3), two.oracle->digest(3));
}

TEST(Doc2s, HasTheSameBitsOnAnyNumberOfThreads) {
  expect_same_bits_on_threads<double>(true);
  expect_same_bits_on_threads<double>(false);
  expect_same_bits_on_threads<float>(true);
  expect_same_bits_on_threads<float>(false);
}

}  // namespace
}  // namespace doc2s
