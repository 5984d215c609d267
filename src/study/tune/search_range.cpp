// SPDX-License-Identifier: Apache-2.0
#include "search_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/real_in.hpp"
#include "config/schema.hpp"

namespace doc2s {

namespace {

constexpr double edge_part = 0.1;

double rounded(double number, int digits) { return real_in(fmt::format("{:.{}g}", number, digits)); }

bool has_limit(double bound, double limit) { return std::abs(bound - limit) <= 1e-12 * std::abs(limit); }

const std::optional<TunedRange>& tuned_range(const Option& option, const Config& config, Ranges ranges) {
  const bool zeroth = ranges == Ranges::of_the_order && config.method.text("order") == "zeroth";
  return zeroth && option.tuned_zeroth ? option.tuned_zeroth : option.tuned_range;
}

SearchRange range_of(const KnownOption& known, double low, double high) {
  const Option& option = known.option;
  return {.section = known.section,
          .name = option.name,
          .low = low,
          .high = high,
          .to_one = option.tuned_range && option.tuned_range->to_one,
          .whole = option.type == Option::Type::integer,
          .low_is_limit = option.least_itself && has_limit(low, option.least),
          .high_is_limit = option.most_itself && has_limit(high, option.most)};
}

}  // namespace

double number_in(const Value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole ? static_cast<double>(*whole) : std::get<double>(value);
}

Value SearchRange::at(double position) const {
  const auto between = [&](double first, double last) { return first * std::pow(last / first, position); };
  const double found =
      to_one ? rounded(1 - rounded(between(1 - low, 1 - high), 3), 9) : rounded(between(low, high), 3);
  if (whole) return static_cast<std::int64_t>(std::llround(std::clamp(between(low, high), low, high)));
  return std::clamp(found, low, high);
}

double SearchRange::position(const Value& value) const {
  const double number = number_in(value);
  if (to_one) return std::log((1 - number) / (1 - low)) / std::log((1 - high) / (1 - low));
  return std::log(number / low) / std::log(high / low);
}

std::string edge_of(const SearchRange& range, const Value& value) {
  const double position = range.position(value);
  if (position < edge_part && !range.low_is_limit) return "lower";
  return position > 1 - edge_part && !range.high_is_limit ? "upper" : "";
}

std::vector<SearchRange> search_ranges(const Config& config, const std::vector<std::string>& fixed,
                                       const std::vector<AskedRange>& asked, Ranges which) {
  std::vector<SearchRange> ranges;
  const auto is_asked = [&](const std::string& key) {
    return std::ranges::find(asked, key, &AskedRange::key) != asked.end();
  };
  for (const auto& [known, value] : values_in_force(config, "method")) {
    const auto& tuned = tuned_range(known.option, config, which);
    if (!tuned || (tuned->where_changed && known.option.fallback == value)) continue;
    if (!is_asked(known.key()) && std::ranges::count(fixed, known.key()) == 0)
      ranges.push_back(range_of(known, tuned->low, tuned->high));
  }
  for (const AskedRange& one : asked)
    for (const KnownOption* known : options_in_force(config, one.key))
      ranges.push_back(range_of(*known, one.low, one.high));
  return ranges;
}

}  // namespace doc2s
