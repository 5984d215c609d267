// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "base/vectors.hpp"
#include "doc2s/run/configs.hpp"
#include "run/experiment.hpp"
#include "theory/theory_parameters.hpp"

// What the paper's lemmas say of a run with the theorem's parameters, in every iteration of real runs.
namespace doc2s {
namespace {

using Points = std::vector<std::vector<double>>;
using Values = std::vector<std::pair<std::string, Value>>;

// Δ_i = c_i v, as DOC²S keeps it for a checkpoint.
class StepsOfDoc2s : public State {
 public:
  explicit StepsOfDoc2s(Algorithm<double>& algorithm) { algorithm.state(*this); }

  void shared(const std::string& name, std::span<std::byte> bytes, int) override {
    if (name != "c" && name != "v") return;
    auto& numbers = name == "c" ? c : v;
    numbers.resize(bytes.size() / sizeof(double));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
  }
  void by_client(const std::string&, Index, const std::function<std::span<std::byte>(int)>&) override {}

  Points rows() const {
    Points Delta(c.size(), v);
    for (std::size_t i = 0; i < c.size(); ++i)
      for (double& number : Delta[i]) number *= c[i];
    return Delta;
  }

  std::vector<double> c, v;
};

Points points_of(const Rows<double>& rows, int n) {
  Points points;
  for (int i = 0; i < n; ++i) points.emplace_back(rows.row(i).begin(), rows.row(i).end());
  return points;
}

std::vector<double> mean_of(const Points& points) {
  std::vector<double> mean(points.front().size());
  for (const auto& point : points) add_scaled<double>(mean, 1 / static_cast<double>(points.size()), point);
  return mean;
}

// √Σ_i ‖z_i − z̄‖², which the proofs bound and which is at least every ‖z_i − z̄‖.
double disagreement(const Points& points) {
  const auto mean = mean_of(points);
  double squares = 0;
  for (const auto& point : points) squares += std::pow(distance<double>(point, mean), 2);
  return std::sqrt(squares);
}

// The largest over all iterations of a run.
struct Extent {
  double Delta = 0, y = 0;  // disagreement after gossip
  double length = 0;        // ‖Δ_i‖
  double epoch = 0;         // ‖ŵ_i^k − w_j^{k,t}‖ over all clients i, j and iterations t of an epoch k
  double telescoped = 0;  // of an epoch, Lemma 10 times 2η: Σ_t ‖Δ_{i^t} − u‖² − ‖Δ̄^{t+1} − u‖², ‖u‖ ≤ D
};

// Σ_t ‖a_t − u‖² − ‖b_t − u‖² = S − 2⟨V, u⟩
class Telescope {
 public:
  explicit Telescope(std::size_t dimension) : V_(dimension) {}
  void add(const std::vector<double>& a, const std::vector<double>& b) {
    S_ += dot<double>(a, a) - dot<double>(b, b);
    add_scaled<double>(V_, 1, a);
    add_scaled<double>(V_, -1, b);
  }
  double largest(double D) const { return S_ + 2 * D * norm<double>(V_); }

