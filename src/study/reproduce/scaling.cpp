// SPDX-License-Identifier: Apache-2.0
#include "scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "catalogue/catalogue.hpp"
#include "doc2s/base/error.hpp"
#include "embedded_configs.hpp"
#include "report/metrics_file.hpp"
#include "run_figures.hpp"

namespace doc2s {

namespace {

constexpr const char* scaling_graphs[] = {"ring", "torus", "complete"};

Config scaling_config(Changes changes, const Changes& more) {
  append(changes, more);
  return parse_configs(embedded::scaling, "reproduce scaling", changes).front();
}

// Without a9a, made-up samples of a number that all numbers of clients divide.
ScalingSize size_here(Scale scale) {
  ScalingSize size = scaling_size(scale);
  const DataSet* a9a = data_set_named("a9a");
  if (size.changes.empty() && (!a9a || find_set(*a9a).files.empty()))
    size.changes = changes_from({"problem.data=synthetic", "problem.size=4096"});
  return size;
}

Changes network_changes(const std::string& graph, int clients) {
  return changes_from({"network.graph=" + graph, fmt::format("clients.count={}", clients)});
}

struct CellPlan {
  ScalingCell cell;
  PlanRequest request;
};

CellPlan plan_cell(const ScalingSize& size, const std::string& graph, int clients) {
  Changes changes = network_changes(graph, clients);
  append(changes, changes_from({fmt::format("seed={}", tuning_seed), "method.name=doc2s",
                                "method.parameters=theory", fmt::format("method.delta={}", size.delta),
                                fmt::format("method.epsilon={}", size.epsilon), "method.rounds_rule=exact"}));
  const Config config = scaling_config(size.changes, changes);
  const Network network = make_network(config);
  const TheoryParameters theory = theory_of(config);
  if (!theory.exact_R)
    throw Error(fmt::format("{} of {} clients mixes too slowly", graph, clients), "reproduce scaling");
  ScalingCell cell{
      graph, clients, network.spectrum.gamma(), theory.plan.contraction, *theory.exact_R, theory.theorem_R,
      {}};
  for (const int R : {1, 2, 4, 8})
    if (R < cell.exact_R && network.spectrum.contraction(network.rounds("chebyshev", R)) < 1)
      cell.tried_R.push_back(R);
  cell.tried_R.push_back(cell.exact_R);
  return {cell, theory.request};
}

std::string cell_folder(const ScalingCell& cell) { return fmt::format("{}-{}", cell.graph, cell.clients); }

class Scaling {
 public:
  Scaling(Scale scale, const std::string& folder, const RunCases& run_cases)
      : folder_(folder), run_cases_(run_cases) {
    results_.size = size_here(scale);
    const bool made_up = !results_.size.changes.empty();
    results_.title = fmt::format("Until the mean point is certified, first order, capped-l1 SVM on {}",
                                 made_up ? "made-up samples" : "a9a");
  }

  std::optional<ScalingResults> carry_out() {
    make_cells();
    if (!tune() || !show()) return std::nullopt;
    results_.slopes = scaling_slopes(results_.lines);
    results_.runs = directories_.size();
    return std::move(results_);
  }

 private:
  void make_cells() {
    for (const char* graph : scaling_graphs)
      for (const int clients : results_.size.clients) {
        CellPlan planned = plan_cell(results_.size, graph, clients);
        if (results_.cells.empty()) results_.request = planned.request;
        results_.cells.push_back(std::move(planned.cell));
      }
    for (const auto& method : scaling_methods())
      for (const auto& cell : results_.cells) results_.lines.push_back({&method, &cell});
  }

  SweepCase case_of(const ScalingLine& line, const Changes& setting, int seed) const {
    const ScalingSize& size = results_.size;
    const Index an_iteration = line.method->name == "me-dol" ? line.cell->clients : 1;
    Changes changes = network_changes(line.cell->graph, line.cell->clients);
    const Changes seeded = changes_from({fmt::format("seed={}", seed)});
    const Changes rest = changes_from(
        {"method.name=" + line.method->name, "method.K=1000000",
         fmt::format("method.label=\"{}\"",
                     label_with(line.method->label.substr(0, line.method->label.find(',')), setting)),
         fmt::format("run.budget.samples={}", size.samples),
         fmt::format("run.record_every={}", (size.resolution + an_iteration - 1) / an_iteration),
         "run.certify_every=1", fmt::format("run.certify_delta={}", size.delta),
         fmt::format("run.certify_budget={}", size.gradients)});
    for (const auto* more : {&rest, &setting, &seeded}) append(changes, *more);
    Changes named = setting;
    append(named, seeded);
    const std::string place =
        fmt::format("{}/{}/{}", cell_folder(*line.cell), line.method->name, name_of(named));
    return {place, scaling_config(size.changes, changes), folder_ + "/runs/" + place};
  }

  bool run(const std::vector<SweepCase>& cases) {
    for (const auto& one : cases) directories_.insert(one.directory);
    return run_cases_(cases);
  }

