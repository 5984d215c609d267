// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench.hpp"
#include "million.hpp"
#include "trip.hpp"

namespace doc2s::bench {

namespace {

const char* const methods[] = {"doc2s-travel", "token"};
constexpr int few = 16;

int many(bool quick) { return quick ? 1024 : 65'536; }

std::vector<Index> dimensions(bool quick) {
  return quick ? std::vector<Index>{1000, 10'000} : std::vector<Index>{1000, 100'000, 1'000'000};
}

// The same samples for few clients and for many: 4 a client of these.
TripSize size_of(const std::string& method, int n, Index d, bool quick, int travellers = 1) {
  return {method, n, d, Index{4} * many(quick), travellers};
}

std::string microseconds(double seconds) { return fmt::format("{:.2f} us", 1e6 * seconds); }

// An iteration against its oracle and a copy of 2d numbers.
template <class Real>
void against_oracle(const std::string& method, Index d, const Setting& setting, Findings& out) {
  const TripSize size = size_of(method, few, d, setting.quick);
  Trip<Real> trip(size);
  check_listing(trip, size, d <= 1000 ? 2 * TripSize::T : 5);
  const auto times = best_of_turns({trip.iteration(), trip.oracle(), trip.copy()}, setting.patience(2));
  const double iteration = times[0], oracle = times[1], copy = times[2];
  const std::string where = fmt::format("d={} {}", d, precision_name<Real>), name = method + ", " + where;
  out.table.push_back({where, method, microseconds(iteration), microseconds(oracle), microseconds(copy)});
  out.add_time(name + ": iteration", iteration);
  out.add_time(name + ": oracle", oracle);
  out.add_time(name + ": copy", copy);
  out.ratios.push_back({name + ": iteration over oracle", iteration / oracle});
  out.ratios.push_back({name + ": (iteration - oracle) over copy", (iteration - oracle) / copy});
}

// An iteration of many clients, and of 16 travellers, against few clients and one traveller.
void against_few(const std::string& method, const Setting& setting, Findings& out) {
  constexpr Index d = 1000;
  const int n = many(setting.quick);
  Trip<double> one(size_of(method, few, d, setting.quick)), large(size_of(method, n, d, setting.quick)),
      several(size_of(method, few, d, setting.quick, few));
  check_listing(large, size_of(method, n, d, setting.quick), 2 * TripSize::T);
  const auto times =
      best_of_turns({one.iteration(), one.oracle(), large.iteration(), large.oracle(), several.iteration()},
                    setting.patience(5));
  const auto add = [&](const std::string& where, double iteration, double oracle) {
    out.table.push_back({where, method, microseconds(iteration), oracle > 0 ? microseconds(oracle) : "", ""});
    out.add_time(method + ", " + where + ": iteration", iteration);
    if (oracle > 0) out.add_time(method + ", " + where + ": oracle", oracle);
  };
  add("n=16", times[0], times[1]);
  add(fmt::format("n={}", n), times[2], times[3]);
  add("n=16 c=16", times[4], 0);
  out.ratios.push_back({fmt::format("{}: iteration, n={} over n=16", method, n), times[2] / times[0],
                        Ratio::Wanted::at_most, 1.5});
  out.ratios.push_back({method + ": iteration, c=16 over c=1", times[4] / times[0]});
}

Findings run(const Setting& setting) {
  Findings out;
  out.table.push_back({"ring, one thread, c=1", "", "iteration", "its oracle", "copy of 2d numbers"});
  for (const Index d : dimensions(setting.quick))
    for (const char* method : methods) {
      against_oracle<float>(method, d, setting, out);
      against_oracle<double>(method, d, setting, out);
    }
  for (const char* method : methods) against_few(method, setting, out);
  if (setting.quick) return out;
  for (const char* method : methods) start_a_million(method, setting, out);
  return out;
}

}  // namespace

Task travel_task() {
  return {"travel", "an iteration of the travelling methods against its oracle, and against n", run};
}

}  // namespace doc2s::bench
