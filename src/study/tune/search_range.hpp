// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "asked_range.hpp"
#include "doc2s/config/config.hpp"

namespace doc2s {

// A key whose value is looked for, and where.
struct SearchRange {
  std::string section, name;  // "method", "eta"
  double low, high;
  bool to_one = false;  // logarithmic in 1 − value, not in the value
  bool whole = false;
  bool low_is_limit = false, high_is_limit = false;  // nothing beyond is allowed

  std::string key() const { return section.empty() ? name : section + "." + name; }
  Value at(double position) const;            // from 0, which is `low`, to 1; three digits, or a whole number
  double position(const Value& value) const;  // below 0 and above 1 for values outside
};

// The options' ranges for the method's order, or those of first order in either, as kept studies have them.
enum class Ranges { of_the_order, of_first_order };

// What is looked for in this config: what its method's options say, without the fixed keys, and what was
// asked.
std::vector<SearchRange> search_ranges(const Config& config, const std::vector<std::string>& fixed,
                                       const std::vector<AskedRange>& asked,
                                       Ranges which = Ranges::of_the_order);

// Within the outermost tenth of its range, where the range could go on: "lower", "upper", or "".
std::string edge_of(const SearchRange& range, const Value& value);

double number_in(const Value& value);  // of an integer or a real

}  // namespace doc2s
