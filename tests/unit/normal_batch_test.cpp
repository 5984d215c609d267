// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
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

// The uniform numbers of `lanes` words in a row
NumberLanes uniforms(std::uint64_t first) {
  NumberLanes u;
  for (int k = 0; k < lanes; ++k) u[k] = (static_cast<double>(first + k) + 0.5) * 0x1p-32;
  return u;
}

// How many pairs are not as they should be, of all words below `end`. `put` makes the words of a vector from
// the first of them, `expect` the pairs. What clang compiles runs under sanitizers, so only some batches do;
// of the fast tests one of 17.
template <class Put, class Expect>
Index wrong_pairs(std::uint64_t end, [[maybe_unused]] Index every_with_clang, const Put& put,
                  const Expect& expect) {
#ifdef __clang__
  const Index every = every_with_clang;
#else
  const Index every = DOC2S_ALL_TESTS ? 1 : 17;
#endif
  std::atomic<Index> wrong = 0;
  const Index batches = static_cast<Index>(end / pairs), runs = 64;
  Threads threads;
  threads.each(runs, [&](Index run) {
    PhiloxBatch words;
    NormalBatch batch;
    double normals[2 * pairs];
    for (Index b = run; b < batches; b += runs * every) {
      const auto first = static_cast<std::uint64_t>(b) * pairs;
      for (int v = 0; v < vectors; ++v) put(first + v * lanes, words.radius[v], words.turns[v]);
      batch.transform(words, most_groups, normals);
      for (int v = 0; v < vectors; ++v) {
        NumberLanes along, across;
        expect(uniforms(first + v * lanes), along, across);
        for (int k = 0; k < lanes; ++k) {
          const double expected[2] = {along[k], across[k]};
          const double* const pair =
              normals + v / 2 * 4 * lanes + 4 * k + v % 2 * 2;  // blocks have two pairs
          if (std::memcmp(pair, expected, sizeof expected) != 0) ++wrong;
        }
      }
    }
  });
  return wrong;
}

constexpr std::uint32_t other_word = 0x12345678;

// Sine and cosine depend on a turn's distance from the nearest quarter, of which there are 2²⁹.
TEST(NormalBatch, HasTheBitsOfTheSeriesForEveryTurn) {
  const double radius = std::sqrt(-2 * log_unit((other_word + 0.5) * 0x1p-32));
  const auto put = [](std::uint64_t first, WordLanes& radii, WordLanes& turns) {
    radii = WordLanes{} + other_word;
    turns = lane_numbers + first;
  };
  const auto expect = [radius](const NumberLanes& t, NumberLanes& along, NumberLanes& across) {
    circle(t, along, across);
    along *= radius;
    across *= radius;
  };
  EXPECT_EQ(wrong_pairs(1ULL << 29, 1009, put, expect), 0);
}

TEST(NormalBatch, HasTheBitsOfTheLogarithmForEveryRadius) {
  double cosine, sine;
  cos_sin_turns((other_word + 0.5) * 0x1p-32, cosine, sine);
  const auto put = [](std::uint64_t first, WordLanes& radii, WordLanes& turns) {
    radii = lane_numbers + first;
    turns = WordLanes{} + other_word;
  };
  const auto expect = [cosine, sine](const NumberLanes& u, NumberLanes& along, NumberLanes& across) {
    const NumberLanes radius = radius_of(u);
    along = radius * cosine;
    across = radius * sine;
  };
  EXPECT_EQ(wrong_pairs(1ULL << 32, 10007, put, expect), 0);
}

}  // namespace
}  // namespace doc2s
