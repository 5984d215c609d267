// SPDX-License-Identifier: Apache-2.0
#include "method_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/long_work.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/threads.hpp"
#include "draws.hpp"
#include "run/ended_run.hpp"
#include "run/probe.hpp"
#include "run/run_directory.hpp"
#include "study/ranking.hpp"
#include "trial_config.hpp"

namespace doc2s {

namespace {

constexpr int most_attempts = 20;  // to draw values that the network and the method accept

Config on_one_thread(Config config) {
  if (!config.run.given("threads")) config.run.set("threads", std::int64_t{1});
  return config;
}

}  // namespace

MethodSearch::MethodSearch(const TuneRequest& request, const TuneOptions& options, const Config& config)
    : request_(request),
      options_(options),
      config_(config),
      ranges_(search_ranges(config, request.fixed, request.over, request.ranges)),
      spaced_(std::ranges::count(request.fixed, "run.record_every") == 0) {}

std::string MethodSearch::directory(const std::string& name) const {
  return fmt::format("{}/{}/{}", request_.root, folder_name(config_.method.text("label")), name);
}

void MethodSearch::check() const {
  const Listener listener(&options_.stop, options_.on_progress);
  const std::string label = config_.method.text("label");
  if (config_.method.has("parameters") && config_.method.text("parameters") == "theory")
    throw Error("the theorem decides the parameters of " + label, config_.method.where("parameters"),
                "take parameters = \"given\" to tune them");
  if (ranges_.empty())
    throw Error("nothing is left to tune of " + label, "tune",
                "name a range, such as --over method.eta=0.001..1");
  const Config own =
      config_with(config_, ranges_, own_values(config_, ranges_, request_.over), request_.budget);
  probed_pace(own, request_.budget.axis);
  check_recorded(own, *request_.by);
}

std::optional<TunedMethod> MethodSearch::carry_out() {
  draw_trials();
  const auto done = std::ranges::find_if(runs_, [](const SearchRun& run) { return !run.rungs.empty(); });
  if (done != runs_.end()) refuse_another_problem(done->directory, done->config);
  if (options_.stop || !climb() || !report()) return std::nullopt;
  return result();
}

// Trial 0 has the config's own values, so that the best is not worse than they are, on the trials' seed.
void MethodSearch::draw_trials() {
  const auto ranges = static_cast<int>(ranges_.size());
  const auto points = spread_draws(config_.seed(), request_.trials - 1, ranges);
  for (int k = 0; k < request_.trials; ++k) {
    const std::string name = fmt::format("trial-{:03}", k);
    runs_.push_back({name, directory(name), config_, own_values(config_, ranges_, request_.over)});
    runs_.back().config.general.set("seed", request_.trial_seed(), "doc2s tune");
    if (k > 0) take_values(k, points[k - 1]);
  }
  Threads workers(options_.jobs);
  std::mutex telling;
  int drawn = 0;
  workers.each(request_.trials, [&](Index k) {
    const Listener listener(&options_.stop, {});
    if (options_.stop) return;
    settle(static_cast<int>(k));
    const std::lock_guard lock(telling);
    options_.on_going(
        fmt::format("{}, drawing trials: {} of {}", config_.method.text("label"), ++drawn, request_.trials));
  });
}

void MethodSearch::take_values(int trial, const std::vector<double>& positions) {
  for (std::size_t k = 0; k < ranges_.size(); ++k) runs_[trial].values[k] = ranges_[k].at(positions[k]);
}

// Draws again where the values are refused, such as rounds of gossip that do not contract.
void MethodSearch::settle(int trial) {
  SearchRun& run = runs_[trial];
  for (int attempt = 1; attempt <= most_attempts; ++attempt) try {
      run.config = config_with(run.config, ranges_, run.values, request_.budget);
      run.pace = probed_pace(on_one_thread(run.config), request_.budget.axis);
      run.rungs = read_rungs(run.directory);
      run.refusal.clear();
      return;
    } catch (const Error& error) {
      if (error.exit_code() != 2) throw;
      run.refusal = error.what();
      take_values(trial, another_draw(config_.seed(), trial, attempt, static_cast<int>(ranges_.size())));
    }
}

}  // namespace doc2s
