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

}  // namespace
}  // namespace doc2s
