#pragma once
#include <Random123/philox.h>

#include <array>
#include <cstdint>
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace doc2s {

constexpr int batch_blocks = 16;

// Philox4x32-10 on batch_blocks counters in a row. Pairs of words, which become pairs of normals: the first
// halves of all blocks, then the second ones. A word stands in the low 32 bits; above may stand anything.
struct PhiloxBatch {
  alignas(64) std::array<std::uint64_t, 2 * batch_blocks> radius, turns;

  void fill(std::array<std::uint32_t, 2> key, std::array<std::uint32_t, 3> place, std::uint32_t number);
};

#ifdef __AVX2__

// Four counters side by side. The product of Philox, 32 × 32 → 64 bits, takes only the low halves.
struct FourCounters {
  __m256i c0, c1, c2, c3;

  FourCounters(std::array<std::uint32_t, 3> place, std::uint32_t number)
      : c0(_mm256_set_epi64x(number + 3, number + 2, number + 1, number)),
        c1(_mm256_set1_epi64x(place[0])),
        c2(_mm256_set1_epi64x(place[1])),
        c3(_mm256_set1_epi64x(place[2])) {}

  void round(std::uint32_t key0, std::uint32_t key1) {
    const __m256i p0 = _mm256_mul_epu32(c0, _mm256_set1_epi64x(PHILOX_M4x32_0));
    const __m256i p1 = _mm256_mul_epu32(c2, _mm256_set1_epi64x(PHILOX_M4x32_1));
    c0 = _mm256_srli_epi64(p1, 32) ^ c1 ^ _mm256_set1_epi64x(key0);
    c2 = _mm256_srli_epi64(p0, 32) ^ c3 ^ _mm256_set1_epi64x(key1);
    c1 = p1;
    c3 = p0;
  }

  void store(PhiloxBatch& to, int block) const {
    const auto put = [](std::uint64_t* at, __m256i words) {
      _mm256_store_si256(reinterpret_cast<__m256i*>(at), words);
    };
    put(to.radius.data() + block, c0);
    put(to.turns.data() + block, c1);
    put(to.radius.data() + batch_blocks + block, c2);
    put(to.turns.data() + batch_blocks + block, c3);
  }
};

inline void PhiloxBatch::fill(std::array<std::uint32_t, 2> key, std::array<std::uint32_t, 3> place,
                              std::uint32_t number) {
  for (int block = 0; block < batch_blocks; block += 8) {  // two fours at a time: one waits, the other works
    FourCounters a(place, number + block), b(place, number + block + 4);
    for (std::uint32_t round = 0; round < 10; ++round) {
      const std::uint32_t key0 = key[0] + round * PHILOX_W32_0, key1 = key[1] + round * PHILOX_W32_1;
      a.round(key0, key1);
      b.round(key0, key1);
    }
    a.store(*this, block);
    b.store(*this, block + 4);
  }
}

#else

inline void PhiloxBatch::fill(std::array<std::uint32_t, 2> key, std::array<std::uint32_t, 3> place,
                              std::uint32_t number) {
  for (int block = 0; block < batch_blocks; ++block) {
    const auto words =
        r123::Philox4x32()({{number + block, place[0], place[1], place[2]}}, {{key[0], key[1]}});
    radius[block] = words[0];
    turns[block] = words[1];
    radius[batch_blocks + block] = words[2];
    turns[batch_blocks + block] = words[3];
  }
}

#endif

}  // namespace doc2s
