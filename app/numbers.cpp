// SPDX-License-Identifier: Apache-2.0
#include "numbers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace doc2s::app {

std::string bytes_text(double number) {
  constexpr const char* units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; number >= 1000 && unit < 5; ++unit) number /= 1000;
  return fmt::format("{:.3g} {}", number, units[unit]);
}

std::string loss_text(double number) {
  return std::isfinite(number) ? fmt::format("{:.4f}", number) : "not finite";
}

std::string formatted(const Quantity& quantity, double value) {
  using enum Quantity::Format;
  if (std::isnan(value)) return "-";
  switch (quantity.format) {
    case count:
      return with_commas(static_cast<Index>(value));
    case bytes:
      return bytes_text(value);
    case seconds:
      return fmt::format("{:.2f}", value);
    case loss:
      return loss_text(value);
    case share:
      return fmt::format("{:.2f} %", 100 * value);
    case norm:
      break;
  }
  return fmt::format("{:.3g}", value);
}

}  // namespace doc2s::app
