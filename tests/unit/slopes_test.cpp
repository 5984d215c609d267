// SPDX-License-Identifier: Apache-2.0
#include "study/reproduce/slopes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

#include "study/reproduce/scaling.hpp"

namespace doc2s {
namespace {

TEST(Slopes, FindsKnownExponents) {
  std::vector<std::vector<double>> x;
  std::vector<double> y;
  for (const double n : {8.0, 16.0, 64.0})
    for (const double gamma : {1.0, 0.3, 0.01}) {
      x.push_back({std::log(n), std::log(gamma)});
      y.push_back(std::log(5 * std::pow(n, 2) * std::pow(gamma, -0.5)));
    }
  const auto fit = linear_fit(x, y);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(std::exp(fit->coefficients[0]), 5, 1e-9);
  EXPECT_NEAR(fit->coefficients[1], 2, 1e-12);
  EXPECT_NEAR(fit->coefficients[2], -0.5, 1e-12);
  EXPECT_NEAR(fit->errors[1], 0, 1e-9);
}

// y = 1, 3, 2 at x = 0, 1, 2: slope 1/2, residuals −1/2, 1, −1/2, variance 3/2 with one degree of freedom.
TEST(Slopes, KnowsItsError) {
  const auto fit = linear_fit({{0}, {1}, {2}}, {1, 3, 2});
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->coefficients[0], 1.5, 1e-12);
  EXPECT_NEAR(fit->coefficients[1], 0.5, 1e-12);
  EXPECT_NEAR(fit->errors[1], std::sqrt(1.5 / 2), 1e-12);
}

TEST(Slopes, NeedsPointsThatDecideThem) {
  EXPECT_FALSE(linear_fit({}, {}));
  EXPECT_FALSE(linear_fit({{0}, {1}}, {1, 2}));                  // as many points as coefficients
  EXPECT_FALSE(linear_fit({{2}, {2}, {2}, {2}}, {1, 2, 3, 4}));  // all at one place
  EXPECT_FALSE(
      linear_fit({{1, 2}, {2, 4}, {3, 6}, {4, 8}, {5, 10}}, {1, 2, 3, 4, 5}));  // one along the other
}

// Lines as if ME-DOL took exactly what Table 1 says, from n = 16 on censored on the ring.
class ScalingLines : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto& [graph, n, gamma] : {std::tuple{"ring", 8, 0.2},
                                          {"ring", 16, 0.05},
                                          {"torus", 8, 0.5},
                                          {"torus", 16, 0.4},
                                          {"torus", 64, 0.12},
                                          {"complete", 8, 1.0},
                                          {"complete", 64, 1.0}})
      cells_.push_back({graph, n, gamma, 1e-6, 1, 1, {1}});
    for (const auto& cell : cells_) {
      ScalingLine line{&me_dol(), &cell};
      const double rounds = 3 * cell.clients * std::pow(cell.gamma, -2);
      for (int seed = 1; seed <= 3; ++seed) {
        Reached reached{{cell.clients * rounds, rounds, 2 * rounds}, false, 0.01};
        reached.censored = cell.graph == "ring" && cell.clients == 16 && seed > 1;
        line.runs.push_back({seed, reached, "", ""});
      }
      lines_.push_back(line);
    }
  }

  static const ScalingMethod& me_dol() { return scaling_methods().back(); }

  std::vector<ScalingCell> cells_;
  std::vector<ScalingLine> lines_;
};

TEST_F(ScalingLines, GiveTheExponentsOfTable1) {
  int found = 0;
  for (const auto& slope : scaling_slopes(lines_)) {
    if (slope.method != &me_dol()) {
      EXPECT_FALSE(slope.fit);
      EXPECT_EQ(slope.points, 0);
      continue;
    }
    ++found;
    EXPECT_EQ(slope.points, slope.complete ? 6 : 13);
    EXPECT_EQ(slope.censored, slope.complete ? 0 : 2);
    ASSERT_TRUE(slope.fit);
    EXPECT_NEAR(slope.fit->coefficients[1], me_dol().n_exponents[slope.count], 1e-9);
    if (!slope.complete) {
      EXPECT_NEAR(slope.fit->coefficients[2], me_dol().gamma_exponents[slope.count], 1e-9);
    }
  }
  EXPECT_EQ(found, 6);
}

TEST_F(ScalingLines, HaveNoMedianWhereItIsCensored) {
  EXPECT_DOUBLE_EQ(*median_count(lines_[0], 1), 3 * 8 / 0.04);
  EXPECT_FALSE(median_count(lines_[1], 1));
}

TEST(Scaling, GivesEveryMethodAsManyTrials) {
  const ScalingSize size = scaling_size(Scale::page);
  for (const std::vector<int>& rounds : {std::vector{1}, std::vector{2, 30}, std::vector{4, 8, 200},
                                         std::vector{2, 4, 8, 30}, std::vector{1, 2, 4, 8, 20}}) {
    const ScalingCell cell{"ring", 16, 0.05, 1e-6, rounds.back(), 100, rounds};
    for (const auto& method : scaling_methods()) {
      const auto settings = scaling_settings(method, cell, size.trials);
      std::set<std::string> names;
      for (const auto& setting : settings) names.insert(name_of(setting));
      EXPECT_EQ(names.size(), size.trials) << method.label << ", " << rounds.size();
    }
  }
}

}  // namespace
}  // namespace doc2s