 private:
  double S_ = 0;
  std::vector<double> V_;
};

// ws[t][i] = w_i^t
double epoch_extent(const std::vector<Points>& ws) {
  double largest = 0;
  for (std::size_t i = 0; i < ws.front().size(); ++i) {
    Points own;
    for (const Points& w : ws) own.push_back(w[i]);
    const auto mean = mean_of(own);  // ŵ_i
    for (const Points& w : ws)
      for (const auto& point : w) largest = std::max(largest, distance<double>(mean, point));
  }
  return largest;
}

Extent extent_of_run(Experiment<double>& experiment, double D) {
  Algorithm<double>& algorithm = *experiment.algorithm;
  const int n = experiment.network.clients();
  const Tick T = experiment.config.method.integer("T");
  Extent extent;
  std::vector<Points> ws;
  std::optional<Telescope> telescope;
  Points y = points_of(algorithm.iterate(), n), Delta(n, std::vector<double>(experiment.world.d()));
  for (Tick tick = 0; tick < algorithm.length(); ++tick) {
    if (tick % T == 0) {
      for (auto& row : Delta) std::fill(row.begin(), row.end(), 0.0);
      ws.clear();
      telescope.emplace(experiment.world.d());
    }
    ws.push_back(y);
    for (int i = 0; i < n; ++i)
      add_scaled<double>(ws.back()[i], experiment.world.interpolation(i, tick), Delta[i]);
    algorithm.step(tick);
    y = points_of(algorithm.iterate(), n);
    const Points before = std::exchange(Delta, StepsOfDoc2s(algorithm).rows());
    telescope->add(before[experiment.world.client_at(tick)], mean_of(Delta));
    extent.telescoped = std::max(extent.telescoped, telescope->largest(D));
    extent.y = std::max(extent.y, disagreement(y));
    extent.Delta = std::max(extent.Delta, disagreement(Delta));
    for (const auto& row : Delta) extent.length = std::max(extent.length, norm<double>(row));
    if (tick % T == T - 1) extent.epoch = std::max(extent.epoch, epoch_extent(ws));
  }
  return extent;
}

Config theorem_config(const std::vector<std::string>& more) {
  Changes changes;
  for (const char* word : {"problem.size=64", "problem.dimension=6", "clients.count=8", "run.threads=1",
                           "method.parameters=theory", "method.delta=1", "method.epsilon=0.8"})
    changes.push_back(change_from(word));
  for (const auto& word : more) changes.push_back(change_from(word));
  return default_config(changes);
}

struct Bounds {
  double epsilon_prime, D, y, radius, telescoped;
};

Bounds bounds_of(const Experiment<double>& experiment) {
  const Settings& method = experiment.config.method;
  const Plan plan =
      theory_parameters(experiment.config, *given_constants(method), experiment.network, experiment.world.d())
          .plan;
  const double e = plan.epsilon_prime, D = plan.D;
  return {e, D, (D + e) * e / (D - e), method.real("delta") - plan.delta_prime,
          D * D + (4 * D + e) * e * plan.T};
}

void expect_the_lemmas(const std::vector<std::string>& words) {
  SCOPED_TRACE(::testing::PrintToString(words));
  Processes alone;
  Experiment<double> experiment(theorem_config(words), alone);
  const Bounds bounds = bounds_of(experiment);
  const Extent extent = extent_of_run(experiment, bounds.D);
  EXPECT_LE(extent.Delta, bounds.epsilon_prime);              // Lemma 2
  EXPECT_LE(extent.length, bounds.D + bounds.epsilon_prime);  // Lemma 2
  EXPECT_LE(extent.y, bounds.y);                              // Lemma 3
  EXPECT_LE(extent.epoch, bounds.radius);                     // proof of Lemma 7
  EXPECT_LE(extent.telescoped, bounds.telescoped);            // Lemma 10
  EXPECT_GT(extent.length, bounds.D / 2);                     // the run did move, …
  EXPECT_GT(extent.epoch, bounds.radius / 100);
}

TEST(Lemmas, HoldInEveryIterationOfATheoremRun) {
  for (const std::string rule : {"method.rounds_rule=theorem", "method.rounds_rule=exact"}) {
    expect_the_lemmas({rule});
    expect_the_lemmas({rule, "method.order=zeroth", "method.epsilon=4"});
    expect_the_lemmas({rule, "method.smooth=1", "method.sigma=1"});
  }
  expect_the_lemmas({"method.rounds_rule=exact", "method.gossip=plain"});
  expect_the_lemmas({"method.rounds_rule=exact", "clients.partition=labels"});
  expect_the_lemmas({"method.constants=tight", "method.epsilon=0.3"});
  expect_the_lemmas({"method.constants=tight", "method.order=zeroth", "method.epsilon=1"});
  expect_the_lemmas({"method.constants=tight", "method.smooth=1", "method.sigma=1", "method.epsilon=0.3"});
}

// Half or a quarter of the rounds, or steps ten times as long: the checks above can fail.
TEST(Lemmas, FailWithOtherParameters) {
  Processes alone;
  const Experiment<double> planned(theorem_config({"method.rounds_rule=exact"}), alone);
  const Settings& method = planned.config.method;
  const Bounds bounds = bounds_of(planned);
  const auto extent_with = [&](const Values& values) {
    Config config = planned.config;
    config.method.set("parameters", "given");
    for (const auto& [name, value] : values) config.method.set(name, value);
    Experiment<double> experiment(config, alone);
    return extent_of_run(experiment, bounds.D);
  };
  const Extent apart = extent_with({{"R", method.integer("R") / 2}});
  EXPECT_GT(apart.Delta, bounds.epsilon_prime);
  EXPECT_GT(apart.y, bounds.y);
  EXPECT_GT(extent_with({{"R", method.integer("R") / 4}}).telescoped, bounds.telescoped);
  const Extent far = extent_with({{"D", 10 * method.real("D")}, {"eta", 10 * method.real("eta")}});
  EXPECT_GT(far.length, bounds.D + bounds.epsilon_prime);
  EXPECT_GT(far.epoch, bounds.radius);
}

}  // namespace
}  // namespace doc2s
