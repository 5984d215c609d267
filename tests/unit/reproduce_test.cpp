#include <gtest/gtest.h>

#include <cmath>

#include <set>

#include "doc2s/base/error.hpp"
#include "study/reproduce/results.hpp"

namespace doc2s {
namespace {

// Every line of every study is a config without mistakes, at every scale: the full one is too long to be
// tried.
class EveryScale : public ::testing::TestWithParam<Scale> {};

TEST_P(EveryScale, HasWholeConfigs) {
  std::set<std::string> names, directories;
  for (const auto& study : studies(GetParam())) {
    EXPECT_TRUE(names.insert(study.name).second) << study.name;
    EXPECT_FALSE(study.views.empty());
    for (const auto& line : study.lines)
      for (const auto& setting : combinations(line.grid)) {
        std::vector<SweepCase> cases = shown_cases(study, line, setting, "o");
        EXPECT_EQ(cases.size(), 3u);
        for (const auto& one : cases) EXPECT_TRUE(directories.insert(one.directory).second) << one.directory;
      }
  }
  EXPECT_EQ(names.size(), 12u + 32u);
}

INSTANTIATE_TEST_SUITE_P(Reproduce, EveryScale, ::testing::Values(Scale::smoke, Scale::quick, Scale::full));

std::vector<std::string> names_asked(const std::string& word) {
  std::vector<std::string> names;
  for (const auto& study : studies_named(word, Scale::full)) names.push_back(study.name);
  return names;
}

TEST(Reproduce, FindsFiguresByNameOrBeginning) {
  EXPECT_EQ(names_asked("first-samples-a9a"), std::vector<std::string>{"first-a9a"});
  EXPECT_EQ(names_asked("ablation-gap-mnist"),
            (std::vector<std::string>{"ablation-gap-mnist-first", "ablation-gap-mnist-zeroth"}));
  EXPECT_EQ(names_asked("zeroth-bytes").size(), 6u);
  EXPECT_EQ(names_asked("all").size(), 44u);
  EXPECT_THROW(names_asked("ablation-ga"), Error);
  EXPECT_THROW(names_asked(""), Error);
  const Study asked = studies_named("first-bytes-a9a", Scale::full).front();
  EXPECT_EQ(asked.asked, 1u);
  EXPECT_EQ(asked.views.front().axis, "bytes");
  EXPECT_EQ(asked.views.size(), 4u);
}

TEST(Reproduce, TunesOverThePapersGridAtFullSize) {
  for (const auto& study : studies_named("zeroth", Scale::full)) {
    ASSERT_EQ(study.lines.size(), 4u);
    for (const auto& line : study.lines)
      EXPECT_EQ(combinations(line.grid).size(), line.label.starts_with("DGFM") ? 3u : 9u) << study.name;
    const Config config = tuning_cases(study, study.lines.front(), "o").front().config;
    EXPECT_EQ(config.clients.integer("count"), 16);
    EXPECT_EQ(config.method.integer("R"), 2);
    EXPECT_EQ(config.network.integer("neighbours"), 3);
  }
}

// A record every whole number of epochs would always see the same phase of them.
TEST_P(EveryScale, RecordsAtDifferentPhasesOfAnEpoch) {
  for (const auto& study : studies(GetParam()))
    for (const auto& line : study.lines) {
      const Config config = shown_cases(study, line, combinations(line.grid).front(), "o").front().config;
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
  EXPECT_TRUE(std::isnan(spread_of({1, std::nan(""), 2}).highest));
}

}  // namespace
}  // namespace doc2s
