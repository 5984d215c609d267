// SPDX-License-Identifier: Apache-2.0
#include "kept_json.hpp"
#include "results.hpp"
#include "run_figures.hpp"

namespace doc2s {

namespace {

constexpr const char* rule =
    "for each view and line, the setting of the grid whose run with the tuning seed has the least mean of "
    "the measure over the last tenth of the way to tuning_share × budget on the axis. A diverged run loses, "
    "the earlier setting wins a tie. The settings chosen are then run with the seeds shown, to the budget";

std::string views_text(const Study& study) {
  std::vector<std::string> objects;
  for (const View& view : study.views)
    objects.push_back(JsonObject()
                          .add("figure", view.figure)
                          .add("axis", view.axis)
                          .add("measure", view.measure)
                          .add("budget", view.budget)
                          .line());
  return json_list(objects);
}

std::string grid_text(const StudyResults& results) {
  std::vector<std::string> objects;
  for (const auto& tried : results.grid)
    objects.push_back(JsonObject()
                          .add("axis", tried.view->axis)
                          .add("line", tried.line->label)
                          .add("run", tried.one.run.name)
                          .add("status", to_text(tried.status))
                          .add("figure", tried.figure)
                          .line());
  return json_list(objects);
}

std::string figures_text(const Shown& shown) {
  JsonObject object;
  for (const auto& [measure, figures] : shown.figures) object.add_raw(measure, json_row(figures));
  return object.line();
}

// --set arguments for `doc2s run configs/reproduce/CONFIG`, without the seed.
std::string arguments_text(const Shown& shown) {
  std::vector<std::string> arguments;
  for (const auto& [key, value, where] : shown.cases.front().changes)
    if (key != "seed") arguments.push_back(key + "=" + value);
  return json_row(arguments);
}

std::string counts_text(const StudyCase& one) {
  JsonObject object;
  for (const auto& [name, count] : end_of(one.run).counts) object.add(name, count);
  return object.line();
}

std::string shown_text(const StudyResults& results) {
  std::vector<std::string> objects;
  for (const auto& shown : results.shown) {
    std::vector<std::string> hashes;
    for (const StudyCase& one : shown.cases) hashes.push_back(end_of(one.run).trajectory);
    objects.push_back(JsonObject()
                          .add("figure", shown.view->figure)
                          .add("axis", shown.view->axis)
                          .add("measure", shown.view->measure)
                          .add("line", shown.line->label)
                          .add("setting", shown.setting)
                          .add_raw("by_seed", figures_text(shown))
                          .add_raw("counts", counts_text(shown.cases.front()))
                          .add_raw("trajectories", json_row(hashes))
                          .add_raw("set", arguments_text(shown))
                          .line());
  }
  return json_list(objects);
}

std::string refused_text(const StudyResults& results) {
  std::vector<std::string> objects;
  for (const auto& refused : results.refused)
    objects.push_back(JsonObject().add("line", refused.line->label).add("reason", refused.reason).line());
  return json_list(objects);
}

}  // namespace

std::string settings_text(const Study& study, Scale scale, const StudyResults& results) {
  JsonObject object = kept_json(study.name, title_here(study), scale);
  object.add("config", study.config_name);
  if (!results.grid.empty())
    object.add("tuning_seed", tuning_seed)
        .add("tuning_share", study.tuning_share)
        .add("rule", rule)
        .add_raw("grid", grid_text(results));
  object.add_raw("views", views_text(study)).add_raw("shown", shown_text(results));
  if (!results.refused.empty()) object.add_raw("refused", refused_text(results));
  return object.lines() + "\n";
}

}  // namespace doc2s
