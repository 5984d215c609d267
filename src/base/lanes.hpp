#pragma once
#include <cstdint>

// Numbers side by side, as many as one vector instruction works on. Operators work lane by lane, a scalar
// stands for all lanes, and a reinterpret_cast between the two kinds keeps the bits.
namespace doc2s {

#ifdef __AVX2__
constexpr int lanes = 4;
#else
constexpr int lanes = 2;
#endif

using NumberLanes [[gnu::vector_size(8 * lanes)]] = double;
using SignedLanes [[gnu::vector_size(8 * lanes)]] = std::int64_t;
using WordLanes [[gnu::vector_size(8 * lanes)]] = std::uint64_t;
using NumbersAnywhere [[gnu::vector_size(8 * lanes), gnu::aligned(8), gnu::may_alias]] =
    double;  // in an array

#ifdef __AVX2__
constexpr WordLanes lane_numbers = {0, 1, 2, 3};
#else
constexpr WordLanes lane_numbers = {0, 1};
#endif

}  // namespace doc2s
