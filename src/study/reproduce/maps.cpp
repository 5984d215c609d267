// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tasks.hpp"

namespace doc2s {

namespace {

struct MapGraph {
  const char* name;
  std::vector<std::string> changes;
};

// Batch × split × graph, DOC²S and ME-DOL in each cell, at equal samples.
const std::vector<MapGraph>& map_graphs() {
  static const std::vector<MapGraph> all = {{"ring", {"network.graph=ring"}},
                                            {"torus", {"network.graph=torus"}},
                                            {"exponential", {"network.graph=exponential"}},
                                            {"complete", {"network.graph=complete"}}};
  return all;
}

std::vector<std::string> map_batches(const Task& task) {
  if (task.name == "a9a") return {"1", "8", "64"};
  return {"4", "16", "64"};
}

// Eight trials each. DOC²S tries few rounds and the exact rule's, where these differ.
std::vector<Changes> map_settings(const std::string& method, int exact) {
  const SweepAxis D = {"method.D", {"0.01", "0.1"}}, two = {"method.eta", {"0.01", "0.1"}},
                  four = {"method.eta", {"0.003", "0.01", "0.03", "0.1"}},
                  R = {"method.R", {"2", std::to_string(exact)}};
  if (method != "doc2s") return combinations({four, D});
  return exact > 2 ? combinations({two, D, R}) : combinations({four, D, {"method.R", {R.values.back()}}});
}

Line map_line(const char* label, const std::string& method, const std::string& cell, Changes changes,
              const Study& study) {
  changes.push_back(change_from("method.name=" + method));
  const int exact = exact_rounds_on(parse_configs(study.config, study.name, changes).front());
  return {fmt::format("{}, {}", label, cell), method + "/" + cell, std::move(changes),
          map_settings(method, exact)};
}

Study map_on(const Task& task, Scale scale) {
  Study study = study_on(task, "map-" + task.name,
                         fmt::format("batch, split and graph: {}, first order", task.title), scale);
  const Size& size = task.smaller_size(scale);
  study.records = std::min<Index>(size.records, 20);
  study.tuning_share = 0.5;
  for (const std::string& batch : map_batches(task))
    for (const SampleSplit& split : splits())
      for (const MapGraph& graph : map_graphs()) {
        Changes changes = changes_from(size.changes);
        append(changes, changes_from(split.changes));
        append(changes, changes_from(graph.changes));
        changes.push_back(change_from("problem.batch=" + batch));
        const std::string cell = fmt::format("batch {}, {}, {}", batch, split.name, graph.name);
        study.lines.push_back(map_line("DOC²S", "doc2s", cell, changes, study));
        study.lines.push_back(map_line("ME-DOL", "me-dol", cell, changes, study));
      }
  study.views.push_back({study.name,
                         "samples",
                         "loss_mean_point",
                         size.samples / 2,
                         {"loss_worst", "accuracy"},
                         "",
                         /*drawn=*/false});
  return study;
}

}  // namespace

std::vector<Study> maps(Scale scale) {
  std::vector<Study> all;
  for (const Task& task : tasks())
    if (task.name == "a9a" || task.name == "mnist") all.push_back(map_on(task, scale));
  return all;
}

}  // namespace doc2s
