// SPDX-License-Identifier: Apache-2.0
#include "asked_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/real_in.hpp"
#include "base/text.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

bool is_number(const Option& option) {
  return option.type == Option::Type::integer || option.type == Option::Type::real;
}

// Seed, budgets and records decide how runs are compared, lengths end them.
bool may_be_asked(const KnownOption& known) {
  return is_number(known.option) && !known.option.may_change && known.section != "run" &&
         known.key() != "seed";
}

[[noreturn]] void refuse_range(const AskedRange& asked, const std::string& what, const std::string& hint) {
  throw Error(what, asked.where, hint);
}

void check_bounds(const AskedRange& asked, const KnownOption& known) {
  if (!may_be_asked(known))
    refuse_range(asked, asked.key + " cannot be tuned",
                 "give a number that the method goes by, such as method.eta");
  for (const double bound : {asked.low, asked.high}) {
    const bool whole = known.option.type == Option::Type::integer;
    if (whole && bound != std::floor(bound))
      refuse_range(asked, fmt::format("{} is not a whole number", bound), "give whole numbers");
    known.option.checked(whole ? Value(static_cast<std::int64_t>(bound)) : Value(bound), asked.where);
  }
  const bool to_one = known.option.tuned_range && known.option.tuned_range->to_one;
  if (!to_one && asked.low <= 0)
    refuse_range(asked, "the range is logarithmic and must lie above 0",
                 "for example " + asked.key + "=0.001..1");
}

std::vector<std::string> numbers_of(const Config& config) {
  std::set<std::string> keys;
  for (const KnownOption& known : *config.schema)
    if (may_be_asked(known)) keys.insert(known.key());
  return {keys.begin(), keys.end()};
}

}  // namespace

std::vector<const KnownOption*> options_in_force(const Config& config, const std::string& key) {
  std::vector<const KnownOption*> found;
  for (const KnownOption& known : *config.schema)
    if (known.key() == key && unmet_condition(known, config).empty()) found.push_back(&known);
  return found;
}

AskedRange asked_range(const std::string& text) {
  const std::string where = "--over " + text;
  const auto equals = text.find('='), dots = text.find("..", equals == text.npos ? 0 : equals);
  const auto refuse = [&]() -> AskedRange {
    throw Error("is not of the form key=low..high", where, "for example --over method.eta=0.001..1");
  };
  if (equals == text.npos || dots == text.npos || equals == 0) return refuse();
  const auto number = [&](const std::string& word) {
    const double value = real_in(word);
    if (!std::isfinite(value)) refuse();
    return value;
  };
  const AskedRange asked{trimmed(text.substr(0, equals)),
                         number(trimmed(text.substr(equals + 1, dots - equals - 1))),
                         number(trimmed(text.substr(dots + 2))), where};
  if (!(asked.low < asked.high)) throw Error("the range is empty", where, "give the smaller number first");
  return asked;
}

void check_asked(const std::vector<Config>& configs, const std::vector<std::string>& fixed,
                 const std::vector<AskedRange>& asked) {
  for (const AskedRange& one : asked) {
    std::size_t found = 0;
    for (const Config& config : configs)
      for (const KnownOption* known : options_in_force(config, one.key)) {
        check_bounds(one, *known);
        ++found;
      }
    if (found == 0) refuse_name(one.key, numbers_of(configs.front()), one.where);
    if (std::ranges::count(fixed, one.key) > 0)
      refuse_range(one, one.key + " is given by --set too", "leave out one of the two");
    if (std::ranges::count(asked, one.key, &AskedRange::key) > 1)
      refuse_range(one, one.key + " has two ranges", "give one");
    if (configs.size() > 1 && !one.key.starts_with("method."))
      refuse_range(one, "several methods must share " + one.key,
                   "tune them one by one, or fix it with --set");
  }
}

}  // namespace doc2s
