// Also under the thread sanitizer.
#include "study/ranking.hpp"

#include <gtest/gtest.h>

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