  bool tune() {
    std::vector<SweepCase> all;
    for (const auto& line : results_.lines)
      for (const auto& setting : scaling_settings(*line.method, *line.cell, results_.size.trials))
        all.push_back(case_of(line, setting, tuning_seed));
    if (!run(all)) return false;
    for (auto& line : results_.lines) choose(line);
    return true;
  }

  // The least count; where no trial came to the goal, the least bound. The earlier wins a tie.
  void choose(ScalingLine& line) const {
    const std::size_t by = line.method->chosen_by;
    const auto better = [by](const Reached& a, const Reached& b) {
      if (a.censored || b.censored)
        return a.censored && b.censored ? a.least_bound < b.least_bound : b.censored;
      return a.counts[by] < b.counts[by];
    };
    for (const auto& setting : scaling_settings(*line.method, *line.cell, results_.size.trials))
      line.trials.push_back({setting, reached(case_of(line, setting, tuning_seed))});
    line.setting = std::ranges::min_element(line.trials, better, &ScalingTrial::reached)->setting;
  }

  bool show() {
    std::vector<SweepCase> all;
    for (const auto& line : results_.lines)
      for (const int seed : shown_seeds()) all.push_back(case_of(line, line.setting, seed));
    if (!run(all)) return false;
    for (auto& line : results_.lines)
      for (const int seed : shown_seeds()) {
        const SweepCase one = case_of(line, line.setting, seed);
        line.runs.push_back({seed, reached(one), end_of(one).trajectory, "runs/" + one.name});
      }
    return true;
  }

  Reached reached(const SweepCase& one) const {
    Reached found;
    found.least_bound = std::numeric_limits<double>::infinity();
    for_each_record(one.directory + "/metrics.jsonl", [&](Index, const Record& record) {
      if (!found.censored) return;
      for (std::size_t k = 0; k < scaling_counts.size(); ++k) found.counts[k] = record[scaling_counts[k]];
      found.least_bound = std::fmin(found.least_bound, record["goldstein"]);
      found.censored = !(record["goldstein"] <= results_.size.epsilon);
    });
    return found;
  }

  const std::string& folder_;
  const RunCases& run_cases_;
  ScalingResults results_;
  std::set<std::string> directories_;
};

}  // namespace

std::optional<double> median_count(const ScalingLine& line, std::size_t count) {
  std::vector<double> counts;
  for (const auto& run : line.runs)
    counts.push_back(run.reached.censored ? std::numeric_limits<double>::infinity()
                                          : run.reached.counts[count]);
  std::ranges::sort(counts);
  const double median = counts[counts.size() / 2];
  return std::isfinite(median) ? std::optional(median) : std::nullopt;
}

std::vector<ScalingSlope> scaling_slopes(const std::vector<ScalingLine>& lines) {
  std::vector<ScalingSlope> slopes;
  for (const bool complete : {true, false})
    for (const auto& method : scaling_methods())
      for (std::size_t count = 0; count < scaling_counts.size(); ++count) {
        ScalingSlope slope{&method, count, complete, 0, 0, {}};
        std::vector<std::vector<double>> x;
        std::vector<double> y;
        for (const auto& line : lines) {
          if (line.method != &method || (line.cell->graph == "complete") != complete) continue;
          for (const auto& run : line.runs) {
            slope.censored += run.reached.censored ? 1 : 0;
            if (run.reached.censored) continue;
            x.push_back({std::log(line.cell->clients)});
            if (!complete) x.back().push_back(std::log(line.cell->gamma));
            y.push_back(std::log(std::max(1.0, run.reached.counts[count])));
          }
        }
        slope.points = std::ssize(y);
        slope.fit = linear_fit(x, y);
        slopes.push_back(std::move(slope));
      }
  return slopes;
}

namespace {

// The bound on the way, on the largest ring.
std::vector<MeasuredFigure> scaling_figures(const ScalingResults& results, const std::string& folder) {
  std::vector<std::string> directories;
  for (const auto& line : results.lines)
    if (line.cell->graph == "ring" && line.cell->clients == results.size.clients.back())
      for (const auto& run : line.runs) directories.push_back(folder + "/" + run.folder);
  return {{"samples", "goldstein", directories}, {"communication_rounds", "goldstein", directories}};
}

}  // namespace

Measurement scaling_measurement() {
  return {"scaling",
          "Table 1",
          "Samples and rounds until certified, against n and the spectral gap",
          /*keeps_outputs=*/false,
          /*of_paper=*/true,
          [](Scale scale, const std::string& folder, const Carrying& carrying) -> std::optional<Measured> {
            const auto results = Scaling(scale, folder, carrying.run_cases).carry_out();
            if (!results) return std::nullopt;
            return Measured{scaling_json(scale, *results), scaling_tables(*results),
                            scaling_figures(*results, folder), results->runs};
          }};
}

}  // namespace doc2s
