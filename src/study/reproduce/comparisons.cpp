// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "grids.hpp"
#include "tasks.hpp"

namespace doc2s {

namespace {

struct Axis {
  const char* word;  // in a figure's name
  const char* count;
  const char* paper_first;
};
// Bytes are no axis of their own: all methods send a row over every edge in a communication round.
constexpr Axis axes[] = {{"samples", "samples", "Figure 1"},
                         {"computation", "computation_rounds", "Figure 2"},
                         {"communication", "communication_rounds", "Figure 3"}};
constexpr const char* paper_zeroth = "Figures 4–6";  // all captioned "Computation Rounds"

struct Compared {
  const char* label;
  const char* folder;
  const char* method;
  bool tunes_rounds = false;
};

std::vector<Compared> compared_methods(const std::string& order) {
  std::vector<Compared> methods = {{"DOC²S, R = 2", "doc2s-2", "doc2s"},
                                   {"DOC²S, R tuned", "doc2s", "doc2s", /*tunes_rounds=*/true},
                                   {"ME-DOL", "me-dol", "me-dol"}};
  if (order == "zeroth") {
    methods.push_back({"DGFM", "dgfm", "dgfm"});
    methods.push_back({"DGFM⁺", "dgfm-plus", "dgfm-plus"});
  }
  return methods;
}

// What all lines of a study change in its task's config.
Changes common_changes(const Task& task, const std::string& order, const SampleSplit& split, Scale scale) {
  Changes changes = changes_from(task.size(scale).changes);
  append(changes, changes_from(split.changes));
  changes.push_back(change_from("method.order=" + order));
  return changes;
}

Study comparison(const Task& task, const std::string& order, const SampleSplit& split, Grid grid,
                 Scale scale) {
  const std::string what = fmt::format("{}-{}-{}", task.name, split.name, name_of(grid));
  Study study =
      study_on(task, order + "-" + what,
               fmt::format("{} order, {}, samples dealt {}, {} grid", order == "first" ? "First" : "Zeroth",
                           task.title, split.title, grid == Grid::paper ? "the paper's" : "wide"),
               scale);
  const Size& size = task.size(scale);
  const Changes common = common_changes(task, order, split, scale);
  const int exact = exact_rounds_on(parse_configs(study.config, study.name, common).front());
  for (const auto& [label, folder, method, tunes_rounds] : compared_methods(order)) {
    Line line{label, folder, common};
    line.changes.push_back(change_from(std::string("method.name=") + method));
    line.settings = settings_for(method, grid, size.trials,
                                 tunes_rounds ? std::vector<int>{2, 4, 8, exact} : std::vector<int>());
    study.lines.push_back(std::move(line));
  }
  for (const Axis& axis : axes)
    study.views.push_back({fmt::format("{}-{}-{}", order, axis.word, what),
                           axis.count,
                           "loss_mean_point",
                           size.budget(axis.count),
                           {"loss_worst", "accuracy"},
                           order == "first" ? axis.paper_first : paper_zeroth});
  return study;
}

bool is_made(const Task& task, const std::string& order, const SampleSplit& split, Grid grid, Scale scale) {
  if (order == "zeroth" && !task.has_zeroth) return false;
  return !task.size(scale).few || (split.name != "dirichlet" && grid == Grid::wide);
}

}  // namespace

std::vector<Study> comparisons(Scale scale) {
  std::vector<Study> all;
  for (const std::string order : {"first", "zeroth"})
    for (const Task& task : tasks())
      for (const SampleSplit& split : splits())
        for (const Grid grid : {Grid::paper, Grid::wide})
          if (is_made(task, order, split, grid, scale))
            all.push_back(comparison(task, order, split, grid, scale));
  return all;
}

}  // namespace doc2s
