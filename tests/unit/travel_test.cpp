// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "algorithms/client_points.hpp"
#include "centralised.hpp"
#include "network/route.hpp"
#include "started_method.hpp"

namespace doc2s {
namespace {

using testing::CentralisedConversion;
using testing::expect_near;
using testing::network_of;
using testing::OptionValues;
using testing::SmallWorld;
using testing::started;

Value whole(std::int64_t number) { return number; }

// With one traveller, uniform routes and stay 1.
void expect_centralised(const std::string& graph, int n, bool first_order) {
  constexpr Tick K = 5, T = 40;
  constexpr Index d = 6;
  SmallWorld<double> small(network_of(graph, n), d, 3, first_order),
      twin(network_of(graph, n), d, 3, first_order);
  auto method = started(small, "doc2s-travel", {{"T", T}, {"eta", 0.03}, {"D", 0.05}});
  CentralisedConversion central{twin, T, 0.03, 0.05, std::vector<double>(d, 0.3)};
  std::vector<double> mean(d);
  for (Tick tick = 0; tick < K * T; ++tick) {
    method->step(tick);
    central.step(tick);
    method->mean_point(mean);
    expect_near(mean, central.x, 1e-13);
  }
  const Output<double> output = method->output();
  EXPECT_EQ(output.epochs, K);
  expect_near(output.last, central.epoch_means.back(), 1e-13);
  double nearest = 1e9;
  for (const auto& w : central.epoch_means)
    nearest = std::min(nearest, distance<double>(output.row(n - 1), w));
  EXPECT_LT(nearest, 1e-13);
}

TEST(Travel, WithOneTravellerIsTheCentralisedConversion) {
  expect_centralised("ring", 9, true);
  expect_centralised("star", 6, true);
  expect_centralised("torus", 12, false);
  expect_centralised("complete", 1, true);
}

struct Drawn {
  int client;
  double s;
  std::vector<Index> batch;
  std::vector<double> z;
  bool operator==(const Drawn&) const = default;
};

// What chance decided in 60 iterations.
std::vector<Drawn> drawn_by(const std::string& name, bool first_order) {
  SmallWorld<double> small(network_of("complete", 7), 5, 8, first_order);
  auto method = started(small, name, {{"T", whole(10)}});
  std::vector<Drawn> all;
  small.oracle->observer = [&](const Estimate<double>& estimate) {
    all.push_back({estimate.client,
                   small.world.interpolation(estimate.client, estimate.tick),
                   {estimate.batch.begin(), estimate.batch.end()},
                   {estimate.z.begin(), estimate.z.end()}});
  };
  for (Tick tick = 0; tick < 60; ++tick) {
    method->step(tick);
    if (method->travels()) all.back().s = method->visits(tick).front().s;
  }
  return all;
}

TEST(Travel, OneTravellerHasTheChanceOfDoc2s) {
  for (const bool first_order : {true, false})
    EXPECT_EQ(drawn_by("doc2s-travel", first_order), drawn_by("doc2s", first_order));
}

// Travellers at one client have chances of their own, the first of them that of a single one.
TEST(Travel, TravellersAtOneClientDrawForThemselves) {
  SmallWorld<double> small(network_of("complete", 3), 4, 5);
  auto method = started(small, "token", {{"travellers", whole(3)}, {"route", std::string("uniform")}});
  std::set<std::vector<double>> directions;
  small.oracle->observer = [&](const Estimate<double>& estimate) {
    directions.emplace(estimate.z.begin(), estimate.z.end());
  };
  std::set<double> scales;
  int met = 0;
  for (Tick tick = 0; tick < 100; ++tick) {
    method->step(tick);
    for (const Visit& visit : method->visits(tick)) {
      scales.insert(visit.s);
      met += visit.draw > 0;
      EXPECT_EQ(visit.s,
                small.world.random_scale(static_cast<int>(visit.client), tick, static_cast<int>(visit.draw)));
    }
  }
  EXPECT_GT(met, 50);
  EXPECT_EQ(directions.size(), 300u);
  EXPECT_EQ(scales.size(), 300u);
}

// The stationary distribution of a symmetric P is uniform, on a star too: 10⁶ steps, errors by the means of
// 100 stretches, each much longer than the walk remembers.
TEST(Travel, AWalkVisitsTheClientsOfAStarEquallyOften) {
  constexpr int n = 6, stretches = 100, length = 10'000;
  const Network network = network_of("star", n);
  const auto route = make_route("walk", network, 1, 4);
  std::vector<std::vector<double>> share(n, std::vector<double>(stretches));
  int client = route->start(0);
  for (Tick tick = 0; tick < Tick{stretches} * length; ++tick) {
    const Route::Leg leg = route->next(0, client, tick + 1);
    ASSERT_TRUE(leg.hops == (leg.to != client) &&
                (leg.to == client || network.graph.has_edge(client, leg.to)));
    client = leg.to;
    share[client][tick / length] += 1.0 / length;
  }
  for (int i = 0; i < n; ++i) {
    double mean = 0, squares = 0;
    for (const double one : share[i]) mean += one / stretches;
    for (const double one : share[i]) squares += (one - mean) * (one - mean);
    const double error = std::sqrt(squares / (stretches - 1) / stretches);
    EXPECT_LT(error, 0.002) << i;
    EXPECT_NEAR(mean, 1.0 / n, 4 * error) << i;
  }
}

TEST(Travel, ClientsHaveWhatLastLeftThem) {
  SmallWorld<double> small(network_of("ring", 4), 2, 1);
  ClientPoints<double> points(small.world);
  const std::vector<double> x0 = {1, 2}, z = {3, 4}, later = {5, 6}, mean = {7, 8};
  const auto rows = [&] {
    std::vector<std::vector<double>> all;
    for (int i = 0; i < 4; ++i) all.emplace_back(points.rows().row(i).begin(), points.rows().row(i).end());
    return all;
  };
  using All = std::vector<std::vector<double>>;
  points.start(x0);
  EXPECT_EQ(rows(), (All{x0, x0, x0, x0}));
  points.leave(2, z);
  EXPECT_EQ(rows(), (All{x0, x0, z, x0}));
  points.leave(0, z);
  points.leave(2, later);
  EXPECT_EQ(rows(), (All{z, x0, later, x0}));
  std::ranges::copy(mean, points.averaged().begin());
  EXPECT_EQ(rows(), (All{mean, mean, mean, mean}));
  points.leave(1, z);
  EXPECT_EQ(rows(), (All{mean, z, mean, mean}));
}

// Bits of everything that a method shows, and how many travellers were not alone at a client.
struct Shown {
  std::vector<char> bits;
  int met = 0;
};

template <class Real>
void append(std::span<const Real> numbers, Shown& shown) {
  const auto* bytes = reinterpret_cast<const char*>(numbers.data());
  shown.bits.insert(shown.bits.end(), bytes, bytes + numbers.size_bytes());
}

template <class Real>
Shown shown_by(const std::string& name, const OptionValues& changes, int threads, bool first_order) {
  constexpr int n = 9;
  constexpr Index d = 3000;
  SmallWorld<Real> small(network_of("torus", n), d, 6, first_order, threads);
  auto method = started(small, name, changes);
  Shown shown;
  std::vector<Real> mean(d);
  for (Tick tick = 0; tick < 12; ++tick) {
    method->step(tick);
    for (const Visit& visit : method->visits(tick)) shown.met += visit.draw > 0;
    method->mean_point(mean);
    append<Real>(mean, shown);
  }
  const Output<Real> output = method->output();
  append<Real>(output.row(0), shown);
  append<Real>(output.last, shown);
  for (int i = 0; i < n; ++i) {
    append<Real>(method->iterate().row(i), shown);
    const std::uint64_t digest = small.oracle->digest(i);
    append<std::uint64_t>({&digest, 1}, shown);
  }
  return shown;
}

template <class Real>
void expect_same_bits_on_threads(const std::string& name) {
  for (const std::int64_t c : {4, 9})
    for (const bool first_order : {true, false}) {
      const OptionValues changes = {{"T", whole(5)}, {"travellers", c}, {"route", std::string("uniform")}};
      const Shown alone = shown_by<Real>(name, changes, 1, first_order);
      EXPECT_GT(alone.met, 0);
      for (const int threads : {2, 3})
        EXPECT_TRUE(shown_by<Real>(name, changes, threads, first_order).bits == alone.bits) << name << c;
    }
}

TEST(Travel, HasTheSameBitsOnAnyNumberOfThreads) {
  for (const char* name : {"doc2s-travel", "token"}) {
    expect_same_bits_on_threads<double>(name);
    expect_same_bits_on_threads<float>(name);
  }
}

}  // namespace
}  // namespace doc2s
