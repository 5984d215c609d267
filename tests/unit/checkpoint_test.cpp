// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "checkpoint/checkpoint_file.hpp"
#include "checkpoint/checkpoint_rhythm.hpp"
#include "config/config_difference.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"

namespace doc2s {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string problem_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.problem();
  }
  return "";
}

class CheckpointFile : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::path(::testing::TempDir()) /
             ("checkpoint-" + std::to_string(getpid()) + "-" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                .string();
    CheckpointHeader header;
    header.iteration = 7;
    CheckpointWriter writer(path_, header);
    writer.block("text", bytes_of("hello"));
    writer.block("rows", {2, 3}, 4, [&](int client) { return bytes_of(rows_[client - 2]); });
    writer.finish();
    hash_ = writer.hash();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void replace(const std::string& bytes) { std::ofstream(path_, std::ios::binary) << bytes; }

  const std::vector<std::string> rows_ = {"two.", "thre", "four"};
  std::string path_;
  std::uint64_t hash_ = 0;
};

TEST_F(CheckpointFile, GivesBackWhatWasWritten) {
  const CheckpointReader reader(path_);
  EXPECT_EQ(reader.header().iteration, 7);
  EXPECT_EQ(reader.verify(), hash_);
  EXPECT_EQ(reader.names(), (std::vector<std::string>{"text", "rows"}));
  std::string text(5, ' ');
  reader.read("text", std::as_writable_bytes(std::span(text)));
  EXPECT_EQ(text, "hello");
  std::vector<std::string> got(10, "....");
  const auto part = [&](int client) { return std::as_writable_bytes(std::span(got[client])); };
  EXPECT_EQ(reader.read("rows", {3, 7}, 4, part), 2);  // clients 3 and 4 of those asked for
  EXPECT_EQ(got[2], "....");
  EXPECT_EQ(got[3], "thre");
  EXPECT_EQ(got[4], "four");
  EXPECT_EQ(reader.read("rows", {0, 2}, 4, part), 0);
}

TEST_F(CheckpointFile, RefusesWhatDoesNotFit) {
  const CheckpointReader reader(path_);
  std::string text(6, ' ');
  const auto room = std::as_writable_bytes(std::span(text));
  EXPECT_EQ(problem_of([&] { reader.read("text", room); }),
            "the block \"text\" has parts of 5 bytes instead of 6");
  EXPECT_EQ(problem_of([&] { reader.read("no", room); }), "has no block \"no\"");
}

TEST_F(CheckpointFile, FindsEveryBitThatChanged) {
  const std::string good = read_plain(path_);
  for (std::size_t at = 0; at < good.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      replace(bad);
      EXPECT_NE(problem_of([&] { CheckpointReader(path_).verify(); }), "") << "byte " << at << " bit " << bit;
    }
}

TEST_F(CheckpointFile, FindsWhatIsCutOff) {
  const std::string good = read_plain(path_);
  for (std::size_t length = 0; length < good.size(); ++length) {
    replace(good.substr(0, length));
    EXPECT_NE(problem_of([&] {
                const CheckpointReader reader(path_);
                if (reader.verify() == hash_) throw std::logic_error("as if nothing was missing");
                throw Error("another hash");
              }),
              "")
        << length;
  }
}

TEST(CheckpointRhythm, ReadsTimesAndIterations) {
  const auto rhythm = [](const std::string& text) {
    Settings run("run");
    run.set("checkpoint_every", text);
    return CheckpointRhythm(run);
  };
  EXPECT_TRUE(rhythm("10").due(20, 0));
  EXPECT_FALSE(rhythm("10").due(25, 1e9));
  EXPECT_TRUE(rhythm("1.5min").due(1, 90));
  EXPECT_FALSE(rhythm("2h").due(1, 7199));
  EXPECT_FALSE(rhythm("never").due(1000, 1e12));
  CheckpointRhythm by_time = rhythm("60s");
  by_time.wrote(30);
  EXPECT_FALSE(by_time.due(1, 89));
  EXPECT_TRUE(by_time.due(1, 90));
  for (const char* wrong : {"", "s", "60x", "-1s", "0", "1.5", "1e300", "inf", "nan", "60 s"})
    EXPECT_THROW(rhythm(wrong), Error) << wrong;
}

TEST(ConfigDifference, CountsWhatDecidesTheWay) {
  const auto config = [](const std::string& text) { return parse_configs(text, "test").front(); };
  const Config before = config("seed = 1\n[method]\neta = 0.1\n[run]\nrecord_every = 5\n");
  EXPECT_TRUE(differences(before, config("[method]\neta = 0.1\nK = 9\nlabel = \"x\"\n")).empty());
  EXPECT_EQ(way_hash(before), way_hash(config("[method]\neta = 0.1\nK = 9\n")));
  const Config other = config("seed = 2\n[method]\neta = 0.2\n[network]\ngraph = \"star\"\n");
  EXPECT_NE(way_hash(before), way_hash(other));
  const auto found = differences(before, other);
  EXPECT_NE(std::ranges::find(found, "method.eta was 0.1 and is 0.2"), found.end());
  EXPECT_NE(std::ranges::find(found, "seed was 1 and is 2"), found.end());
  EXPECT_NE(std::ranges::find(found, "network.graph was \"ring\" and is \"star\""), found.end());
}

}  // namespace
}  // namespace doc2s
