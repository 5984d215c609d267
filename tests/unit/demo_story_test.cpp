// SPDX-License-Identifier: Apache-2.0
#include "demo_story.hpp"

#include <gtest/gtest.h>

namespace doc2s::app {
namespace {

Contestant contestant(const char* label, double mean, double worst, double rounds) {
  Contestant one{label, {}};
  one.end["samples"] = 64000;
  one.end["loss_mean_point"] = mean;
  one.end["loss_worst"] = worst;
  one.end["communication_rounds"] = rounds;
  one.end["bytes"] = 1000 * rounds;
  return one;
}

TEST(DemoStory, NamesTheLowestAndItsPrice) {
  EXPECT_EQ(
      demo_story(
          {contestant("A", 0.3, 0.9, 2000), contestant("B", 0.2, 0.25, 64000), contestant("C", 0.5, 2, 500)}),
      "After 64,000 samples each, B has the lowest loss at the clients' mean: 0.2000, against 0.3000 (A) and "
      "0.5000 (C).\n"
      "At the worst client B is lowest too: 0.2500, against 0.9000 (A) and 2.0000 (C).\n"
      "Rounds of communication and what they send over the edges: B has 64,000 and 64 MB, against 2,000 and "
      "2 MB (A) and 500 and 500 kB (C).\n"
      "So B pays for its low loss with 128 times the communication of C.\n");
}

TEST(DemoStory, FollowsTheFiguresWhereAnotherLeads) {
  const std::string story = demo_story({contestant("A", 0.3, 0.4, 2000), contestant("B", 0.2, 0.5, 500)});
  EXPECT_NE(story.find("B has the lowest loss at the clients' mean: 0.2000"), story.npos) << story;
  EXPECT_NE(story.find("At the worst client A is lowest: 0.4000, against 0.5000 (B)"), story.npos) << story;
  EXPECT_NE(story.find("So B has both the lowest loss and the least communication."), story.npos) << story;
}

}  // namespace
}  // namespace doc2s::app
