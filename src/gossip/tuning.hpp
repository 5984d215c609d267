// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/base/types.hpp"

// Every tuning constant of gossip, with what it buys on an AMD EPYC (Zen 5, 2 cores, 1 MB of L2 each). None
// of them changes a bit of a result. `doc2s bench gossip scaling` measures them.
namespace doc2s::tuning {

// A tile is a range of columns of all rows on which all R rounds run; with its scratch buffers it stays in
// L2. Half or twice as much changes the times by up to 10 % either way.
constexpr Index tile_bytes = 48 * 1024;
// The narrowest piece of a row in a tile, where there are many clients. One cache line costs 35 to
// 50 % at n = 1,024.
constexpr Index least_tile_row_bytes = 128;

// Work along with the mixing (Gossip::Work::along) sees as many tiles at a time as stay in L2, or whole rows
// where many clients would leave only short pieces of them.
constexpr Index along_bytes = 192 * 1024, least_along_row_bytes = 512;

// In numbers times rounds: less is mixed by the caller alone; otherwise each thread gets several parts, for
// one thread may be slower than another, but not so small that the borders between them count.
constexpr Index worth_a_thread = 24 * 1024, least_part = 16 * 1024;
constexpr Index most_parts_per_thread = 8;

// Scalars c = FastGossip(e_i) that are kept for later, in numbers: 32 MB.
constexpr Index most_kept_coefficients = 4 * 1024 * 1024;

// Of a network that changes: weights of rounds to come that are prepared at once, in numbers (1 MB), and
// rounds. More rounds run on a tile while it is in cache.
constexpr Index most_kept_terms = 64 * 1024, most_rounds_at_once = 64;

// Columns that a thread mixes at a time where rows come from other processes.
constexpr Index stage_columns = 4096;

}  // namespace doc2s::tuning
