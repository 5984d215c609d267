// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "pace.hpp"
#include "study.hpp"
#include "study/run_scores.hpp"

namespace doc2s {

namespace {

struct Length {
  double budget;  // on the view's axis
  Index records;
};

// K and DGFM's own length are no limits: the budget ends all methods alike.
Changes with_length(const Study& study, const View& view, Length length, Changes changes) {
  const Config config = parse_configs(study.config, study.name, changes).front();
  const auto iterations =
      std::max<Index>(1, std::llround(std::floor(length.budget / pace(config, view.axis))));
  append(
      changes,
      changes_from({"method.K=1000000", "method.iterations=1000000000",
                    fmt::format("run.budget.iterations={}", iterations),
                    fmt::format("run.record_every={}", record_spacing(config, iterations, length.records))}));
  return changes;
}

StudyCase make_case(const Study& study, const View& view, const Line& line, const Changes& setting, int seed,
                    Length length, const std::string& folder) {
  const Change seeded = change_from(fmt::format("seed={}", seed));
  Changes changes = line.changes;
  append(changes, setting);
  changes.push_back(seeded);
  changes = with_length(study, view, length, std::move(changes));
  changes.push_back({"method.label", "\"" + label_with(line.label, setting) + "\"", "reproduce"});
  const Config config = parse_configs(study.config, study.name, changes).front();
  Changes named = setting;
  named.push_back(change_from(fmt::format("iterations={}", config.run.integer("budget.iterations"))));
  named.push_back(seeded);
  return {{fmt::format("{} {}", line.label, name_of(named)), config,
           fmt::format("{}/{}/{}", folder, line.folder, name_of(named))},
          changes};
}

}  // namespace

std::string label_with(const std::string& label, const Changes& setting) {
  std::vector<std::string> parts = {label};
  for (const auto& [key, value, where] : setting)
    parts.push_back((key == "method.eta" ? "η" : key.substr(key.rfind('.') + 1)) + " = " + value);
  return joined(parts);
}

const std::vector<int>& shown_seeds() {
  static const std::vector<int> seeds = {1, 2, 3};
  return seeds;
}

std::vector<StudyCase> tuning_cases(const Study& study, const View& view, const Line& line,
                                    const std::string& root) {
  const Length length = {study.tuning_share * view.budget, std::min<Index>(study.records, 10)};
  std::vector<StudyCase> cases;
  for (const auto& setting : line.settings)
    cases.push_back(
        make_case(study, view, line, setting, tuning_seed, length, root + "/" + study.name + "/tuning"));
  return cases;
}

std::vector<StudyCase> shown_cases(const Study& study, const View& view, const Line& line,
                                   const Changes& setting, const std::string& root) {
  std::vector<StudyCase> cases;
  for (const int seed : shown_seeds())
    cases.push_back(make_case(study, view, line, setting, seed, {view.budget, study.records},
                              root + "/" + study.name + "/runs"));
  return cases;
}

}  // namespace doc2s
