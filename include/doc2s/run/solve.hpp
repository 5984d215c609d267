// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "doc2s/config/config.hpp"
#include "doc2s/problems/problem.hpp"
#include "doc2s/run/record.hpp"

namespace doc2s {

// What solve() is to do: the keys of a config file (`doc2s explain` lists them), and where to put it.
//   auto options = doc2s::Options::from_toml("[method]\nname = \"dgfm\"\n");
//   options.set("method.eta", 0.01);
//   options.set("run.directory", "runs/mine");
// solve() has four keys of its own: run.directory (unset: no files), run.resume, run.force and run.trace.
class Options {
 public:
  Options() = default;  // every key at its default
  static Options from_toml(std::string text);
  static Options from_file(const std::string& path);

  template <class T>
  Options& set(const std::string& key, const T& value);
  Options& set_value(const std::string& key, const Value& value,
                     const std::string& where = "");  // for messages; default: "options.set: KEY"

  // Called after each record, in the first process; false: the run ends as "interrupted" and can be resumed.
  std::function<bool(const Record& record)> on_record;

  // After each record, and some ten times a second in between; `share` of the way is done.
  std::function<void(const Record& record, double share)> on_progress;

  // Another thread or a signal handler may set it: the run ends as "interrupted", or, before its first
  // record, solve() throws Interrupted.
  const std::atomic<bool>* stop = nullptr;

 private:
  friend struct Solving;

  std::string text_, name_ = "options", folder_;  // the config, what messages call it, where its paths start
  Changes changes_;
  std::string directory_, trace_;
  bool resume_ = false, force_ = false;
};

// A number, a text, or neither: 0 and "".
class SummaryValue {
 public:
  SummaryValue() = default;
  explicit SummaryValue(double number) : number_(number) {}
  SummaryValue(double number, std::string text) : number_(number), text_(std::move(text)) {}

  double number() const { return number_; }
  const std::string& text() const { return text_; }  // a number as summary.json has it
  operator double() const { return number_; }
  operator const std::string&() const { return text_; }
  friend bool operator==(const SummaryValue& value, std::string_view text) { return value.text_ == text; }
  friend std::ostream& operator<<(std::ostream& out, const SummaryValue& value) { return out << value.text_; }

 private:
  double number_ = 0;
  std::string text_;
};

struct Result {
  std::vector<double> x;        // the mean of the last whole epoch: what most people want
  std::vector<double> outputs;  // n × d, row by row: each client's output. One row where n·d > 10⁸ and the
                                // state travels. Under mpirun in the first process only
  std::vector<Record> records;                  // from the start, also where the run was resumed
  std::map<std::string, SummaryValue> summary;  // the numbers and texts of summary.json by name
  std::string summary_json;                     // all of it
  std::string config;                           // as TOML, with every key that was in force
  Status status = Status::running;
  std::vector<std::string> notes;  // what the user should know; in the first process
  int rank = 0;                    // of this process under mpirun; the first one prints
};

// Minimises f(x) = (1/n) Σ_i f_i(x): all that `doc2s run` does, for a problem that this library has never
// seen. clients.count and precision are the problem's; a problem without a gradient runs in zeroth order.
// Prints nothing; mistakes are thrown as Error, the problem's and the callback's exceptions come out as they
// are. Several threads may solve at once. Under mpirun every process calls it alike (link doc2s::mpi).
Result solve(const Problem<double>& problem, const Options& options = {});
Result solve(const Problem<float>& problem, const Options& options = {});

template <class T>
Options& Options::set(const std::string& key, const T& value) {
  if constexpr (std::is_same_v<T, Value>) {
    return set_value(key, value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return set_value(key, value);
  } else if constexpr (std::is_integral_v<T>) {
    return set_value(key, static_cast<std::int64_t>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return set_value(key, static_cast<double>(value));
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return set_value(key, std::string(std::string_view(value)));
  } else {
    return set_value(key, List(value.begin(), value.end()));
  }
}

}  // namespace doc2s
