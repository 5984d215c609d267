// SPDX-License-Identifier: Apache-2.0
#include "theory/theory_parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "data/libsvm.hpp"
#include "doc2s/base/error.hpp"
#include "problems/svm.hpp"
#include "run/experiment.hpp"
#include "testing_world.hpp"

namespace doc2s {
namespace {

// Two samples a client, ‖a‖ = 5 and 2, then 1 and √2.
Svm<double> small_svm(double lambda) {
  Samples samples;
  samples.dimension = 4;
  samples.offsets = {0, 2, 3, 4, 6};
  samples.columns = {0, 1, 2, 3, 0, 3};
  samples.values = {3, 4, 2, 1, 1, 1};
  samples.labels = {1, -1, 1, -1};
  return {samples, {{0, 1}, {2, 3}}, lambda, 2};
}

TEST(Constants, TheSvmKnowsItsOwn) {
  const auto svm = small_svm(0.1);
  EXPECT_DOUBLE_EQ(*svm.lipschitz(0), 5 + 0.1 * 2);
  EXPECT_DOUBLE_EQ(*svm.lipschitz(1), std::sqrt(2) + 0.1 * 2);
  Threads threads(2);
  Processes alone;
  const auto constants = combined(client_constants(svm, {0, 2}, 0.5, 1, threads), alone);
  EXPECT_DOUBLE_EQ(constants.lipschitz.value, 5.2);
  EXPECT_EQ(constants.lipschitz.source, "a bound");
  EXPECT_DOUBLE_EQ(constants.gradient_bound.value, 5.2);
  EXPECT_DOUBLE_EQ(constants.gap->value, 1);  // hinge at 0
}

// √ of the mean of 25 and 4, or of 1 and 2.
TEST(Constants, TheTightOnesAreOfTheMeanSquare) {
  const auto svm = small_svm(0.1);
  EXPECT_DOUBLE_EQ(*svm.mean_square_lipschitz(0), std::sqrt(14.5) + 0.1 * 2);
  EXPECT_DOUBLE_EQ(*svm.mean_square_lipschitz(1), std::sqrt(1.5) + 0.1 * 2);
  Threads threads(1);
  Processes alone;
  for (const char* kind : {"paper", "tight"}) {
    const Config config = default_config({change_from("method.parameters=theory"),
                                          change_from("method.delta=1"), change_from("method.epsilon=1"),
                                          change_from(std::string("method.constants=") + kind)});
    const auto constants = constants_of(config, svm, {0, 2}, alone, threads);
    EXPECT_DOUBLE_EQ(constants.lipschitz.value, kind[0] == 't' ? std::sqrt(14.5) + 0.2 : 5.2);
    EXPECT_FALSE(constants.lipschitz.measured);
  }
}

// This process is the second of two; the first sent its bytes before.
class SecondOfTwo : public Processes {
 public:
  explicit SecondOfTwo(std::string first) : first_(std::move(first)) {}
  int rank() const override { return 1; }
  int count() const override { return 2; }
  std::vector<std::string> gather(const std::string& mine) override { return {first_, mine}; }

 private:
  std::string first_;
};

class Recording : public Processes {
 public:
  std::vector<std::string> gather(const std::string& mine) override { return {sent = mine}; }
  std::string sent;
};

TEST(Constants, ProcessesTogetherFindWhatOneFinds) {
  const testing::Quadratic<double> quadratic(5, 7, 20);
  Threads threads(1);
  Processes alone;
  Recording first;
  combined(client_constants(quadratic, {0, 2}, 1, 3, threads), first);
  SecondOfTwo second(first.sent);
  const auto apart = combined(client_constants(quadratic, {2, 3}, 1, 3, threads), second);
  const auto whole = combined(client_constants(quadratic, {0, 5}, 1, 3, threads), alone);
  EXPECT_EQ(apart.lipschitz.value, whole.lipschitz.value);
  EXPECT_EQ(apart.gradient_bound.source, whole.gradient_bound.source);
}

TEST(Constants, SampledOnesAreAboveWhatTheyMetAndSaySo) {
  const testing::Quadratic<double> quadratic(3, 6, 20);
  Threads threads(1);
  Processes alone;
  const auto constants = combined(client_constants(quadratic, {0, 3}, 0.5, 1, threads), alone);
  EXPECT_NE(constants.lipschitz.source.find("sampled"), std::string::npos);
  EXPECT_FALSE(constants.gap);  // nobody said that the loss is not negative
  std::vector<double> zero(6), gradient(6);
  for (int client = 0; client < 3; ++client) {
    double mean_square = 0;
    for (Index sample = 0; sample < 20; ++sample) {
      quadratic.value(client, std::span(&sample, 1), zero, gradient);
      for (const double g : gradient) mean_square += g * g / 20;
    }
    EXPECT_GT(constants.lipschitz.value, std::sqrt(mean_square));
  }
}

class TheoryRun : public ::testing::Test {
 protected:
  static Config config(std::vector<std::string> words) {
    Changes changes;
    for (const char* word : {"problem.size=64", "problem.dimension=6", "clients.count=4",
                             "method.parameters=theory", "method.delta=0.5", "method.epsilon=5"})
      changes.push_back(change_from(word));
    for (const auto& word : words) changes.push_back(change_from(word));
    return default_config(changes);
  }

