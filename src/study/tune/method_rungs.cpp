// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "doc2s/base/error.hpp"
#include "method_search.hpp"
#include "study/own_folder.hpp"
#include "trial_config.hpp"

namespace doc2s {

namespace {

constexpr int reported_seeds = 3;
constexpr double whole_way = 1;

}  // namespace

double MethodSearch::worth(const Reached& reached) const {
  if (!std::isfinite(reached.score)) return std::numeric_limits<double>::infinity();
  return request_.by->better == Quantity::Better::high ? -reached.score : reached.score;
}

// Of these trials, which all were on the rung; what is left behind keeps no large files.
std::vector<int> MethodSearch::best_of(const std::vector<int>& trials, std::size_t rung, int keep) const {
  std::vector<double> worths;
  for (const int k : trials) worths.push_back(worth(runs_[k].rungs[rung]));
  std::vector<int> best;
  for (const int place : lowest(worths, keep)) best.push_back(trials[place]);
  if (best.empty())
    throw Error(fmt::format("every trial of {} diverged or has no {}", config_.method.text("label"),
                            request_.by->name),
                request_.root, "give smaller ranges with --over, or another --by");
  for (const int k : trials)
    if (std::ranges::count(best, k) == 0) drop_large_files(runs_[k].directory, /*keep_outputs=*/false);
  return best;
}

bool MethodSearch::climb() {
  std::vector<int> going;
  for (int k = 0; k < request_.trials; ++k)
    if (runs_[k].refusal.empty()) going.push_back(k);
  const std::vector<Rung> rungs = rungs_for(request_.trials);
  for (std::size_t r = 0; r < rungs.size(); ++r) {
    if (r > 0) going = best_of(going, r - 1, rungs[r].trials);
    if (!go(going, r, rungs[r].share, fmt::format("rung {} of {}", r + 1, rungs.size()))) return false;
  }
  best_ = best_of(going, rungs.size() - 1, 1).front();
  return true;
}

// From the config's seed on. Seeds decide split and start too.
bool MethodSearch::report() {
  const SearchRun best = runs_[best_];
  std::vector<int> seeds;
  for (int k = request_.trial_seed_shift == 0 ? 1 : 0; k < reported_seeds; ++k) {
    const std::int64_t seed = config_.general.integer("seed") + k;
    const std::string name = fmt::format("{}-seed-{}", best.name, seed);
    SearchRun run{name, directory(name), best.config, best.values, best.pace, read_rungs(directory(name))};
    run.config.general.set("seed", seed, "doc2s tune");
    seeds.push_back(static_cast<int>(runs_.size()));
    runs_.push_back(std::move(run));
  }
  return go(seeds, 0, whole_way, "fresh seeds");
}

SweepCase MethodSearch::case_of(int run, double share) const {
  const SearchRun& one = runs_[run];
  return {config_.method.text("label") + "/" + one.name,
          config_up_to(one.config, request_.budget, {share, one.pace, spaced_}), one.directory};
}

// Those of the runs that were not on this rung yet.
bool MethodSearch::go(const std::vector<int>& runs, std::size_t rung, double share,
                      const std::string& stage) {
  std::vector<SweepCase> cases;
  for (const int k : runs)
    if (runs_[k].rungs.size() <= rung) cases.push_back(case_of(k, share));
  std::size_t done = runs.size() - cases.size();
  options_.on_progress(news(stage, done, runs.size()));
  run_cases(
      cases, options_.jobs, options_.stop,
      [&](const SweepCase& one, const Summary& summary) {
        if (summary.status == Status::interrupted) return;
        note(one.directory, summary);
        options_.on_progress(news(stage, ++done, runs.size()));
      },
      [&](double share) {
        const double all = static_cast<double>(runs.size()), before = all - static_cast<double>(cases.size());
        options_.on_going(
            fmt::format("{}, {:.0f}%", news(stage, done, runs.size()), 100 * (before + share) / all));
      });
  return !options_.stop;
}

void MethodSearch::note(const std::string& directory, const Summary& summary) {
  SearchRun& run = *std::ranges::find(runs_, directory, &SearchRun::directory);
  const std::string axis = request_.budget.count();
  const double count = summary.end[axis];
  const double score = summary.status == Status::finished
                           ? last_tenth(directory, axis, request_.by->name, count)
                           : std::numeric_limits<double>::quiet_NaN();
  run.rungs.push_back({count, score, summary.status});
  write_rungs(directory, run.rungs);
}

std::string MethodSearch::news(const std::string& stage, std::size_t done, std::size_t all) const {
  const Reached* best = nullptr;
  std::size_t furthest = 0;
  for (const SearchRun& run : runs_) furthest = std::max(furthest, run.rungs.size());
  for (const SearchRun& run : runs_)
    if (run.rungs.size() == furthest && furthest > 0 && (!best || worth(run.rungs.back()) < worth(*best)))
      best = &run.rungs.back();
  return fmt::format("{}, {}: {} of {} runs{}", config_.method.text("label"), stage, done, all,
                     best && std::isfinite(best->score) ? fmt::format(", best {:.5g}", best->score) : "");
}

TunedMethod MethodSearch::result() const {
  TunedMethod tuned{config_.method.text("label"),
                    config_with(config_, ranges_, runs_[best_].values, request_.budget),
                    ranges_,
                    {},
                    best_,
                    {},
                    {}};
  std::vector<double> scores;
  for (int k = 0; k < static_cast<int>(runs_.size()); ++k) {
    const SearchRun& run = runs_[k];
    const Reached last = run.rungs.empty() ? Reached{0, std::nan(""), Status::running} : run.rungs.back();
    tuned.spent += last.count;
    if (k < request_.trials)
      tuned.trials.push_back({run.values, run.directory, static_cast<int>(run.rungs.size()), last.count,
                              last.score, last.status, run.refusal});
    if (k < request_.trials && (k != best_ || request_.trial_seed_shift != 0)) continue;
    tuned.seeds.push_back({run.config.general.integer("seed"), last.score, run.directory});
    scores.push_back(last.score);
  }
  tuned.score = spread_of(scores);
  return tuned;
}

}  // namespace doc2s
