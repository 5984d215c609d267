#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>

namespace doc2s {

enum class NumberFault { none, malformed, not_finite, out_of_range };

struct ReadNumber {
  double value = 0;
  const char* end;  // behind the number's last character
  NumberFault fault = NumberFault::none;
};

// The general case: any length, exponents, and the words nan and inf; rounded to the nearest double.
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

// A real number at `at`. The short form, digits and a point, is exact in one division: both m < 2⁵³ and 10^k,
// k ≤ 22, are doubles, so m / 10^k is rounded once.
inline ReadNumber read_real(const char* at, const char* end) {
  static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  const char* p = at;
  std::uint64_t digits = 0;
  for (; p < end && static_cast<unsigned char>(*p - '0') < 10; ++p) digits = digits * 10 + (*p - '0');
  std::ptrdiff_t length = p - at, places = 0;
  if (p < end && *p == '.') {
    const char* point = p++;
    for (; p < end && static_cast<unsigned char>(*p - '0') < 10; ++p) digits = digits * 10 + (*p - '0');
    places = p - point - 1;
    length += places;
  }
  if (p < end && (*p | 0x20) == 'e') return read_long_real(at, end, negative);
  if (length == 0 || length > 15)
    return at < end ? read_long_real(at, end, negative) : ReadNumber{0, at, NumberFault::malformed};
  const double value = static_cast<double>(digits) / powers[places];
  return {negative ? -value : value, p};
}

}  // namespace doc2s
