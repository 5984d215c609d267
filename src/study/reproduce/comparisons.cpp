#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "doc2s/algorithms/kinds.hpp"
#include "tasks.hpp"

namespace doc2s {

namespace {

const Option* option_of(const MethodKind& method, const std::string& name) {
  const auto found = std::ranges::find(method.options, name, &Option::name);
  return found == method.options.end() ? nullptr : &*found;
}

bool has_order(const MethodKind& method, const std::string& order) {
  return std::ranges::count(option_of(method, "order")->choices, order) > 0;
}

// The paper's methods, as it writes them.
const std::map<std::string, std::string>& paper_labels() {
  static const std::map<std::string, std::string> labels = {
      {"doc2s", "DOC²S"}, {"me-dol", "ME-DOL"}, {"dgfm", "DGFM"}, {"dgfm-plus", "DGFM⁺"}};
  return labels;
}

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

Line line_of(const MethodKind& method, const std::string& order, const Size& size) {
  Line line{paper_labels().at(method.name), method.name, changes_from(size.changes)};
  for (const auto& change : changes_from({"method.name=" + method.name, "method.order=" + order}))
    line.changes.push_back(change);
  const bool one_computes = method.name == "doc2s";
  for (const auto& change : length(one_computes ? size.one : size.all, size.records))
    line.changes.push_back(change);
  for (const auto& axis : size.grid)  // a key that the method does not have is not tuned
    if (SweepAxis tuned = sweep_axis(axis); option_of(method, tuned.key.substr(tuned.key.rfind('.') + 1)))
      line.grid.push_back(std::move(tuned));
  return line;
}

Study comparison(const Task& task, const std::string& order, Scale scale) {
  const bool first = order == "first";
  Study study{order + "-" + task.name,
              fmt::format("{} order, {}", first ? "First" : "Zeroth", task.title),
              task.config,
              {},
              {}};
  for (const MethodKind& method : method_kinds())
    if (paper_labels().contains(method.name) && has_order(method, order))
      study.lines.push_back(line_of(method, order, task.size(scale)));
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
