#pragma once
#include <Random123/philox.h>

#include <array>
#include <cstdint>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "lanes.hpp"

namespace doc2s {

// Work goes by groups of blocks: as many as keep the vector unit busy.
constexpr int group_vectors = 4, group_blocks = group_vectors / 2 * lanes;
constexpr int most_groups = 4;  // a batch

// The words of some groups of blocks. Pairs of words, which become pairs of normals: of `lanes` blocks the
// first halves, then the second ones. A word stands in the low 32 bits; above may stand anything.
struct PhiloxBatch {
  WordLanes radius[most_groups * group_vectors], turns[most_groups * group_vectors];
};

// Counters side by side.
struct CounterLanes {
  WordLanes c0, c1, c2, c3;

  CounterLanes(const std::array<std::uint32_t, 3>& place, std::uint32_t number)
      : c0(lane_numbers + number),
        c1(WordLanes{} + place[0]),
        c2(WordLanes{} + place[1]),
        c3(WordLanes{} + place[2]) {}

  void round(const WordLanes (&key)[2]) {
    WordLanes p0, p1;
    product(c0, PHILOX_M4x32_0, p0);
    product(c2, PHILOX_M4x32_1, p1);
    c0 = (p1 >> 32) ^ c1 ^ key[0];
    c2 = (p0 >> 32) ^ c3 ^ key[1];
    c1 = p1;
    c3 = p0;
  }

 private:
  // 32 × 32 → 64 bits, of the low halves
  static void product(const WordLanes& c, std::uint32_t factor, WordLanes& p) {
#ifdef __AVX2__
    p = reinterpret_cast<WordLanes>(
        _mm256_mul_epu32(reinterpret_cast<__m256i>(c), _mm256_set1_epi64x(factor)));
#else
    p = (c & 0xffffffffULL) * std::uint64_t{factor};
#endif
  }
};

// Philox4x32-10 on counters in a row.
class PhiloxRow {
 public:
  PhiloxRow(std::array<std::uint32_t, 2> key, std::array<std::uint32_t, 3> place) : place_(place) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      keys_[round][0] = WordLanes{} + (key[0] + round * PHILOX_W32_0);
      keys_[round][1] = WordLanes{} + (key[1] + round * PHILOX_W32_1);
    }
  }

  // Those from `number` on.
  void fill(std::uint32_t number, int groups, PhiloxBatch& words) const {
    for (int v = 0; v < groups * group_vectors; v += group_vectors, number += group_blocks) {
      CounterLanes a(place_, number), b(place_, number + lanes);  // one waits, the other works
#pragma GCC unroll 10
      for (std::uint32_t round = 0; round < rounds; ++round) {
        a.round(keys_[round]);
        b.round(keys_[round]);
      }
      store(a, words, v);
      store(b, words, v + 2);
    }
  }

 private:
  static constexpr std::uint32_t rounds = 10;

  static void store(const CounterLanes& from, PhiloxBatch& words, int v) {
    words.radius[v] = from.c0;
    words.turns[v] = from.c1;
    words.radius[v + 1] = from.c2;
    words.turns[v + 1] = from.c3;
  }

  std::array<std::uint32_t, 3> place_;
  WordLanes keys_[rounds][2];
};

}  // namespace doc2s
