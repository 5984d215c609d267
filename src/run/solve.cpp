// SPDX-License-Identifier: Apache-2.0
#include "doc2s/run/solve.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"
#include "ended_run.hpp"
#include "gradient_needs.hpp"
#include "kept_run.hpp"
#include "known_options.hpp"
#include "problems/kinds.hpp"
#include "solving.hpp"
#include "transport/join.hpp"

namespace doc2s {

namespace {

std::string key_in(const std::string& key) { return "options.set: " + key; }

template <class Wanted>
const Wanted& as(const Value& value, const std::string& key, const char* what) {
  if (const Wanted* given = std::get_if<Wanted>(&value)) return *given;
  throw Error(fmt::format("must be {}", what), key_in(key));
}

}  // namespace

Options Options::from_toml(std::string text) {
  Options options;
  options.text_ = std::move(text);
  return options;
}

Options Options::from_file(const std::string& path) {
  Options options = from_toml(read_whole(path));
  options.name_ = path;
  options.folder_ = std::filesystem::path(path).parent_path().string();
  return options;
}

Options& Options::set_value(const std::string& key, const Value& value, const std::string& where) {
  if (key == "run.directory")
    directory_ = as<std::string>(value, key, "a text");
  else if (key == "run.trace")
    trace_ = as<std::string>(value, key, "a text");
  else if (key == "run.resume")
    resume_ = as<bool>(value, key, "true or false");
  else if (key == "run.force")
    force_ = as<bool>(value, key, "true or false");
  else
    changes_.push_back({key, to_toml(value), where.empty() ? key_in(key) : where});
  return *this;
}

namespace {

void refuse_conflict(const Settings& section, const std::string& name, const Value& own) {
  if (section.given(name) && section.value(name) != own)
    throw Error(fmt::format("is {}, and the problem's is {}", to_toml(section.value(name)), to_toml(own)),
                section.where(name), "leave it out");
}

Changes own_changes(int clients, const std::string& precision) {
  return {{"clients.count", to_toml(std::int64_t{clients}), "solve"},
          {"precision", to_toml(precision), "solve"},
          {"problem.name", to_toml(std::string(own_problem_name)), "solve"}};
}

}  // namespace

Config Solving::resolved_with(const Changes& last) const {
  Changes changes = options.changes_;
  changes.insert(changes.end(), last.begin(), last.end());
  std::vector<Config> configs =
      resolved(known_options(), options.text_, options.name_, changes, options.folder_);
  if (configs.size() > 1)
    throw Error(fmt::format("there are {} methods, and solve takes one", configs.size()), options.name_,
                "solve once for each");
  return std::move(configs.front());
}

Config Solving::config(int clients, const std::string& precision) const {
  const Config given = resolved_with({});
  refuse_conflict(given.clients, "count", std::int64_t{clients});
  refuse_conflict(given.general, "precision", precision);
  refuse_conflict(given.problem, "name", std::string(own_problem_name));
  return resolved_with(own_changes(clients, precision));
}

GuaranteeQuestion Solving::question(int clients) const {
  config(clients, "float64");  // refuses what contradicts the problem
  GuaranteeQuestion asked{options.text_, options.name_, options.folder_, options.changes_};
  for (Change& change : own_changes(clients, "float64")) asked.changes.push_back(std::move(change));
  return asked;
}

RunOptions Solving::run_options(Processes& processes, std::vector<std::string>& notes) const {
  RunOptions run;
  run.directory = options.directory_;
  run.force = options.force_;
  run.resume = options.resume_;
  run.trace = options.trace_;
  run.trace_insisted = true;
  run.on_record = options.on_record;
  if (options.on_progress)
    run.on_progress = [this](const Progress& now) { options.on_progress(now.record, now.share); };
  run.stop = options.stop;
  run.processes = &processes;
  run.on_notices = [&](const std::vector<std::string>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
  };
  run.on_warning = [&](const std::string& warning) { notes.push_back(warning); };
  if (run.resume && run.directory.empty())
    throw Error("there is nothing to resume without a directory", key_in("run.resume"),
                "set run.directory too");
  return run;
}

namespace {

std::map<std::string, SummaryValue> values_of(const std::string& summary) {
  std::map<std::string, SummaryValue> values;
  const auto all = nlohmann::json::parse(summary);
  for (const auto& [name, value] : all.items()) {
    if (value.is_number()) values[name] = {value.get<double>(), value.dump()};
    if (value.is_string()) values[name] = {0, value.get<std::string>()};
  }
  return values;
}

// Processes that run together take one experiment at a time, as messages belong to the run.
class OneAtATime {
 public:
  explicit OneAtATime(const Processes& processes) {
    if (processes.count() == 1) return;
    static std::mutex mutex;
    lock_ = std::unique_lock(mutex, std::try_to_lock);
    if (!lock_) throw Error("several processes can solve one problem at a time", "solve", "solve in turn");
  }

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace

template <class Real>
Result Solving::solved(const Problem<Real>& problem, const Config& config, Processes& processes) const {
  Result result;
  RunOptions run = run_options(processes, result.notes);
  KeptInMemory kept;
  if (auto ended = ended_already(run, with_possible_order(config, problem), result.notes)) {
    refuse_another_problem(run.directory, config, processes, &problem);
    kept = std::move(*ended);
    result.status = status_in(kept.summary);
  } else {
    result.status = run_users_problem(problem, config, run, kept).status;
  }
  result.x = std::move(kept.x);
  result.outputs = std::move(kept.outputs);
  result.records = std::move(kept.records);
  result.summary = values_of(kept.summary);
  result.summary_json = std::move(kept.summary);
  result.config = std::move(kept.config);
  result.rank = processes.rank();
  return result;
}

template Result Solving::solved(const Problem<float>&, const Config&, Processes&) const;
template Result Solving::solved(const Problem<double>&, const Config&, Processes&) const;

namespace {

template <class Real>
Result solve_in(const Problem<Real>& problem, const Options& options, Processes& processes) {
  const OneAtATime alone(processes);
  const Solving solving{options};
  const Config config = solving.config(problem.clients(), sizeof(Real) == 4 ? "float32" : "float64");
  return solving.solved(problem, config, processes);
}

template <class Real>
Result solve_together(const Problem<Real>& problem, const Options& options) {
  Processes& processes = joined_processes();
  try {
    Result result = solve_in(problem, options, processes);
    processes.rejoin();
    return result;
  } catch (...) {
    processes.desert();
    throw;
  }
}

}  // namespace

Result solve(const Problem<double>& problem, const Options& options) {
  return solve_together(problem, options);
}

Result solve(const Problem<float>& problem, const Options& options) {
  return solve_together(problem, options);
}

}  // namespace doc2s
