// SPDX-License-Identifier: Apache-2.0
#include "budget.hpp"

#include <algorithm>

namespace doc2s {

namespace {

double iterations(const Used& used) { return static_cast<double>(used.iterations); }
double samples(const Used& used) { return static_cast<double>(used.samples); }
double computation_rounds(const Used& used) { return static_cast<double>(used.computation_rounds); }
double communication_rounds(const Used& used) { return static_cast<double>(used.communication_rounds); }
double bytes(const Used& used) { return static_cast<double>(used.bytes); }
double seconds(const Used& used) { return used.seconds; }

double number(const Value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole ? static_cast<double>(*whole) : std::get<double>(value);
}

}  // namespace

const std::vector<BudgetAxis>& budget_axes() {
  static const std::vector<BudgetAxis> all = {{"samples", samples},
                                              {"iterations", iterations},
                                              {"computation_rounds", computation_rounds},
                                              {"communication_rounds", communication_rounds},
                                              {"bytes", bytes},
                                              {"seconds", seconds}};
  return all;
}

Budget::Budget(const Settings& run, Tick length) {
  limits_.push_back({"the end of the method", static_cast<double>(length), iterations});
  for (const auto& [axis, amount] : budget_axes())
    if (const std::string name = "budget." + axis; run.has(name))
      limits_.push_back({"run." + name, number(run.value(name)), amount});
}

const Budget::Limit& Budget::nearest_limit(const Used& used) const {
  return *std::max_element(limits_.begin(), limits_.end(),
                           [&](const Limit& a, const Limit& b) { return a.share(used) < b.share(used); });
}

}  // namespace doc2s
