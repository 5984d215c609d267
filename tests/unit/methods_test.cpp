// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include <gtest/gtest.h>

#include <cstring>

#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "gossip/gossip.hpp"
#include "started_method.hpp"

namespace doc2s {
namespace {

using testing::Listening;
using testing::method_named;
using testing::network_of;
using testing::settings_of;
using testing::SmallWorld;
using testing::started;

// The contract that every method in the list keeps.
template <class Real>
void expect_contract(const std::string& name) {
  constexpr Index d = 5000;
  SmallWorld<Real> one(network_of("torus", 9), d, 6, /*first_order=*/false, 1),
      three(network_of("torus", 9), d, 6, false, 3);
  auto a = started(one, name, {{"T", std::int64_t{5}}}), b = started(three, name, {{"T", std::int64_t{5}}});
  EXPECT_GT(a->length(), 0);
  Index estimates = 0;  // as every process knows without asking
  for (Tick tick = 0; tick < 12; ++tick) {
    a->step(tick), b->step(tick);
    estimates += a->callers() * a->estimates(tick);
  }
  EXPECT_EQ(one.oracle->samples(), 2 * estimates) << name;
  const Output<Real> first = a->output(), second = b->output();
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(one.oracle->digest(i), three.oracle->digest(i)) << name;
    EXPECT_EQ(std::memcmp(a->iterate().row(i).data(), b->iterate().row(i).data(), d * sizeof(Real)), 0)
        << name;
    EXPECT_EQ(std::memcmp(first.row(i).data(), second.row(i).data(), d * sizeof(Real)), 0) << name;
  }
  EXPECT_EQ(one.oracle->samples(), three.oracle->samples());
  EXPECT_GT(one.peers.traffic().rounds, 0);
  EXPECT_GT(first.epochs, 0);
}

TEST(Methods, KeepTheContract) {
  for (const auto& kind : method_kinds()) {
    expect_contract<double>(kind.name);
    expect_contract<float>(kind.name);
  }
}

template <class Real>
std::vector<Real> numbers_of(const Rows<Real>& rows) {
  std::vector<Real> numbers;
  for (int i = rows.clients().first; i < rows.clients().end(); ++i)
    numbers.insert(numbers.end(), rows.row(i).begin(), rows.row(i).end());
  return numbers;
}

// Mixing what show_before_gossip() shows gives the iterate after the step, and looking at it changes nothing.
template <class Real>
void expect_shown_is_mixed(const std::string& name, const std::map<std::string, Value>& changes,
                           const std::string& gossip, std::int64_t R) {
  SmallWorld<Real> small(network_of("ring", 9), 300, 6, /*first_order=*/true, 2),
      unseen(network_of("ring", 9), 300, 6, true, 2);
  auto method = started(small, name, changes), other = started(unseen, name, changes);
  auto mixing = small.world.gossip(gossip, R, "test");
  int moved = 0;
  for (Tick tick = 0; tick < 18; ++tick) {  // epochs of 5
    Rows<Real> x = small.world.rows();
    const auto before = numbers_of(method->iterate());
    ASSERT_TRUE(method->show_before_gossip(tick, [&](const Rows<Real>& rows) {
      for (int i = 0; i < 9; ++i) std::ranges::copy(rows.row(i), x.row(i).begin());
    }));
    EXPECT_EQ(numbers_of(method->iterate()), before) << name << tick;
    EXPECT_TRUE(tick % 5 != 0 || numbers_of(x) == before) << name << tick;
    moved += numbers_of(x) != before;
    mixing->mix(x);
    method->step(tick), other->step(tick);
    EXPECT_EQ(numbers_of(x), numbers_of(method->iterate())) << name << tick;
    EXPECT_EQ(numbers_of(method->iterate()), numbers_of(other->iterate())) << name << tick;
  }
  EXPECT_GT(moved, 6) << name;
}

TEST(Methods, ShowWhatTheyWillMix) {
  const Value T = std::int64_t{5};
  const std::map<std::string, Value> reaching = {{"T", T}, {"R", std::int64_t{3}}};
  expect_shown_is_mixed<double>("doc2s", reaching, "chebyshev", 3);
  expect_shown_is_mixed<float>("doc2s", reaching, "chebyshev", 3);
  for (const char* form : {"paper", "code"}) {
    const std::map<std::string, Value> changes = {{"T", T}, {"form", std::string(form)}};
    expect_shown_is_mixed<double>("me-dol", changes, "plain", 1);
    expect_shown_is_mixed<float>("me-dol", changes, "plain", 1);
  }
}

TEST(Methods, ShowNothingWhereItDependsOnEstimates) {
  for (const char* name : {"dgfm", "dgfm-plus", "dsgd"}) {
    SmallWorld<double> small(network_of("ring", 9), 3, 6, false);
    auto method = started(small, name);
    EXPECT_FALSE(method->show_before_gossip(0, [](const Rows<double>&) { FAIL(); })) << name;
  }
}

TEST(Methods, DoNotPanicOnOneClient) {
  for (const auto& kind : method_kinds()) {
    SmallWorld<double> small(network_of("complete", 1), 3, 6, false);
    auto method = started(small, kind.name);
    for (Tick tick = 0; tick < 30; ++tick) method->step(tick);
    EXPECT_TRUE(std::isfinite(norm<double>(method->iterate().row(0)))) << kind.name;
  }
}

// Samples, evaluations and rounds of `iterations` steps on the 16-ring, with batches of 2.
void expect_counts(const std::string& name, bool first_order, const std::map<std::string, Value>& changes,
                   int iterations, Index samples, Index evaluations, Index rounds) {
  SmallWorld<double> small(network_of("ring", 16), 10, 1, first_order);
  auto method = started(small, name, changes);
  for (Tick tick = 0; tick < iterations; ++tick) method->step(tick);
  EXPECT_EQ(small.oracle->samples(), samples) << name;
  EXPECT_EQ(small.oracle->evaluations(), evaluations) << name;
  EXPECT_EQ(small.peers.traffic().rounds, rounds) << name;
  EXPECT_EQ(small.peers.traffic().bytes, rounds * 32 * 10 * 8) << name;
}

TEST(Methods, CountAsTheSpecificationDoesByHand) {
  const Index all = 16 * 2;  // a batch of 2 on every client
  expect_counts("me-dol", true, {}, 7, 7 * all, 7 * all, 7 * 2);
  expect_counts("me-dol", false, {{"form", std::string("code")}}, 7, 7 * all, 7 * 2 * all, 7 * 2);
  expect_counts("dgfm", false, {}, 7, 7 * all, 7 * 2 * all, 7 * 2);
  expect_counts("dgfm", true, {}, 7, 7 * all, 7 * all, 7 * 2);
  expect_counts("dsgd", true, {}, 7, 7 * all, 7 * all, 7);
  expect_counts("dsgd", false, {{"momentum", 0.9}}, 7, 7 * all, 7 * 2 * all, 7);
  // 8 iterations with local_steps = 3: gossip after the third and the sixth; 0: never
  expect_counts("dsgd", true, {{"local_steps", std::int64_t{3}}}, 8, 8 * all, 8 * all, 2);
  expect_counts("dsgd", true, {{"local_steps", std::int64_t{0}}}, 8, 8 * all, 8 * all, 0);
  // q = 3: iterations 0 and 3 take 4 estimates a client and 5 + 1 rounds, 1, 2, 4 take 2 pairs at two points
  // and 2 rounds
  const std::map<std::string, Value> plus = {{"q", std::int64_t{3}},
                                             {"b", std::int64_t{2}},
                                             {"b_prime", std::int64_t{4}},
                                             {"rounds", std::int64_t{5}}};
  expect_counts("dgfm-plus", false, plus, 5, (2 * 4 + 3 * 2) * all, (2 * 4 * 2 + 3 * 2 * 4) * all,
                2 * 6 + 3 * 2);
}

TEST(DgfmPlus, TakesTheSamePairAtTheNewAndTheOldPoint) {
  const Network network = network_of("complete", 1);
  Threads threads(1);
  const Listening problem(1, 4, 50);
  InProcess<double> transport(1, threads);
  auto oracle = make_zeroth_order<double>(problem, {3, 0.25, 1});
  Peers<double> peers(network, transport);
  World<double> world(peers, *oracle, 4, 1);
  const MethodKind& kind = method_named("dgfm-plus");
  auto method = kind.make<double>(world, settings_of(kind, {{"b", std::int64_t{2}}, {"eta", 0.1}}));
  method->start(std::vector<double>(4, 1.0));
  method->step(0);
  for (Tick tick = 1; tick < 9; ++tick) {
    problem.batches.clear();
    problem.points.clear();
    method->step(tick);
    ASSERT_EQ(problem.points.size(), 8u);  // two pairs, at x and x_old, at +μz and −μz
    for (int pair = 0; pair < 2; ++pair) {
      const auto* batch = &problem.batches[4 * pair];
      const auto* point = &problem.points[4 * pair];
      for (int k = 1; k < 4; ++k) EXPECT_EQ(batch[k], batch[0]);
      for (int j = 0; j < 4; ++j)
        EXPECT_NEAR(point[0][j] - point[1][j], point[2][j] - point[3][j], 1e-14);  // 2μz, twice the same
      EXPECT_GT(distance<double>(point[0], point[2]), 0);
    }
    EXPECT_NE(problem.batches[0], problem.batches[4]);  // another pair, another chance
  }
}

// Without gossip every client goes its own way: m = β m + (1 − β) g, x = x − η m.
TEST(Dsgd, FollowsItsListingOnEveryClientAlone) {
  SmallWorld<double> small(network_of("ring", 5), 3, 5), twin(network_of("ring", 5), 3, 5);
  auto method = started(small, "dsgd", {{"momentum", 0.5}, {"local_steps", std::int64_t{0}}, {"eta", 0.1}});
  for (Tick tick = 0; tick < 6; ++tick) method->step(tick);
  for (int i = 0; i < 5; ++i) {
    std::vector<double> x(3, 0.3), m(3), g(3);
    for (Tick tick = 0; tick < 6; ++tick) {
      twin.oracle->estimate(i, tick, x, g);
      for (int j = 0; j < 3; ++j) {
        m[j] = 0.5 * m[j] + 0.5 * g[j];
        x[j] -= 0.1 * m[j];
      }
    }
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(method->iterate().row(i)[j], x[j], 1e-14) << i;
  }
}

// With local_steps = 2 on the complete graph all clients agree after every second iteration, and only then.
TEST(Dsgd, MixesAfterItsLocalSteps) {
  SmallWorld<double> small(network_of("complete", 5), 3, 5);
  auto method = started(small, "dsgd", {{"local_steps", std::int64_t{2}}, {"eta", 0.1}});
  for (Tick tick = 0; tick < 8; ++tick) {
    method->step(tick);
    const double apart = distance<double>(method->iterate().row(0), method->iterate().row(4));
    if (tick % 2 == 1)
      EXPECT_LT(apart, 1e-14) << tick;
    else
      EXPECT_GT(apart, 1e-3) << tick;
  }
}

// On the complete graph with one step an epoch ME-DOL is online gradient descent from the mean.
TEST(MeDol, FollowsItsListingForAStep) {
  for (const char* form : {"paper", "code"}) {
    SmallWorld<double> small(network_of("complete", 3), 2, 5), twin(network_of("complete", 3), 2, 5);
    auto method = started(small, "me-dol", {{"form", std::string(form)}, {"D", 1e9}, {"eta", 0.1}});
    method->step(0);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(method->iterate().row(i)[0], 0.3, 1e-15);  // Δ = 0 at first, in both forms
    const std::vector<double> x0(2, 0.3);
    std::vector<double> g(2), mean(2);
    for (int i = 0; i < 3; ++i) {
      twin.oracle->estimate(i, 0, x0, g);
      for (int j = 0; j < 2; ++j) mean[j] += g[j] / 3;
    }
    method->step(1);  // x_i = y_i − η g_i (paper) or y_i − η ḡ (code); their mean is the same
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j)
        EXPECT_NEAR(method->iterate().row(i)[j], 0.3 - 0.1 * mean[j], 1e-14) << form;
  }
}

}  // namespace
}  // namespace doc2s
