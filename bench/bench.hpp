// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "doc2s/base/error.hpp"
#include "turns.hpp"

// The tasks of `doc2s bench`. A task owns its data, checks every competitor's answer before timing it, and
// prints nothing.
namespace doc2s::bench {

struct Setting {
  bool quick = false;                       // smaller sizes and fewer repetitions, same checks
  const std::atomic<bool>* stop = nullptr;  // set from outside; the task then throws Interrupted

  Patience patience(double seconds, int fewest = 3) const { return {quick ? 0 : seconds, fewest, stop}; }
};

struct Ratio {
  enum class Wanted { nothing, at_least, at_most };

  std::string name;
  double value;
  Wanted wanted = Wanted::nothing;
  double bound = 0;

  bool met() const { return wanted == Wanted::at_least ? value >= bound : value <= bound; }
};

struct Findings {
  std::vector<std::vector<std::string>> table;        // the first row is the header
  std::vector<std::pair<std::string, double>> times;  // in seconds
  std::vector<Ratio> ratios;                          // none: the task was skipped, as a note says
  std::vector<std::string> notes;                     // e.g. that a competitor is not installed

  void add_time(const std::string& name, double seconds) { times.emplace_back(name, seconds); }
};

struct Task {
  std::string name, summary;
  std::function<Findings(const Setting&)> run;
};

Task gossip_task();
Task a9a_task();
Task mlp_task();
Task scaling_task();
Task reading_task();
Task torch_task();
Task travel_task();
Task kernels_task();
Task solve_task();
Task problem_task(const std::string& config);  // of a user's config, by its path
const std::vector<Task>& tasks();

// A competitor computed something else, so its time is meaningless.
class WrongAnswer : public Error {
 public:
  using Error::Error;
  int exit_code() const override { return 1; }
};

class Interrupted : public Error {
 public:
  using Error::Error;
  int exit_code() const override { return 130; }
};

// Throws WrongAnswer if the error exceeds the tolerance.
void require_agreement(const std::string& who, double error, double tolerance);

}  // namespace doc2s::bench
