#include <fmt/format.h>

#include "tasks.hpp"

namespace doc2s {

namespace {

struct Method {
  const char* name;
  const char* label;
  bool first_order, has_radius, one_computes;
};
constexpr Method methods[] = {{"doc2s", "DOC²S", true, true, true},
                              {"me-dol", "ME-DOL", true, true, false},
                              {"dgfm", "DGFM", false, false, false},
                              {"dgfm-plus", "DGFM⁺", false, false, false}};

struct Axis {
  const char* word;  // in a figure's name
  const char* count;
  const char* paper_first;
  const char* paper_zeroth;
};
constexpr Axis axes[] = {{"samples", "samples", "Figure 1", "Figure 4"},
                         {"computation", "computation_rounds", "Figure 2", "Figure 5"},
                         {"communication", "communication_rounds", "Figure 3", "Figure 6"},
                         {"bytes", "bytes", "", ""}};

Line line_of(const Method& method, const std::string& order, const Size& size) {
  Line line{method.label, method.name, changes_from(size.changes)};
  for (const auto& change :
       changes_from({fmt::format("method.name={}", method.name), "method.order=" + order}))
    line.changes.push_back(change);
  for (const auto& change : length(method.one_computes ? size.one : size.all, size.records))
    line.changes.push_back(change);
  for (const auto& words : size.grid)
    if (method.has_radius || !words.starts_with("method.D=")) line.grid.push_back(sweep_axis(words));
  return line;
}

Study comparison(const Task& task, const std::string& order, Scale scale) {
  const bool first = order == "first";
  Study study{order + "-" + task.name,
              fmt::format("{} order, {}", first ? "First" : "Zeroth", task.title),
              task.config,
              {},
              {}};
  for (const Method& method : methods)
    if (method.first_order || !first) study.lines.push_back(line_of(method, order, task.size(scale)));
  for (const Axis& axis : axes)
    study.views.push_back({fmt::format("{}-{}-{}", order, axis.word, task.name), axis.count,
                           "loss_mean_point", first ? axis.paper_first : axis.paper_zeroth});
  return study;
}

}  // namespace

std::vector<Study> comparisons(Scale scale) {
  std::vector<Study> all;
  for (const char* order : {"first", "zeroth"})
    for (const Task& task : tasks()) all.push_back(comparison(task, order, scale));
  return all;
}

}  // namespace doc2s
