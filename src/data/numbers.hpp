// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace doc2s {

enum class NumberFault { none, malformed, not_finite, out_of_range };

// For a message: `"1x" is not a number`.
inline const char* fault_text(NumberFault fault) {
  return fault == NumberFault::not_finite     ? "is not finite"
         : fault == NumberFault::out_of_range ? "is out of a double's range"
                                              : "is not a number";
}

struct ReadNumber {
  double value = 0;
  const char* end;  // one past the last character
  NumberFault fault = NumberFault::none;
};

// The general case: any length, exponents, nan and inf; rounded to the nearest double.
inline ReadNumber read_long_real(const char* at, const char* end, bool negative) {
  double value = 0;
  const auto [stop, code] = std::from_chars(at, end, value);
  if (code == std::errc::invalid_argument || *at == '-') return {0, at, NumberFault::malformed};
  const bool word = (*at | 0x20) == 'n' || (*at | 0x20) == 'i';
  if (word) return {0, stop, NumberFault::not_finite};
  if (code == std::errc::result_out_of_range || std::isinf(value))
    return {0, stop, NumberFault::out_of_range};
  return {negative ? -value : value, stop};
}

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// Reads eight characters as one word, the first in the lowest byte. Returns whether all are digits; joins
// neighbours into pairs, fours and eight to get the number.
inline bool eight_digits(const char* at, std::uint64_t& number) {
  if constexpr (std::endian::native != std::endian::little) return false;
  std::uint64_t text;
  std::memcpy(&text, at, 8);
  const std::uint64_t ones = text - 0x3030303030303030;                         // '0' is 0x30,
  if (((text + 0x4646464646464646) | ones) & 0x8080808080808080) return false;  // '9' is 0x7f − 0x46
  const std::uint64_t pairs = (ones * 10 + (ones >> 8)) & 0x00ff00ff00ff00ff;
  const std::uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000ffff0000ffff;
  number = (fours * 10000 + (fours >> 32)) & 0x00000000ffffffff;
  return true;
}

// Appends the digits from `at` to `digits`; returns where they end. Overflow wraps.
inline const char* read_digits(const char* at, const char* end, std::uint64_t& digits) {
  for (std::uint64_t eight; end - at >= 8 && eight_digits(at, eight); at += 8)
    digits = digits * 100000000 + eight;
  for (; at < end && is_digit(*at); ++at) digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
  return at;
}

constexpr int most_digits = 19;  // that always fit in a uint64

struct PowersOfFive {
  std::uint64_t at[most_digits + 1] = {1};
  constexpr PowersOfFive() {
    for (int k = 1; k <= most_digits; ++k) at[k] = 5 * at[k - 1];
  }
};

// m / 10^k, k ≤ 19, correctly rounded. m / 5^k is computed to at least 63 bits; a remainder below them only
// matters for ties and is recorded in the last bit.
inline double over_power_of_ten(std::uint64_t m, int k) {
  static constexpr PowersOfFive fives;
  if (m == 0) return 0;
  const int m_room = std::countl_zero(m), divisor_room = std::countl_zero(fives.at[k]);
  const auto numerator = static_cast<unsigned __int128>(m << m_room) << 63;
  const std::uint64_t divisor = fives.at[k] << divisor_room;
  auto quotient = static_cast<std::uint64_t>(numerator / divisor);
  const std::uint64_t rest = static_cast<std::uint64_t>(numerator) - quotient * divisor;
  quotient |= rest != 0 ? 1 : 0;
  const int exponent = divisor_room - m_room - 63 - k;  // m / 10^k = quotient · 2^exponent
  return static_cast<double>(quotient) *
         std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

// A real number at `at`. The fast path is digits and a point; with up to 15 digits, one division of doubles
// is correctly rounded.
inline ReadNumber read_real(const char* at, const char* end) {
  static constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  std::uint64_t digits = 0;
  const char* p = read_digits(at, end, digits);
  std::ptrdiff_t length = p - at, places = 0;
  if (p < end && *p == '.') {
    const char* const point = p;
    p = read_digits(p + 1, end, digits);
    places = p - point - 1;
    length += places;
  }
  if (p < end && (*p | 0x20) == 'e') return read_long_real(at, end, negative);
  if (length == 0 || length > most_digits)
    return at < end ? read_long_real(at, end, negative) : ReadNumber{0, at, NumberFault::malformed};
  const double value = length <= 15 ? static_cast<double>(digits) / powers[places]
                                    : over_power_of_ten(digits, static_cast<int>(places));
  return {negative ? -value : value, p};
}

}  // namespace doc2s
