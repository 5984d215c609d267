#include "base/json.hpp"
#include "base/text.hpp"
#include "doc2s/base/version.hpp"
#include "results.hpp"
#include "run_figures.hpp"

namespace doc2s {

namespace {

constexpr const char* rule =
    "for each view and line, the setting of the grid whose run with the tuning seed has the least mean of "
    "the measure over the last tenth of the way to tuning_share × budget on the axis. A diverged run loses, "
    "the earlier setting wins a tie. The settings chosen are then run with the seeds shown, to the budget";

// A list with an object a line.
std::string listed(const std::vector<std::string>& objects) {
  return objects.empty() ? "[]" : "[\n    " + joined(objects, ",\n    ") + "\n  ]";
}

std::string numbers(const std::vector<double>& all) {
  std::vector<std::string> words;
  for (const double number : all) words.push_back(json(number));
  return "[" + joined(words) + "]";
}

std::string texts(const std::vector<std::string>& all) {
  std::vector<std::string> words;
  for (const std::string& text : all) words.push_back(json(text));
  return "[" + joined(words) + "]";
}

std::string views_text(const Study& study) {
  std::vector<std::string> objects;
  for (const View& view : study.views)
    objects.push_back(JsonObject()
                          .add("figure", view.figure)
                          .add("axis", view.axis)
                          .add("measure", view.measure)
                          .add("budget", view.budget)
                          .line());
  return listed(objects);
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
  return listed(objects);
}

std::string figures_text(const Shown& shown) {
  JsonObject object;
  for (const auto& [measure, figures] : shown.figures) object.add_raw(measure, numbers(figures));
  return object.line();
}

// --set arguments for `doc2s run configs/reproduce/CONFIG`, without the seed.
std::string arguments_text(const Shown& shown) {
  std::vector<std::string> arguments;
  for (const auto& [key, value, where] : shown.cases.front().changes)
    if (key != "seed") arguments.push_back(key + "=" + value);
  return texts(arguments);
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
                          .add_raw("trajectories", texts(hashes))
                          .add_raw("set", arguments_text(shown))
                          .line());
  }
  return listed(objects);
}

std::string refused_text(const StudyResults& results) {
  std::vector<std::string> objects;
  for (const auto& refused : results.refused)
    objects.push_back(JsonObject().add("line", refused.line->label).add("reason", refused.reason).line());
  return listed(objects);
}

std::string seeds_text() {
  std::vector<std::string> words;
  for (const int seed : shown_seeds()) words.push_back(std::to_string(seed));
  return "[" + joined(words) + "]";
}

}  // namespace

std::string settings_text(const Study& study, Scale scale, const StudyResults& results) {
  JsonObject object;
  object.add("study", study.name).add("title", title_here(study)).add("scale", name_of(scale));
  object.add("version", version()).add("config", study.config_name).add_raw("seeds", seeds_text());
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
