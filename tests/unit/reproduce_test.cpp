// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "doc2s/base/error.hpp"
#include "study/reproduce/pace.hpp"
#include "study/reproduce/results.hpp"

namespace doc2s {
namespace {

// Every line of every study is a config without mistakes, at every scale: the full one is too long to be
// tried.
class EveryScale : public ::testing::TestWithParam<Scale> {};

TEST_P(EveryScale, HasWholeConfigs) {
  std::set<std::string> names;
  for (const auto& study : studies(GetParam())) {
    EXPECT_TRUE(names.insert(study.name).second) << study.name;
    EXPECT_FALSE(study.views.empty());
    for (const auto& view : study.views) {
      std::set<std::string> directories;
      for (const auto& line : study.lines)
        for (const Changes* setting : {&line.settings.front(), &line.settings.back()})
          for (const auto& one : shown_cases(study, view, line, *setting, "o"))
            EXPECT_TRUE(directories.insert(one.run.directory).second || line.settings.size() == 1)
                << one.run.directory;
    }
  }
  const std::size_t comparisons = GetParam() == Scale::quick ? 2u * (6 + 3 * 2) : 2u * 4 * 6;
  EXPECT_EQ(names.size(), comparisons + 2 * 2 + 2 + 32 + 4);  // maps, ablations, links
}

INSTANTIATE_TEST_SUITE_P(Reproduce, EveryScale,
                         ::testing::Values(Scale::smoke, Scale::quick, Scale::page, Scale::full));

std::vector<std::string> names_asked(const std::string& word) {
  std::vector<std::string> names;
  for (const auto& study : studies_named(word, Scale::full)) names.push_back(study.name);
  return names;
}

TEST(Reproduce, FindsFiguresByNameOrBeginning) {
  EXPECT_EQ(names_asked("first-samples-a9a-sorted-wide"), std::vector<std::string>{"first-a9a-sorted-wide"});
  EXPECT_EQ(names_asked("first-samples-a9a-sorted"),
            (std::vector<std::string>{"first-a9a-sorted-paper", "first-a9a-sorted-wide"}));
  EXPECT_EQ(names_asked("ablation-gap-mnist"),
            (std::vector<std::string>{"ablation-gap-mnist-first", "ablation-gap-mnist-zeroth"}));
  EXPECT_EQ(names_asked("zeroth-communication").size(), 4u * 3 * 2);
  const std::vector<Study> all = studies(Scale::full);
  const auto of_paper = std::ranges::count_if(all, [](const Study& study) { return study.of_paper; });
  EXPECT_EQ(std::ssize(names_asked("all")), of_paper);
  EXPECT_EQ(names_asked("links").size(), 4u);
  EXPECT_EQ(all.size(), names_asked("all").size() + 4);
  EXPECT_THROW(names_asked("ablation-ga"), Error);
  EXPECT_THROW(names_asked(""), Error);
  const Study asked = studies_named("first-communication-a9a-iid-paper", Scale::full).front();
  EXPECT_EQ(asked.asked, 1u);
  EXPECT_EQ(asked.views.front().axis, "communication_rounds");
  EXPECT_EQ(asked.views.size(), 3u);
}

// No method is tuned more than another.
TEST_P(EveryScale, GivesEveryMethodTheSameTrials) {
  for (const auto& study : studies(GetParam()))
    for (const auto& line : study.lines) {
      EXPECT_EQ(line.settings.size(), study.lines.front().settings.size()) << study.name << line.label;
      std::set<std::string> different;
      for (const auto& setting : line.settings) different.insert(name_of(setting));
      EXPECT_EQ(different.size(), line.settings.size()) << study.name << line.label;
    }
}

TEST(Reproduce, TunesOverThePapersGridAndRounds) {
  const Study study = studies_named("zeroth-a9a-iid-paper", Scale::page).front();
  ASSERT_EQ(study.lines.size(), 5u);
  std::set<std::string> pairs, tuned;
  for (const auto& setting : study.lines[0].settings) pairs.insert(name_of(setting));
  for (const char* eta : {"0.001", "0.005", "0.01"})
    for (const char* D : {"0.05", "0.01", "0.005"})
      EXPECT_TRUE(pairs.contains(std::string("eta=") + eta + ",D=" + D));
  std::map<std::string, int> rounds;  // each R meets every η and every D once
  for (const auto& setting : study.lines[1].settings) {
    ++rounds[setting[2].value];
    EXPECT_TRUE(tuned.insert(setting[0].value + " " + setting[2].value).second);
    EXPECT_TRUE(tuned.insert(setting[1].value + "/" + setting[2].value).second);
  }
  EXPECT_EQ(rounds, (std::map<std::string, int>{{"2", 4}, {"4", 4}, {"8", 4}, {"35", 4}}));
}

TEST(Reproduce, ComparesAtEqualCounts) {
  const Study study = studies_named("zeroth-mnist-sorted-wide", Scale::page).front();
  for (const View& view : study.views)
    for (const Line& line : study.lines) {
      const Config config = shown_cases(study, view, line, line.settings.back(), "o").front().run.config;
      const double reached =
          static_cast<double>(config.run.integer("budget.iterations")) * pace(config, view.axis);
      EXPECT_LE(reached, view.budget) << line.label << view.axis;
      EXPECT_GT(reached, 0.99 * view.budget) << line.label << view.axis;
    }
}

// A record every whole number of epochs would always see the same phase of them.
TEST_P(EveryScale, RecordsAtDifferentPhasesOfAnEpoch) {
  for (const auto& study : studies(GetParam()))
    for (const auto& view : study.views)
      for (const auto& line : study.lines) {
        const Config config = shown_cases(study, view, line, line.settings.front(), "o").front().run.config;
        if (!config.method.has("T")) continue;
        const auto every = config.run.integer("record_every"), T = config.method.integer("T");
        EXPECT_NE(every % T, 0) << study.name << ", " << line.label << ": " << every;
      }
}

TEST(Reproduce, SpreadsOverSeeds) {
  const Spread spread = spread_of({2, 1, 6});
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  EXPECT_EQ(spread.lowest, 1);
  EXPECT_EQ(spread.highest, 6);
  EXPECT_DOUBLE_EQ(spread.sd, std::sqrt(7));  // (1 + 4 + 9)/2
  EXPECT_TRUE(std::isnan(spread_of({1, std::nan(""), 2}).highest));
  EXPECT_TRUE(std::isnan(spread_of({1}).sd));
  EXPECT_TRUE(std::isnan(spread_of({}).mean));
}

}  // namespace
}  // namespace doc2s
