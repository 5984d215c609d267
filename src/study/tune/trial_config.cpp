// SPDX-License-Identifier: Apache-2.0
#include "trial_config.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "config/schema.hpp"
#include "run/budget.hpp"
#include "run/experiment.hpp"

namespace doc2s {

namespace {

constexpr Index records_a_rung = 20;  // two in the last tenth
constexpr const char* by_tune = "doc2s tune";

// As long as the method's options and the program allow: K, or `iterations`.
void make_endless(Config& config) {
  const Index epoch = config.method.has("T") ? config.method.integer("T") : 1;
  std::vector<std::pair<std::string, Index>> lengths;
  for (const auto& [known, value] : values_in_force(config, "method"))
    if (known.option.may_change && known.option.type == Option::Type::integer)
      lengths.emplace_back(known.option.name, std::llround(std::min(known.option.most, 1e12)));
  for (const auto& [name, most] : lengths)
    config.method.set(name, std::min<Index>(most, most_iterations / epoch), by_tune);
}

void set_budget(Settings& run, const std::string& axis, Index amount) {
  for (const BudgetAxis& other : budget_axes()) run.forget("budget." + other.name);
  run.set("budget." + axis, amount, by_tune);
}

Index part_of(const TuneBudget& budget, double share) {
  return static_cast<Index>(std::ceil(share * static_cast<double>(budget.amount)));
}

}  // namespace

Config config_with(const Config& config, const std::vector<SearchRange>& ranges,
                   const std::vector<Value>& values, const TuneBudget& budget) {
  Config made = config;
  for (std::size_t k = 0; k < ranges.size(); ++k)
    made.section(ranges[k].section).set(ranges[k].name, values[k], by_tune);
  make_endless(made);
  set_budget(made.run, budget.axis, budget.amount);
  return made;
}

Config config_up_to(Config config, const TuneBudget& budget, const Stretch& stretch) {
  const Index amount = part_of(budget, stretch.share);
  set_budget(config.run, budget.axis, amount);
  const auto iterations = static_cast<Index>(static_cast<double>(amount) / stretch.pace);
  if (stretch.spaced)
    config.run.set("record_every", record_spacing(config, iterations, records_a_rung), by_tune);
  // Given, it keeps the end of a run.
  const std::string every = config.run.text("checkpoint_every");
  config.run.set("checkpoint_every", every == "never" ? "60s" : every, by_tune);
  return config;
}

std::vector<Value> own_values(const Config& config, const std::vector<SearchRange>& ranges,
                              const std::vector<AskedRange>& asked) {
  std::vector<Value> values;
  for (const SearchRange& range : ranges) {
    const Value own = config.section(range.section).value(range.name);
    const bool free = std::ranges::find(asked, range.key(), &AskedRange::key) == asked.end();
    const double number = number_in(own);
    values.push_back(
        free || (number >= range.low && number <= range.high) ? own : range.at(number < range.low ? 0 : 1));
  }
  return values;
}

}  // namespace doc2s
