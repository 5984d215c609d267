#include "base/json.hpp"
#include "base/text.hpp"
#include "doc2s/base/version.hpp"
#include "results.hpp"

namespace doc2s {

namespace {

constexpr const char* rule =
    "for each figure and method, the setting of the grid whose run with the tuning seed has the least mean "
    "of the "
    "measure over the last tenth of the way to compared_at, the largest count on the figure's axis that "
    "every "
    "method reaches. A diverged run loses, the earlier setting wins a tie. The settings chosen are then run "
    "with "
    "the seeds shown";

// A list with an object a line.
std::string listed(const std::vector<std::string>& objects) {
  return objects.empty() ? "[]" : "[\n    " + joined(objects, ",\n    ") + "\n  ]";
}

std::string numbers(const std::vector<double>& all) {
  std::vector<std::string> words;
  for (const double number : all) words.push_back(json(number));
  return "[" + joined(words) + "]";
}

std::string budgets_text(const Study& study, const StudyResults& results) {
  std::vector<std::string> objects;
  for (std::size_t v = 0; v < study.views.size(); ++v)
    objects.push_back(JsonObject()
                          .add("figure", study.views[v].figure)
                          .add("axis", study.views[v].axis)
                          .add("measure", study.views[v].measure)
                          .add("compared_at", results.budgets[v])
                          .line());
  return listed(objects);
}

std::string grid_text(const StudyResults& results) {
  std::vector<std::string> objects;
  for (const auto& tried : results.grid)
    objects.push_back(JsonObject()
                          .add("method", tried.line->label)
                          .add("setting", tried.one.name)
                          .add("status", to_text(tried.status))
                          .add_raw("figures", numbers(tried.figures))
                          .line());
  return listed(objects);
}

std::string shown_text(const StudyResults& results) {
  std::vector<std::string> objects;
  for (const auto& shown : results.shown)
    objects.push_back(JsonObject()
                          .add("figure", shown.view->figure)
                          .add("axis", shown.view->axis)
                          .add("measure", shown.view->measure)
                          .add("line", shown.line->label)
                          .add("setting", shown.setting)
                          .add("mean", spread_of(shown.figures).mean)
                          .add_raw("by_seed", numbers(shown.figures))
                          .line());
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
  object.add("version", version()).add_raw("seeds", seeds_text());
  if (!results.grid.empty())
    object.add("tuning_seed", tuning_seed).add("rule", rule).add_raw("grid", grid_text(results));
  object.add_raw("figures", budgets_text(study, results)).add_raw("shown", shown_text(results));
  if (!results.refused.empty()) object.add_raw("refused", refused_text(results));
  return object.lines() + "\n";
}

}  // namespace doc2s
