#include "budget.hpp"

#include <algorithm>

namespace doc2s {

namespace {

double iterations(const Counts& counts) { return static_cast<double>(counts.iteration); }
double samples(const Counts& counts) { return static_cast<double>(counts.samples); }
double communication_rounds(const Counts& counts) { return static_cast<double>(counts.communication_rounds); }
double seconds(const Counts& counts) { return counts.seconds; }

double number(const Value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole ? static_cast<double>(*whole) : std::get<double>(value);
}

}  // namespace

Budget::Budget(const Settings& run, Tick length) {
  limits_.push_back({"the end of the method", static_cast<double>(length), iterations});
  const auto add = [&](const std::string& name, double (*used)(const Counts&)) {
    if (run.has(name)) limits_.push_back({"run." + name, number(run.value(name)), used});
  };
  add("budget.samples", samples);
  add("budget.iterations", iterations);
  add("budget.communication_rounds", communication_rounds);
  add("budget.seconds", seconds);
}

double Budget::share(const Counts& counts) const { return nearest_limit(counts).share(counts); }
const std::string& Budget::nearest(const Counts& counts) const { return nearest_limit(counts).name; }

const Budget::Limit& Budget::nearest_limit(const Counts& counts) const {
  return *std::max_element(limits_.begin(), limits_.end(),
                           [&](const Limit& a, const Limit& b) { return a.share(counts) < b.share(counts); });
}

}  // namespace doc2s
