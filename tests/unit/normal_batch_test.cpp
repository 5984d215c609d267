#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "base/normal_batch.hpp"
#include "base/normal_pairs.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s {
namespace {

constexpr int vectors = most_groups * group_vectors, pairs = vectors * lanes;

// cos_sin_turns for t < 1/8, step by step as it stands there
void circle(const NumberLanes& t, NumberLanes& cosine, NumberLanes& sine) {
  const NumberLanes x = t * 6.283185307179586476925, x2 = x * x;
  sine = cosine = NumberLanes{} + 1;
  for (int k = 18; k >= 2; k -= 2) {
    sine = 1 - sine * x2 * (1.0 / (k * (k + 1)));
    cosine = 1 - cosine * x2 * (1.0 / (k * (k - 1)));
  }
  sine *= x;
}

// √(−2 log_unit(u)), step by step as it stands there
NumberLanes radius_of(const NumberLanes& u) {
  constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdULL;
  const WordLanes bits = reinterpret_cast<WordLanes>(u) - sqrt_half;
  const auto m = reinterpret_cast<NumberLanes>((bits & 0x000fffffffffffffULL) + sqrt_half);
  NumberLanes exponent, series = NumberLanes{} + 1.0 / 21;
  for (int k = 0; k < lanes; ++k)
    exponent[k] = static_cast<std::int32_t>(static_cast<std::int64_t>(bits[k]) >> 52);
  const NumberLanes f = (m - 1) / (m + 1), f2 = f * f;
  for (int k = 19; k >= 1; k -= 2) series = series * f2 + 1.0 / k;
  NumberLanes radius = -2 * (exponent * 0.693147180559945309417 + 2 * f * series);
  for (int k = 0; k < lanes; ++k) radius[k] = std::sqrt(radius[k]);
  return radius;
}

// Pairs of a batch that are not as they should be, of the radii from `first` on.
int wrong_radii(std::uint64_t first, std::uint32_t turns_word, double cosine, double sine) {
  PhiloxBatch words;
  for (int v = 0; v < vectors; ++v) {
    words.radius[v] = lane_numbers + (first + v * lanes);
    words.turns[v] = WordLanes{} + turns_word;
  }
  NormalBatch batch;
  double normals[2 * pairs];
  batch.transform(words, most_groups, normals);
  int wrong = 0;
  for (int v = 0; v < vectors; ++v) {
    NumberLanes u;
    for (int k = 0; k < lanes; ++k) u[k] = (static_cast<double>(first + v * lanes + k) + 0.5) * 0x1p-32;
    const NumberLanes radius = radius_of(u), along = radius * cosine, across = radius * sine;
    for (int k = 0; k < lanes; ++k) {
      const double expected[2] = {along[k], across[k]};
      const double* const pair = normals + v / 2 * 4 * lanes + 4 * k + v % 2 * 2;
      wrong += std::memcmp(pair, expected, sizeof expected) != 0;
    }
  }
  return wrong;
}

// Pairs of a batch that are not as they should be, of the turns from `first` on.
int wrong_pairs(std::uint64_t first, std::uint32_t radius_word, double radius) {
  PhiloxBatch words;
  for (int v = 0; v < vectors; ++v) {
    words.radius[v] = WordLanes{} + radius_word;
    words.turns[v] = lane_numbers + (first + v * lanes);
  }
  NormalBatch batch;
  double normals[2 * pairs];
  batch.transform(words, most_groups, normals);
  int wrong = 0;
  for (int v = 0; v < vectors; ++v) {
    NumberLanes t, cosine, sine;
    for (int k = 0; k < lanes; ++k) t[k] = (static_cast<double>(first + v * lanes + k) + 0.5) * 0x1p-32;
    circle(t, cosine, sine);
    const NumberLanes along = radius * cosine, across = radius * sine;
    for (int k = 0; k < lanes; ++k) {
      const double expected[2] = {along[k], across[k]};
      const double* const pair = normals + v / 2 * 4 * lanes + 4 * k + v % 2 * 2;  // blocks have two pairs
      wrong += std::memcmp(pair, expected, sizeof expected) != 0;
    }
  }
  return wrong;
}

// Sine and cosine depend on a turn's distance from the nearest quarter, of which there are 2²⁹.
TEST(NormalBatch, HasTheBitsOfTheSeriesForEveryTurn) {
#ifdef __clang__
  constexpr Index every = 1009;  // batch of some, for clang compiles what runs under sanitizers
#else
  constexpr Index every = 1;
#endif
  constexpr std::uint32_t radius_word = 0x12345678;
  const double radius = std::sqrt(-2 * log_unit((radius_word + 0.5) * 0x1p-32));
  std::atomic<Index> wrong = 0;
  constexpr Index batches = (Index{1} << 29) / pairs, runs = 64;
  Threads threads;
  threads.each(runs, [&](Index run) {
    for (Index batch = run; batch < batches; batch += runs * every)
      wrong += wrong_pairs(static_cast<std::uint64_t>(batch) * pairs, radius_word, radius);
  });
  EXPECT_EQ(wrong, 0);
}

TEST(NormalBatch, HasTheBitsOfTheLogarithmForEveryRadius) {
#ifdef __clang__
  constexpr Index every = 10007;
#else
  constexpr Index every = 1;
#endif
  constexpr std::uint32_t turns_word = 0x12345678;
  double cosine, sine;
  cos_sin_turns((turns_word + 0.5) * 0x1p-32, cosine, sine);
  std::atomic<Index> wrong = 0;
  constexpr Index batches = (Index{1} << 32) / pairs, runs = 64;
  Threads threads;
  threads.each(runs, [&](Index run) {
    for (Index batch = run; batch < batches; batch += runs * every)
      wrong += wrong_radii(static_cast<std::uint64_t>(batch) * pairs, turns_word, cosine, sine);
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace doc2s
