// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include "study/ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "doc2s/base/error.hpp"

namespace doc2s {
namespace {

namespace fs = std::filesystem;

class Sweep : public ::testing::Test {
 protected:
  Sweep() {
    char pattern[] = "/tmp/doc2s-sweep-XXXXXX";
    folder_ = mkdtemp(pattern);
    std::ofstream(folder_ + "/c.toml")
        << "[problem]\nsize = 100\n[clients]\ncount = 4\n[run]\nrecord_every = 10\n"
           "[[method]]\nname = \"doc2s\"\nK = 2\nT = 20\n[[method]]\nname = \"me-dol\"\nK = 2\nT = 20\n";
  }
  ~Sweep() override { fs::remove_all(folder_); }

  std::vector<SweepCase> cases(const std::string& eta = "0.1,0.01") const {
    return sweep_cases(folder_ + "/c.toml", {},
                       {sweep_axis("method.eta=" + eta), sweep_axis("method.D=0.1,0.2,0.3")},
                       folder_ + "/out");
  }

  std::vector<SweepCase> seeded(const std::string& eta) const {
    return sweep_cases(folder_ + "/c.toml", {}, {sweep_axis("method.eta=" + eta), sweep_axis("seed=1,2,3")},
                       folder_ + "/out");
  }

  std::string folder_;
};

TEST_F(Sweep, HasEveryMethodWithEveryCombination) {
  const auto all = cases();
  ASSERT_EQ(all.size(), 12u);
  EXPECT_EQ(all[0].name, "doc2s/eta=0.1,D=0.1");
  EXPECT_EQ(all[3].name, "me-dol/eta=0.1,D=0.2");
  EXPECT_EQ(all[11].config.method.real("eta"), 0.01);
  EXPECT_EQ(all[11].config.method.real("D"), 0.3);
  EXPECT_THROW(cases("0.1,,0.2"), Error);
  EXPECT_THROW(cases("0.1,big"), Error);
  EXPECT_THROW(cases("0.1,0.1"), Error);
}

TEST_F(Sweep, AveragesTheSeedsOfASetting) {
  const auto all = seeded("0.1,0.01");
  ASSERT_EQ(all.size(), 12u);
  EXPECT_EQ(all[1].name, "me-dol/eta=0.1,seed=1");
  EXPECT_EQ(all[1].setting, "me-dol/eta=0.1");
  const Yardstick by = yardstick("loss_mean_point", "");
  EXPECT_TRUE(ranked(all, by).empty());
  for (const auto& one : all) run_case(one, {}, 1);
  const auto settings = ranked(all, by);
  ASSERT_EQ(settings.size(), 4u);
  int best = 0;
  for (std::size_t k = 0; k < settings.size(); ++k) {
    const RankedSetting& one = settings[k];
    ASSERT_EQ(one.runs.size(), 3u);
    std::vector<double> figures;
    for (const auto& run : one.runs) figures.push_back(result_of(*run.one, by).figure);
    EXPECT_TRUE(std::ranges::is_sorted(figures));
    EXPECT_EQ(one.spread.mean, spread_of(figures).mean);
    EXPECT_EQ(one.spread.sd, spread_of(figures).sd);
    EXPECT_GT(one.spread.sd, 0);  // seeds decide the samples
    EXPECT_EQ(lost_text(one, by), "");
    best += one.best_of_method;
    if (k > 0) {
      EXPECT_LE(settings[k - 1].spread.mean, one.spread.mean);
    }
    if (k > 0 && one.best_of_method) {
      EXPECT_NE(one.method(), settings.front().method());
    }
  }
  EXPECT_EQ(best, 2);
  EXPECT_TRUE(settings.front().best_of_method);
}

TEST_F(Sweep, DoesNotAverageWhatDivergedOrIsNotDone) {
  auto all = seeded("0.1,1e308");
  std::erase_if(all, [](const SweepCase& one) { return !one.name.starts_with("doc2s/"); });
  ASSERT_EQ(all.size(), 6u);
  const Yardstick by = yardstick("loss_mean_point", "");
  for (const std::size_t k : {0, 1, 3, 4}) run_case(all[k], {}, 1);
  auto settings = ranked(all, by);
  ASSERT_EQ(settings.size(), 2u);
  EXPECT_EQ(settings[0].counted, 2);
  EXPECT_EQ(lost_text(settings[0], by), "of 3 runs 1 is not done; the mean is of the others");
  EXPECT_EQ(settings[1].counted, 0);
  EXPECT_TRUE(std::isnan(settings[1].spread.mean));
  EXPECT_FALSE(settings[1].best_of_method);
  EXPECT_EQ(lost_text(settings[1], by), "of 3 runs 2 diverged, 1 is not done");

  // A setting that lost a run stands behind one that is whole, whatever its mean.
  all.erase(all.begin() + 2);
  settings = ranked(all, by);
  EXPECT_TRUE(settings[0].is_whole());
  all[3].setting = all[0].setting;
  settings = ranked(all, by);
  EXPECT_EQ(settings[0].counted, 2);
  EXPECT_FALSE(settings[0].is_whole());
}

TEST_F(Sweep, KnowsWhichMeasuresTheRecordsWillHave) {
  const Config config = cases().front().config;
  EXPECT_NO_THROW(check_recorded(config, *yardstick("consensus", "").measure));
  EXPECT_THROW(check_recorded(config, *yardstick("goldstein", "").measure), Error);
  EXPECT_THROW(check_recorded(config, *yardstick("test_rmse", "").measure), Error);
}

TEST_F(Sweep, TellsHowFarItIs) {
  const auto all = cases("0.1");
  std::atomic<bool> stop{false};
  std::vector<double> shares;
  run_cases(
      all, 2, stop, [](const SweepCase&, const Summary&) {}, [&](double done) { shares.push_back(done); });
  ASSERT_FALSE(shares.empty());
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_LE(shares.back(), static_cast<double>(all.size()) + 1e-9);
}

TEST_F(Sweep, KnowsWhatIsDone) {
  const auto all = cases();
  EXPECT_FALSE(is_done(all[0]));
  run_case(all[0], {}, 1);
  EXPECT_TRUE(is_done(all[0]));
  EXPECT_FALSE(is_done(all[1]));
  SweepCase other = all[0];
  other.config.method.set("T", std::int64_t{21});
  EXPECT_THROW(is_done(other), Error);

  std::atomic<bool> stop{true};
  RunOptions interrupted;
  interrupted.stop = &stop;
  run_case(all[1], interrupted, 1);
  EXPECT_FALSE(is_done(all[1]));
  const std::string once = run_case(all[1], {}, 1).trajectory;
  EXPECT_TRUE(is_done(all[1]));
  EXPECT_EQ(run_case(all[1], {}, 2).trajectory, once);
}

TEST_F(Sweep, ComparesWithinABudget) {
  const auto all = cases();
  run_case(all[0], {}, 1);
  EXPECT_EQ(result_of(all[0], yardstick("loss_mean_point", "samples=25")).iteration, 20);
  EXPECT_EQ(result_of(all[0], yardstick("loss_worst", "")).iteration, 40);
  EXPECT_TRUE(std::isnan(result_of(all[0], yardstick("accuracy", "")).figure));
  EXPECT_THROW(yardstick("loss", ""), Error);
  EXPECT_THROW(yardstick("loss_worst", "samples"), Error);
  EXPECT_THROW(yardstick("loss_worst", "sampels=4"), Error);
}

}  // namespace
}  // namespace doc2s
