// SPDX-License-Identifier: Apache-2.0
#include "study/tune/tune.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "doc2s/base/error.hpp"
#include "study/tune/draws.hpp"
#include "study/tune/halving.hpp"
#include "study/tune/trial_config.hpp"

namespace doc2s {
namespace {

SearchRange range(double low, double high, bool to_one = false, bool whole = false) {
  return {.section = "method", .name = "x", .low = low, .high = high, .to_one = to_one, .whole = whole};
}

TEST(TuneDraws, HavePartsOfTheirOwnInEveryRange) {
  const auto points = spread_draws(7, 16, 3);
  ASSERT_EQ(points.size(), 16u);
  for (int k = 0; k < 3; ++k) {
    std::set<int> parts;
    for (const auto& point : points) parts.insert(static_cast<int>(std::floor(16 * point[k])));
    EXPECT_EQ(parts.size(), 16u);
    EXPECT_EQ(*parts.begin(), 0);
    EXPECT_EQ(*parts.rbegin(), 15);
  }
}

TEST(TuneDraws, ComeFromTheSeedAlone) {
  EXPECT_EQ(spread_draws(7, 16, 3), spread_draws(7, 16, 3));
  EXPECT_NE(spread_draws(7, 16, 3), spread_draws(8, 16, 3));
  EXPECT_EQ(another_draw(7, 4, 1, 2), another_draw(7, 4, 1, 2));
  EXPECT_NE(another_draw(7, 4, 1, 2), another_draw(7, 4, 2, 2));
  EXPECT_TRUE(spread_draws(7, 0, 2).empty());
}

TEST(TuneRanges, AreLogarithmic) {
  EXPECT_EQ(number_in(range(1e-4, 1).at(0)), 1e-4);
  EXPECT_EQ(number_in(range(1e-4, 1).at(0.5)), 0.01);
  EXPECT_EQ(number_in(range(1e-4, 1).at(1)), 1);
  EXPECT_EQ(number_in(range(0.9, 0.999, true).at(0.5)), 0.99);
  EXPECT_NEAR(range(0.9, 0.999, true).position(Value(0.99)), 0.5, 1e-9);
  EXPECT_EQ(std::get<std::int64_t>(range(1, 64, false, true).at(0.5)), 8);
}

TEST(TuneRanges, ValuesStayInside) {
  for (const SearchRange& one : {range(1e-4, 1), range(0.5, 0.997, true), range(1, 64, false, true)})
    for (double position = 0; position < 1; position += 1.0 / 512) {
      const double value = number_in(one.at(position));
      EXPECT_GE(value, one.low);
      EXPECT_LE(value, one.high);
      if (!one.whole) {
        EXPECT_NEAR(one.position(Value(value)), position, 2e-3);
      }
    }
}

TEST(TuneRanges, TellTheirEdges) {
  EXPECT_EQ(edge_of(range(1e-4, 1), Value(1.5e-4)), "lower");
  EXPECT_EQ(edge_of(range(1e-4, 1), Value(0.01)), "");
  EXPECT_EQ(edge_of(range(1e-4, 1), Value(0.6)), "upper");
  SearchRange rounds = range(1, 64, false, true);
  rounds.low_is_limit = true;
  EXPECT_EQ(edge_of(rounds, Value(std::int64_t{1})), "");
}

TEST(TuneRanges, AreThoseOfTheMethodAndThoseAsked) {
  const auto keys = [](const Changes& changes, const std::vector<std::string>& fixed,
                       const std::vector<AskedRange>& asked) {
    std::vector<std::string> all;
    for (const SearchRange& one : search_ranges(default_config(changes), fixed, asked))
      all.push_back(one.name);
    return all;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(keys({}, {}, {}), (Names{"R", "eta", "D"}));
  EXPECT_EQ(keys({}, {"method.eta"}, {asked_range("method.delta_prime=1e-4..1")}),
            (Names{"R", "D", "delta_prime"}));
  const Changes dsgd = {change_from("method.name=dsgd")};
  EXPECT_EQ(keys(dsgd, {}, {}), (Names{"eta"}));
  EXPECT_EQ(keys({dsgd.front(), change_from("method.momentum=0.9")}, {}, {}), (Names{"eta", "momentum"}));
  EXPECT_EQ(keys(dsgd, {}, {asked_range("method.momentum=0.5..0.9")}), (Names{"eta", "momentum"}));
}

TEST(TuneRanges, AreThoseOfTheOrder) {
  const auto ranges = [](const std::string& method, Ranges which = Ranges::of_the_order) {
    std::string text;
    const Config config =
        default_config({change_from("method.name=" + method), change_from("method.order=zeroth")});
    for (const SearchRange& one : search_ranges(config, {}, {}, which))
      text += fmt::format("{} {}..{} ", one.name, one.low, one.high);
    return text;
  };
  EXPECT_EQ(ranges("doc2s"), "T 10..1000 R 1..64 eta 1e-05..1 D 0.001..1 ");
  EXPECT_EQ(ranges("doc2s", Ranges::of_first_order), "R 1..64 eta 0.0001..1 D 0.0001..1 ");
  EXPECT_EQ(ranges("me-dol"), "T 10..1000 eta 1e-05..1 D 0.001..1 ");
  EXPECT_EQ(ranges("token"), "eta 1e-05..1 beta 0.5..0.997 ");
  EXPECT_EQ(ranges("dgfm"), "eta 1e-05..1 ");
}

TEST(TuneRungs, HalveTheTrialsAndDoubleTheWay) {
  const auto rungs = rungs_for(64);
  std::vector<int> trials;
  for (const Rung& rung : rungs) trials.push_back(rung.trials);
  EXPECT_EQ(trials, (std::vector<int>{64, 32, 16, 8, 4}));
  EXPECT_EQ(rungs.front().share, 1.0 / 16);
  EXPECT_EQ(rungs.back().share, 1);
  EXPECT_EQ(cost_in_runs(rungs), 12);
  EXPECT_EQ(rungs_for(16).back().trials, 3);
  EXPECT_EQ(rungs_for(2).back().trials, 2);
}

TEST(TuneRungs, KeepTheLowestAndNeverWhatDiverged) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(lowest({3, 1, inf, 2}, 2), (std::vector<int>{1, 3}));
  EXPECT_EQ(lowest({3, inf, inf, 2}, 3), (std::vector<int>{0, 3}));
  EXPECT_EQ(lowest({1, 1, 1}, 2), (std::vector<int>{0, 1}));
  EXPECT_TRUE(lowest({inf, std::nan("")}, 2).empty());
}

TEST(TuneConfigs, EndByTheirBudgetAlone) {
  const Config config =
      default_config({change_from("run.budget.seconds=1"), change_from("run.budget.samples=10")});
  const Config made = config_with(config, {}, {}, {"communication_rounds", 6400});
  EXPECT_FALSE(made.run.has("budget.seconds"));
  EXPECT_FALSE(made.run.has("budget.samples"));
  EXPECT_EQ(made.run.integer("budget.communication_rounds"), 6400);
  EXPECT_GE(made.method.integer("K") * made.method.integer("T"), Index{1} << 36);
  const Config first = config_up_to(made, {"communication_rounds", 6400}, {1.0 / 16, 4, true});
  EXPECT_EQ(first.run.integer("budget.communication_rounds"), 400);
  EXPECT_EQ(first.run.integer("record_every"), 5);  // 100 iterations, 20 records
  EXPECT_TRUE(first.run.given("checkpoint_every"));
}

TEST(TuneBudgets, AreReadWithCare) {
  EXPECT_EQ(tune_budget("samples=64000").amount, 64000);
  EXPECT_EQ(tune_budget("bytes=1e9").amount, 1000000000);
  EXPECT_EQ(tune_budget("iterations=100").count(), "iteration");
  for (const char* text : {"", "samples", "samples=", "samples=4", "samples=1.5e0", "samples=nan",
                           "samples=1e300", "seconds=10", "loss=3"})
    EXPECT_THROW(tune_budget(text), Error) << text;
}

}  // namespace
}  // namespace doc2s
