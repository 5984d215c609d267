// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include <gtest/gtest.h>

#include <Random123/philox.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>
#include <thread>

#include "base/json.hpp"
#include "base/normal_pairs.hpp"
#include "base/text.hpp"
#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"
#include "doc2s/base/rows.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {
namespace {

// g++ 12.2 with AVX-512 copies it as {1, 1, 1, 1} unless CMakeLists.txt says otherwise.
__attribute__((noinline)) void copy_constant(std::int64_t* to) {
  const std::int64_t words[] = {1, 1, 0, 0};
  std::memcpy(to, words, sizeof words);
}

TEST(Compiler, CopiesConstantsAsTheyAre) {
  std::int64_t words[4];
  copy_constant(words);
  EXPECT_EQ(words[0] + words[1], 2);
  EXPECT_EQ(words[2] + words[3], 0);
}

TEST(Random, PhiloxGivesItsPublishedAnswers) {
  const auto zero = r123::Philox4x32()({{0, 0, 0, 0}}, {{0, 0}});
  EXPECT_EQ(zero[0], 0x6627e8d5u);
  EXPECT_EQ(zero[1], 0xe169c58du);
  EXPECT_EQ(zero[2], 0xbc57ac4cu);
  EXPECT_EQ(zero[3], 0x9b00dbd8u);
}

TEST(Random, KeyIsLaidOutAsDocumented) {
  Random random(0x0123456789abcdefULL, Purpose::batch, 7, (Tick{5} << 32) + 9, 11);
  const auto expected =
      r123::Philox4x32()({{0, 9, 5u << 24 | 3u << 16 | 11u, 7}}, {{0x89abcdefu, 0x01234567u}});
  for (int k = 0; k < 4; ++k) EXPECT_EQ(random.bits(), expected[k]);
}

TEST(Random, EveryPartOfTheKeyMatters) {
  std::set<std::uint32_t> seen;
  seen.insert(Random(1, Purpose::batch, 0, 0, 0).bits());
  seen.insert(Random(2, Purpose::batch, 0, 0, 0).bits());
  seen.insert(Random(1, Purpose::direction, 0, 0, 0).bits());
  seen.insert(Random(1, Purpose::batch, 1, 0, 0).bits());
  seen.insert(Random(1, Purpose::batch, 0, 1, 0).bits());
  seen.insert(Random(1, Purpose::batch, 0, Tick{1} << 32, 0).bits());
  seen.insert(Random(1, Purpose::batch, 0, 0, 1).bits());
  EXPECT_EQ(seen.size(), 7u);
}

TEST(Random, UniformHasItsMoments) {
  Random random(3, Purpose::start);
  double sum = 0, squares = 0;
  constexpr int count = 200'000;
  for (int k = 0; k < count; ++k) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
}

TEST(Random, BelowIsEvenOverItsRange) {
  Random random(4, Purpose::start);
  std::vector<int> hits(7);
  constexpr int count = 70'000;
  for (int k = 0; k < count; ++k) ++hits[random.below(7)];
  for (const int hit : hits) EXPECT_NEAR(hit, count / 7, 5 * std::sqrt(count / 7.0));
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, LogarithmAndCircleAgreeWithTheMathLibrary) {
  Random random(5, Purpose::start);
  for (int k = 0; k < 100'000; ++k) {
    const double u = (random.bits() + 0.5) * 0x1p-32, t = random.bits() * 0x1p-32;
    EXPECT_NEAR(log_unit(u), std::log(u), 4e-16 * std::max(1.0, std::abs(std::log(u)))) << u;
    double cosine, sine;
    cos_sin_turns(t, cosine, sine);
    EXPECT_NEAR(cosine, std::cos(2 * M_PI * t), 1e-15) << t;
    EXPECT_NEAR(sine, std::sin(2 * M_PI * t), 1e-15) << t;
  }
}

TEST(Random, NormalsHaveTheirMomentsAndTails) {
  std::vector<double> z(400'000);
  Random(6, Purpose::direction).normals<double>(0, z);
  double moment[5] = {};
  int beyond_two = 0;
  for (const double x : z) {
    for (int p = 1; p <= 4; ++p) moment[p] += std::pow(x, p) / static_cast<double>(z.size());
    beyond_two += std::abs(x) > 2;
  }
  const double root = std::sqrt(static_cast<double>(z.size()));
  EXPECT_NEAR(moment[1], 0, 5 / root);
  EXPECT_NEAR(moment[2], 1, 5 * std::sqrt(2.0) / root);
  EXPECT_NEAR(moment[3], 0, 5 * std::sqrt(15.0) / root);
  EXPECT_NEAR(moment[4], 3, 5 * std::sqrt(96.0) / root);
  EXPECT_NEAR(beyond_two / static_cast<double>(z.size()), 0.0455, 5 * 0.21 / root);
}

// P(X > x) = e^{−x}. The variance of a sample's variance is 8/N, and √N times the Kolmogorov–Smirnov distance
// exceeds 1.95 once in a thousand samples.
TEST(Random, ExponentialHasItsMomentsAndItsDistribution) {
  constexpr int N = 1'000'000;
  std::vector<double> draws;
  draws.reserve(N);
  for (int tick = 0; tick < N; ++tick)
    draws.push_back(Random(11, Purpose::interpolation, 3, tick).exponential());
  std::ranges::sort(draws);
  EXPECT_GE(draws.front(), 0);
  EXPECT_TRUE(std::isfinite(draws.back()));
  EXPECT_GT(draws.back(), 9);  // fails once in e^123 samples
  double mean = 0, variance = 0, distance = 0;
  for (const double x : draws) mean += x / N;
  for (const double x : draws) variance += (x - mean) * (x - mean) / (N - 1);
  for (int k = 0; k < N; ++k) {
    const double below = -std::expm1(-draws[k]);
    distance = std::max({distance, below - double(k) / N, double(k + 1) / N - below});
  }
  EXPECT_NEAR(mean, 1, 4 / std::sqrt(N));
  EXPECT_NEAR(variance, 1, 4 * std::sqrt(8.0 / N));
  EXPECT_LT(distance * std::sqrt(N), 1.95);
}

TEST(Random, ExponentialIsTheLogarithmOfTheUniform) {
  for (int tick = 0; tick < 10'000; ++tick) {
    const Random random(12, Purpose::interpolation, 0, tick);
    const double u = Random(random).uniform();
    EXPECT_NEAR(Random(random).exponential(), -std::log1p(-u), 4e-16 * (1 - std::log1p(-u))) << u;
  }
  EXPECT_EQ(-log_unit(1), 0);                                // the least draw, of u = 0, …
  EXPECT_NEAR(-log_unit(0x1p-53), 53 * std::log(2), 1e-13);  // … and the largest
}

TEST(Random, NormalsInPartsAreTheNormalsOfTheWhole) {
  const Random random(7, Purpose::direction, 3, 4);
  std::vector<double> whole(103), parts(103);
  random.normals<double>(0, whole);
  random.normals<double>(0, std::span(parts).first(40));
  random.normals<double>(40, std::span(parts).subspan(40));
  EXPECT_EQ(whole, parts);
  std::vector<float> rounded(103);
  random.normals<float>(0, rounded);
  for (int k = 0; k < 103; ++k) EXPECT_EQ(rounded[k], static_cast<float>(whole[k]));
}

// The naive twin: one block of Philox at a time, one pair of normals at a time.
std::vector<double> normals_one_by_one(std::uint32_t first_block, std::size_t count) {
  std::vector<double> numbers;
  for (std::uint32_t block = first_block; numbers.size() < count; ++block) {
    const auto words = r123::Philox4x32()({{block, 9, 4u << 16 | 2u, 7}}, {{0x89abcdefu, 0x01234567u}});
    for (int half = 0; half < 2; ++half) {
      double pair[2];
      normal_pair(words[2 * half], words[2 * half + 1], pair);
      numbers.insert(numbers.end(), pair, pair + 2);
    }
  }
  numbers.resize(count);
  return numbers;
}

TEST(Random, NormalsHaveTheBitsOfTheirNaiveTwin) {
  const Random random(0x0123456789abcdefULL, Purpose::direction, 7, 9, 2);
  for (const Index first : {Index{0}, Index{4}, Index{64}, Index{1000}, (Index{1} << 34) - 40})
    for (const std::size_t count : {0u, 1u, 3u, 63u, 64u, 65u, 127u, 130u, 20'000u}) {
      const auto expected = normals_one_by_one(static_cast<std::uint32_t>(first / 4), count);
      std::vector<double> z(count + 1, 5.0);  // the last one is not to be touched
      random.normals<double>(first, std::span(z).first(count));
      std::vector<float> rounded(count);
      random.normals<float>(first, rounded);
      EXPECT_TRUE(std::ranges::equal(std::span(z).first(count), expected)) << first << " " << count;
      EXPECT_EQ(z.back(), 5.0);
      for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(rounded[k], static_cast<float>(expected[k]));
    }
}

TEST(Random, GammaHasItsMeanAlsoForATinyShape) {
  for (const double shape : {0.3, 1.0, 4.5}) {
    Random random(8, Purpose::partition);
    double sum = 0;
    constexpr int count = 100'000;
    for (int k = 0; k < count; ++k) sum += random.gamma(shape);
    EXPECT_NEAR(sum / count, shape, 5 * std::sqrt(shape / count));
  }
  EXPECT_TRUE(std::isfinite(Random(8, Purpose::partition).log_gamma_draw(1e-6)));
}

TEST(Vectors, SumsAgreeWithANaiveSum) {
  for (const std::size_t size : {0u, 1u, 7u, 8u, 4095u, 4097u, 10'000u}) {
    std::vector<float> a(size), b(size);
    Random(9, Purpose::start).normals<float>(0, a);
    Random(10, Purpose::start).normals<float>(0, b);
    long double product = 0, square = 0;
    for (std::size_t j = 0; j < size; ++j) {
      product += static_cast<long double>(a[j]) * b[j];
      square += std::pow(static_cast<long double>(a[j]) - b[j], 2);
    }
    EXPECT_NEAR(dot<float>(a, b), static_cast<double>(product), 1e-11);
    EXPECT_NEAR(distance<float>(a, b), std::sqrt(static_cast<double>(square)), 1e-11);
    EXPECT_DOUBLE_EQ(norm<float>(a), std::sqrt(dot<float>(a, a)));
  }
}

TEST(Rows, StartAtACacheLineAndAtZero) {
  Rows<float> rows({3, 5}, 17);
  for (int i = 3; i < 8; ++i) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(rows.row(i).data()) % 64, 0u);
    for (const float number : rows.row(i)) EXPECT_EQ(number, 0);
  }
}

TEST(Threads, LeaveSmallJobsToTheCaller) {
  Threads threads(3);
  const auto caller = std::this_thread::get_id();
  for (int round = 0; round < 100; ++round)
    threads.each(
        20, [&](Index) { EXPECT_EQ(std::this_thread::get_id(), caller); }, Threads::worth_a_thread / 20 - 1);
}

TEST(Threads, DoEveryPartOnceAndPassAnExceptionOn) {
  for (const int count : {1, 2, 5}) {
    Threads threads(count);
    EXPECT_EQ(threads.count(), count);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> done(37);
      threads.each(37, [&](Index part) {
        ++done[part];
        threads.each(2, [&](Index) {});  // a loop inside a part
      });
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
    for (int round = 0; round < 20; ++round) {  // who fails holds up nobody, and the first is heard of
      std::atomic<int> others = 0;
      try {
        threads.each(10, [&](Index part) {
          if (part == 4 || part == 8) throw Error("part " + std::to_string(part));
          ++others;
        });
        FAIL();
      } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "part 4");
      }
      EXPECT_EQ(others, 8);
    }
    threads.each(3, [](Index) {});  // and the pool goes on
  }
}

