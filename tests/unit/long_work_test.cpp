// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/long_work.hpp"
#include "base/machine_memory.hpp"
#include "base/real_in.hpp"
#include "base/text.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {
namespace {

// Goes on until it has told how far it is; returns how it ended.
std::string worked_on(std::string& news) {
  std::atomic<bool> stop = false;
  const Listener listener(&stop, [&](const std::string& more) {
    news = more;
    stop = more.ends_with('%');
  });
  try {
    for (const LongWork work("counting sheep");;) work.go_on(0.5);
  } catch (const Interrupted& end) {
    return end.what();
  }
}

TEST(LongWork, IsHeardAndStopped) {
  std::string news;
  EXPECT_EQ(worked_on(news), "interrupted while counting sheep");
  EXPECT_EQ(news, "counting sheep, 50%");
}

TEST(LongWork, ThatIsSoonDoneComesToItsEnd) {
  const std::atomic<bool> stop = true;
  const auto begun = std::chrono::steady_clock::now();
  const Listener listener(&stop, {});
  try {
    LongWork("a short one").go_on();
  } catch (const Interrupted&) {  // on a busy machine it may not be short
    EXPECT_GT(std::chrono::steady_clock::now() - begun, Listener::moment);
  }
}

TEST(LongWork, IsHeardByTheInnermostOfItsThread) {
  const std::atomic<bool> stop = true;
  const Listener outer(&stop, {});
  std::this_thread::sleep_for(2 * Listener::moment);
  {
    const Listener inner(nullptr, {});
    EXPECT_NO_THROW(LongWork("within"));
  }
  std::thread([] { EXPECT_NO_THROW(LongWork("elsewhere")); }).join();
  EXPECT_THROW(LongWork("without"), Interrupted);
}

TEST(MachineMemory, IsToldBeforeItIsAskedFor) {
  EXPECT_GT(free_memory(), 0);
  EXPECT_LE(free_memory(), 1e3 * machine_memory());
  EXPECT_NO_THROW(require_memory(1e6, "a few rows", "here", ""));
  try {
    require_memory(1e18, "all the rows", "here", "take fewer");
    FAIL();
  } catch (const MachineError& error) {
    const std::string told = error.what();
    EXPECT_TRUE(told.starts_with("here: all the rows need 1e+09 GB of memory, and ")) << told;
    EXPECT_TRUE(told.ends_with(" are free; take fewer")) << told;
  }
}

TEST(Text, ByteOrderMarks) {
  EXPECT_EQ(byte_order_mark("seed = 1", "f"), 0u);
  EXPECT_EQ(byte_order_mark("", "f"), 0u);
  EXPECT_EQ(byte_order_mark("\xef\xbb\xbf", "f"), 3u);
  EXPECT_EQ(byte_order_mark({"\0\0\0\0", 4}, "f"), 0u);
  EXPECT_EQ(byte_order_mark({"\0\1\2\3", 4}, "f"), 0u);
  for (const std::string_view utf16 : {std::string_view("\xff\xfe", 2), std::string_view("\xfe\xff", 2),
                                       std::string_view("a\0b\0", 4), std::string_view("\0a\0b", 4)})
    EXPECT_THROW(byte_order_mark(utf16, "f"), Error);
}

TEST(Text, NumbersHaveADecimalPoint) {
  EXPECT_EQ(real_in("+0.5"), 0.5);
  EXPECT_EQ(real_in("1e3"), 1000);
  for (const char* none : {"", "0,5", "1x", " 1"}) EXPECT_TRUE(std::isnan(real_in(none))) << none;
}

}  // namespace
}  // namespace doc2s
