// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "lanes.hpp"

namespace doc2s {

namespace {  // an instruction set's own: see kernels.hpp

// The constants of Random123/philox.h, which itself takes in <iostream> and so runs code before main().
constexpr std::uint32_t philox_factor[] = {0xD2511F53, 0xCD9E8D57}, philox_step[] = {0x9E3779B9, 0xBB67AE85};

// Blocks are processed in groups, large enough to keep the vector unit busy.
constexpr int group_vectors = 4, group_blocks = group_vectors / 2 * lanes;
constexpr int most_groups = 4;  // per batch

// The random words of some groups of blocks, in pairs that become pairs of normals: the first halves of
// `lanes` blocks, then their second halves. A word is in the low 32 bits; the upper 32 bits are arbitrary.
struct PhiloxBatch {
  WordLanes radius[most_groups * group_vectors], turns[most_groups * group_vectors];
};

// Philox4x32-10 on consecutive counters. The upper half of a product is used in its own round and the lower
// half in the next, each with a word of the key, so one xor every other round applies both words.
class PhiloxRow {
 public:
  PhiloxRow(std::array<std::uint32_t, 2> key, std::array<std::uint32_t, 3> place) {
    set_keys(0, key[0], philox_step[0]);
    set_keys(1, key[1], philox_step[1]);
    // In the first two rounds, half of the work is the same for all counters.
    const std::uint64_t p1 = std::uint64_t{place[1]} * philox_factor[1] ^ keys_[0][0][0];
    const std::uint64_t p0 = ((p1 >> 32) ^ place[0]) * philox_factor[0];
    keys_[0][0] = WordLanes{} + p1;
    keys_[0][1] ^= std::uint64_t{place[2]} << 32 | p0 >> 32;
    keys_[1][1] ^= p0 << 32;
  }

  // Blocks from `number` on. All counters take two rounds before any takes the next two, which hides latency.
  [[gnu::noinline]] void fill(std::uint32_t number, int groups, PhiloxBatch& words) const {
    const int vectors = groups * group_vectors;
    WordLanes numbers = lane_numbers + number;
    for (int v = 0; v < vectors; v += 2, numbers += lanes) first_rounds(numbers, words, v);
    for (int pair = 1; pair < round_pairs; ++pair)
      for (int v = 0; v < vectors; v += group_vectors) {
        two_rounds(keys_[pair], words, v);
        two_rounds(keys_[pair], words, v + 2);
      }
  }

 private:
  static constexpr int round_pairs = 5;

  // For a pair of rounds, the first round's word is in the upper half, the second round's in the lower half.
  void set_keys(int which, std::uint32_t word, std::uint32_t step) {
    auto both = reinterpret_cast<HalfLanes>(WordLanes{} + (std::uint64_t{word} << 32 | (word + step)));
    for (int pair = 0; pair < round_pairs; ++pair, both += 2 * step)
      keys_[pair][which] = reinterpret_cast<WordLanes>(both);
  }

  // The counter's third word is the same for all blocks and is part of the next key.
  void first_rounds(const WordLanes& numbers, PhiloxBatch& words, int v) const {
    const WordLanes p0 = half_product(numbers, philox_factor[0]) ^ keys_[0][1];
    const WordLanes p1 = half_product(p0 >> 32, philox_factor[1]);
    words.radius[v] = (p1 >> 32) ^ keys_[0][0];
    words.turns[v] = p1;
    words.radius[v + 1] = p0;
    words.turns[v + 1] = WordLanes{};
  }

  static void two_rounds(const WordLanes (&key)[2], PhiloxBatch& words, int v) {
    WordLanes &c0 = words.radius[v], &c1 = words.turns[v], &c2 = words.radius[v + 1],
              &c3 = words.turns[v + 1];
    const WordLanes p0 = half_product(c0, philox_factor[0]) ^ key[1],
                    p1 = half_product(c2, philox_factor[1]) ^ key[0];
    const WordLanes q0 = half_product((p1 >> 32) ^ c1, philox_factor[0]),
                    q1 = half_product((p0 >> 32) ^ c3, philox_factor[1]);
    c0 = (q1 >> 32) ^ p1;
    c1 = q1;
    c2 = (q0 >> 32) ^ p0;
    c3 = q0;
  }

  WordLanes keys_[round_pairs][2];
};

}  // namespace

}  // namespace doc2s