// Each thread for the first part of its own run, with what this call was given; not beyond settle(), and what
// fails there fails nowhere else.
TEST(Threads, GoAheadWhereTheyWouldWait) {
  constexpr Index parts = 12;
  Threads threads(3);
  struct Seen {
    std::atomic<Index> others = 0, workers = 0;
    std::atomic<std::int64_t> last = 0;
  } seen;
  for (std::int64_t round = 1; round <= 2'000; ++round) {
    std::atomic<bool> worker_came = false;
    const auto wait_for_a_worker = [&](Index part) {
      if (part != 0) worker_came = true;
      while (!worker_came) std::this_thread::yield();  // the caller, in the first part of all
    };
    threads.each(parts, wait_for_a_worker, Threads::worth_a_thread, [&seen, round](Index part) {
      if (part != 0 && part != 4 && part != 8) ++seen.others;
      if (part != 0) ++seen.workers;
      seen.last = round;
      throw Error("ahead");
    });
  }
  threads.settle();
  const std::int64_t last = seen.last, workers = seen.workers;
  EXPECT_EQ(seen.others, 0);
  EXPECT_GT(workers, 0);
  EXPECT_LE(last, 2'000);
  threads.each(parts, [](Index) {});  // this one has nothing ahead
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(seen.workers, workers);
}

// Workers that are late, asleep, or have no part of their own; rounds that follow each other closely.
TEST(Threads, AreCompleteInEveryRound) {
  Threads threads(4);
  std::vector<std::int64_t> numbers(40);
  for (std::int64_t round = 1; round <= 20'000; ++round) {
    const Index parts = 2 + round % 39;
    threads.each(parts, [&](Index part) { numbers[part] = round; });
    for (Index part = 0; part < parts; ++part) ASSERT_EQ(numbers[part], round);
    if (round % 2'000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(Text, SuggestsTheNearestName) {
  EXPECT_EQ(nearest("DSGD", {"doc2s", "dsgd"}), "dsgd");
  EXPECT_EQ(nearest("etta", {"eta", "D", "K"}), "eta");
  EXPECT_EQ(nearest("rnig", {"ring", "star", "grid"}), "ring");
  EXPECT_EQ(nearest("eta", {"method.eta", "seed"}), "method.eta");
  EXPECT_EQ(nearest("entirely", {"eta", "D"}), "");
  EXPECT_EQ(nearest("x", {"D", "K"}), "");
}

TEST(Options, CheckTypeAndRange) {
  const Option eta = real_option("eta", 0.01, "step").above(0);
  EXPECT_EQ(std::get<double>(eta.checked(Value(std::int64_t{2}), "")), 2.0);
  EXPECT_THROW(eta.checked(Value(0.0), ""), Error);
  EXPECT_THROW(eta.checked(Value(std::nan("")), ""), Error);
  EXPECT_THROW(eta.checked(Value(true), ""), Error);
  EXPECT_THROW(eta.checked(Value(std::string("0.1")), ""), Error);
  const Option count = integer_option("count", 1, "n").at_least(1).at_most(10);
  EXPECT_EQ(std::get<std::int64_t>(count.checked(Value(2.0), "")), 2);  // as 2e0 is written
  EXPECT_THROW(count.checked(Value(2.5), ""), Error);
  EXPECT_THROW(count.checked(Value(1e300), ""), Error);
  EXPECT_THROW(count.checked(Value(std::int64_t{11}), ""), Error);
  try {
    text_option("graph", "ring", "")
        .one_of({"ring", "star"})
        .checked(Value(std::string("rign")), "a.toml:3:1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a.toml:3:1: \"rign\" is not known; did you mean \"ring\"?");
    EXPECT_EQ(error.exit_code(), 2);
  }
}

TEST(Options, AreWrittenSoThatTheyComeBack) {
  EXPECT_EQ(to_toml(Value(1.0)), "1.0");
  EXPECT_EQ(to_toml(Value(1e-3)), "0.001");
  EXPECT_EQ(to_toml(Value(1e300)), "1e+300");
  EXPECT_EQ(to_toml(Value(std::string("a\"b\\c\n"))), "\"a\\\"b\\\\c\\u000a\"");
  EXPECT_EQ(to_toml(Value(std::int64_t{-3})), "-3");
  EXPECT_EQ(json(std::nan("")), "null");
}

TEST(Error, MachineFaultsAndUsersMistakesDiffer) {
  EXPECT_THROW(throw_system_error("cannot be written", "x", ENOSPC), MachineError);
  try {
    throw_system_error("cannot be written", "x", EACCES);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
  }
}

}  // namespace
}  // namespace doc2s
