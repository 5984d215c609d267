// SPDX-License-Identifier: Apache-2.0
#include "ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <tuple>

#include "base/real_in.hpp"
#include "base/text.hpp"
#include "config/schema.hpp"
#include "doc2s/base/error.hpp"
#include "report/metrics_file.hpp"
#include "run/probe.hpp"

namespace doc2s {

namespace {

// One of quantities(), measures or counts.
const Quantity& named(const std::string& name, bool count, const std::string& where) {
  std::vector<std::string> names;
  for (const Quantity& one : quantities()) {
    if (count ? !one.is_count() : one.kind != Quantity::Kind::measure) continue;
    if (one.name == name) return one;
    names.push_back(one.name);
  }
  refuse_name(name, names, where);
}

}  // namespace

double Yardstick::worth(double figure) const {
  if (!std::isfinite(figure)) return std::numeric_limits<double>::infinity();
  return measure->better == Quantity::Better::high ? -figure : figure;
}

Yardstick yardstick(const std::string& measure, const std::string& at) {
  Yardstick by{&named(measure, /*count=*/false, "--by"), nullptr, 0};
  if (at.empty()) return by;
  const auto equals = at.find('=');
  by.count = &named(at.substr(0, equals), /*count=*/true, "--at " + at);
  const std::string number = equals == at.npos ? "" : at.substr(equals + 1);
  by.most = real_in(number);
  if (!(by.most >= 0))
    throw Error("is not of the form count=number", "--at " + at, "for example --at samples=4000");
  return by;
}

void check_recorded(const Config& config, const Quantity& measure) {
  const std::string where = fmt::format("--by {}", measure.name);
  if (measure.sparse && !config.run.has("certify_every"))
    throw Error(fmt::format("the records have no {}", measure.name), where, "add --set run.certify_every=1");
  if (!lacks_samples(config, measure.name)) return;
  if (is_of_validation(measure.name))
    throw Error(fmt::format("the problem has no rows to measure {} on", measure.name), where,
                "set problem.validation = 0.2, a share of each client's rows, or a file");
  throw Error(fmt::format("the problem has no test set to measure {} on", measure.name), where,
              "take another measure, such as loss_mean_point");
}

const Quantity& measure_to_choose_by(const Config& config, const Quantity& asked) {
  const bool can = std::ranges::any_of(*config.schema, [&](const KnownOption& known) {
    return known.key() == "problem.validation" && known.selected == config.problem.text("name");
  });
  if (!can || !is_of_test(asked.name)) return asked;
  if (!config.problem.has("validation"))
    throw Error("the test set must not choose what it judges", fmt::format("--by {}", asked.name),
                "set problem.validation = 0.2, a share of each client's rows, or a file: then that is read");
  const bool share = asked.format == Quantity::Format::share;
  return quantities()[position_of(share ? "validation_accuracy" : "validation_rmse")];
}

SweepResult result_of(const SweepCase& one, const Yardstick& by) {
  SweepResult result{std::nan(""), 0, status_of(one)};
  const std::string path = one.directory + "/metrics.jsonl";
  if (!std::filesystem::exists(path)) return result;
  bool beyond = false;
  for_each_record(path, [&](Index, const Record& record) {
    const double value = record[by.measure->name];
    beyond = by.count && record[by.count->name] > by.most;
    if (beyond || (by.measure->sparse && std::isnan(value))) return;
    result.figure = value;
    result.iteration = record.whole("iteration");
  });
  result.counts = std::isfinite(result.figure) && (result.status != Status::diverged || beyond);
  return result;
}

std::string RankedSetting::method() const { return runs.front().one->config.method.text("label"); }

namespace {

void finish(RankedSetting& setting, const Yardstick& by) {
  std::ranges::stable_sort(setting.runs, {}, [&](const RankedCase& run) {
    return std::tuple(!run.result.counts, by.worth(run.result.figure));
  });
  std::vector<double> figures;
  for (const RankedCase& run : setting.runs)
    if (run.result.counts) figures.push_back(run.result.figure);
  setting.counted = std::ssize(figures);
  setting.spread = spread_of(figures);
}

}  // namespace

std::vector<RankedSetting> ranked(const std::vector<SweepCase>& cases, const Yardstick& by) {
  std::vector<RankedSetting> settings;
  for (const auto& one : cases) {
    if (std::ranges::count(settings, one.setting, &RankedSetting::name) == 0)
      settings.push_back({.name = one.setting});
    RankedSetting& setting = *std::ranges::find(settings, one.setting, &RankedSetting::name);
    ++setting.asked;
    if (is_done(one)) setting.runs.push_back({&one, result_of(one, by)});
  }
  std::erase_if(settings, [](const RankedSetting& one) { return one.runs.empty(); });
  for (RankedSetting& setting : settings) finish(setting, by);
  std::ranges::stable_sort(settings, {}, [&](const RankedSetting& setting) {
    return std::tuple(setting.counted == 0, !setting.is_whole(), by.worth(setting.spread.mean));
  });
  std::set<std::string> seen;
  for (RankedSetting& setting : settings)
    setting.best_of_method = setting.counted > 0 && seen.insert(setting.method()).second;
  return settings;
}

std::string lost_text(const RankedSetting& setting, const Yardstick& by) {
  if (setting.is_whole()) return "";
  Index diverged = 0;
  for (const RankedCase& run : setting.runs)
    diverged += !run.result.counts && run.result.status == Status::diverged;
  const Index open = setting.asked - std::ssize(setting.runs);
  const Index without = setting.asked - setting.counted - diverged - open;
  std::vector<std::string> parts;
  if (diverged > 0) parts.push_back(fmt::format("{} diverged", diverged));
  if (open > 0) parts.push_back(fmt::format("{} {} not done", open, open == 1 ? "is" : "are"));
  if (without > 0)
    parts.push_back(fmt::format("{} {} no {}", without, without == 1 ? "has" : "have", by.measure->name));
  return fmt::format("of {} run{} {}{}", setting.asked, setting.asked == 1 ? "" : "s", joined(parts),
                     setting.counted > 0 ? "; the mean is of the others" : "");
}

}  // namespace doc2s