  static std::string refusal(const std::vector<std::string>& words) {
    Processes alone;
    try {
      Experiment<double>(config(words), alone);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  static std::string some_steps(const Config& config) {
    Processes alone;
    Experiment<double> experiment(config, alone);
    for (Tick tick = 0; tick < 30; ++tick) experiment.algorithm->step(tick);
    return experiment.trajectory();
  }
};

TEST_F(TheoryRun, ParametersAreThePlans) {
  Processes alone;
  const Experiment<double> experiment(config({}), alone);
  const Settings& method = experiment.config.method;
  const double L = method.real("lipschitz");
  EXPECT_NEAR(L, 1, 1e-4);  // unit vectors and a small λ√d
  const Plan plan = make_plan({.delta = 0.5,
                               .epsilon = 5,
                               .lipschitz = L,
                               .gradient_bound = L,
                               .gap = 1,
                               .clients = 4,
                               .dimension = 6});
  EXPECT_EQ(method.integer("K"), plan.K);
  EXPECT_EQ(method.integer("T"), plan.T);
  EXPECT_EQ(method.integer("R"), theorem_rounds(plan, experiment.network.spectrum.gamma()));
  EXPECT_EQ(method.real("D"), plan.D);
  EXPECT_EQ(method.real("eta"), plan.eta);
  EXPECT_EQ(method.real("delta_prime"), 0.25);
  EXPECT_EQ(experiment.algorithm->length(), plan.iterations());
}

TEST_F(TheoryRun, TheWrittenConfigIsTheSameRun) {
  Processes alone;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{},
        {"method.rounds_rule=exact"},
        {"method.order=zeroth"},
        {"method.smooth=2", "method.sigma=1", "method.epsilon=1"},
        {"method.gossip=plain", "method.rounds_rule=exact"},
        {"method.constants=tight", "method.epsilon=0.5"},
        {"method.constants=tight", "method.epsilon=0.5", "method.rounds_rule=theorem"},
        {"problem.name=mlp", "problem.hidden=3", "method.epsilon=50"}}) {
    const Experiment<double> experiment(config(words), alone);
    const std::string text = written(experiment.config);
    const auto again = parse_configs(text, "again.toml");
    EXPECT_EQ(some_steps(again.front()), some_steps(config(words)));
    Experiment<double> second(again.front(), alone);
    EXPECT_EQ(written(second.config), text);
  }
}

TEST_F(TheoryRun, UsersOwnConstantsWin) {
  Processes alone;
  const Experiment<double> own(config({"method.lipschitz=2", "method.gap=3"}), alone);
  EXPECT_EQ(own.config.method.real("lipschitz"), 2);
  EXPECT_NEAR(own.config.method.real("gradient_bound"), 1, 1e-4);
  EXPECT_EQ(own.config.method.integer("K"), 24 * 4 / 0.5 / 5 + 0.6);  // ⌈38.4⌉
}

TEST_F(TheoryRun, Refusals) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_NE(refusal({"method.K=7"}).find("K = 7 is given, but the theory says"), std::string::npos);
  EXPECT_NE(refusal({"method.eta=0.1"}).find("method.parameters = \"given\""), std::string::npos);
  EXPECT_NE(refusal({"method.smooth=1"}).find("sigma is missing"), std::string::npos);
  EXPECT_NE(refusal({"method.sigma=1"}).find("smooth is missing"), std::string::npos);
  EXPECT_NE(refusal({"method.smooth=1", "method.sigma=1", "method.order=zeroth"}).find("for order first"),
            std::string::npos);
  EXPECT_NE(refusal({"method.smooth=1", "method.sigma=1", "method.epsilon=1", "method.delta_prime=0.1"})
                .find("the theory says 0"),
            std::string::npos);
  EXPECT_NE(refusal({"method.gossip=plain"}).find("rounds_rule"), std::string::npos);
  EXPECT_NE(refusal({"method.epsilon=1e-6"}).find("this plan needs"), std::string::npos);
  Changes changes = {change_from("method.parameters=theory"), change_from("method.delta=1")};
  Processes alone;
  EXPECT_THROW(Experiment<double>(default_config(changes), alone), Error);  // no epsilon
}

}  // namespace
}  // namespace doc2s
