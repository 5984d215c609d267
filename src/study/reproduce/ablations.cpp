// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text.hpp"
#include "run/run_directory.hpp"
#include "tasks.hpp"

namespace doc2s {

namespace {

using Words = std::vector<std::string>;

struct Variant {
  std::string label;
  Words changes;
  bool may_be_refused = false;
};

// One thing is varied on a9a and MNIST, in both orders; all else is the task's config.
struct Ablation {
  std::string name, title, paper;
  std::vector<std::pair<std::string, std::string>> views;  // axis, measure; the first is the paper's
  std::vector<Variant> variants;
  Words changes{};                // to all variants
  std::vector<Variant> zeroth{};  // more of them, in zeroth order
  bool all_samples = false;       // as many as in the comparisons
};

const std::pair<std::string, std::string> loss_by_computation = {"computation_rounds", "loss_mean_point"},
                                          loss_by_communication = {"communication_rounds", "loss_mean_point"},
                                          loss_by_samples = {"samples", "loss_mean_point"},
                                          worst_by_samples = {"samples", "loss_worst"},
                                          consensus_x = {"computation_rounds", "consensus_x"},
                                          consensus_y = {"computation_rounds", "consensus"};
const Variant me_dol = {"ME-DOL", {"method.name=me-dol"}};

std::vector<Ablation> ablation_table() {
  return {
      {"gap",
       "spectral gap by 3, 5, 7, 9 neighbours",
       "Figure 7",
       {loss_by_computation, loss_by_samples},
       {{"3 neighbours, γ = 0.0507", {"network.neighbours=3"}},
        {"5 neighbours, γ = 0.1476", {"network.neighbours=5"}},
        {"7 neighbours, γ = 0.2818", {"network.neighbours=7"}},
        {"9 neighbours, γ = 0.4414", {"network.neighbours=9"}}}},
      {"rounds",
       "consensus error for R = 1, 2, 3, 4 against ME-DOL",
       "Figure 8",
       {consensus_x, consensus_y, loss_by_computation, loss_by_samples},
       {{"R = 1", {"method.R=1"}, /*may_be_refused=*/true},
        {"R = 1, lazy weights", {"method.R=1", "network.lazy=true"}},
        {"R = 2", {"method.R=2"}},
        {"R = 3", {"method.R=3"}},
        {"R = 4", {"method.R=4"}},
        me_dol}},
      {"eta",
       "step size at D = 0.01",
       "Figure 9",
       {loss_by_computation, loss_by_samples},
       {{"η = 0.001", {"method.eta=0.001", "method.D=0.01"}},
        {"η = 0.005", {"method.eta=0.005", "method.D=0.01"}},
        {"η = 0.01", {"method.eta=0.01", "method.D=0.01"}}}},
      {"gossip",
       "plain against Chebyshev gossip at equal rounds",
       "",
       {consensus_x, consensus_y, loss_by_computation, loss_by_samples},
       {{"Chebyshev, R = 2", {"method.R=2"}},
        {"plain, R = 2", {"method.R=2", "method.gossip=plain"}},
        {"Chebyshev, R = 4", {"method.R=4"}},
        {"plain, R = 4", {"method.R=4", "method.gossip=plain"}},
        {"Chebyshev, R = 8", {"method.R=8"}},
        {"plain, R = 8", {"method.R=8", "method.gossip=plain"}}}},
      {"batch",
       "samples that the client draws for an estimate",
       "",
       {loss_by_samples, loss_by_computation},
       {{"batch 1", {"problem.batch=1"}},
        {"batch 4", {"problem.batch=4"}},
        {"batch 16", {"problem.batch=16"}},
        {"batch 64", {"problem.batch=64"}}}},
      {"epoch",
       "iterations an epoch, T",
       "",
       {loss_by_computation, loss_by_samples},
       {{"T = 10", {"method.T=10"}}, {"T = 100", {"method.T=100"}}, {"T = 1000", {"method.T=1000"}}}},
      {"reach",
       "how many of the 16 clients Δ reaches, against ME-DOL",
       "",
       {loss_by_computation, loss_by_communication, loss_by_samples},
       {{"R = 2, reaches 5", {"method.R=2"}},
        {"R = 4, reaches 9", {"method.R=4"}},
        {"R = 8, reaches 16", {"method.R=8"}},
        {"complete graph, R = 1, reaches 16", {"method.R=1", "network.graph=complete"}},
        me_dol}},
      {"differ",
       "clients that differ (samples sorted by label), at equal samples",
       "",
       {loss_by_samples, worst_by_samples, loss_by_communication},
       {{"DOC²S, R = 2", {"method.R=2"}}, {"DOC²S, R = 8", {"method.R=8"}}, me_dol},
       {"clients.partition=sorted"},
       {{"DGFM", {"method.name=dgfm"}}, {"DGFM⁺", {"method.name=dgfm-plus"}}},
       /*all_samples=*/true},
  };
}

Line line_of(const Variant& variant, const Changes& common) {
  Line line{variant.label, folder_name(joined(variant.changes, ",")), common};
  append(line.changes, changes_from(variant.changes));
  line.may_be_refused = variant.may_be_refused;
  return line;
}

// As far as DOC²S gets with the task's batch; of communication, as far as ME-DOL gets.
double budget_on(const std::string& axis, double computation_rounds, const Config& config) {
  if (axis == "samples") return computation_rounds * static_cast<double>(config.problem.integer("batch"));
  return axis == "communication_rounds" ? 2 * computation_rounds : computation_rounds;
}

Study study_of(const Ablation& ablation, const Task& task, const std::string& order, Scale scale) {
  const std::string name = fmt::format("ablation-{}-{}-{}", ablation.name, task.name, order);
  Study study =
      study_on(task, name, fmt::format("{}: {}, {} order", ablation.title, task.title, order), scale);
  const Size& size = task.smaller_size(scale);
  Changes common = changes_from(size.changes);
  append(common, changes_from(task.ablation));
  append(common, changes_from(ablation.changes));
  common.push_back(change_from("method.order=" + order));
  for (const auto& variant : ablation.variants) study.lines.push_back(line_of(variant, common));
  if (order == "zeroth")
    for (const auto& variant : ablation.zeroth) study.lines.push_back(line_of(variant, common));
  const Config config = parse_configs(study.config, name, common).front();
  const double rounds = ablation.all_samples
                            ? size.samples / static_cast<double>(config.problem.integer("batch"))
                            : size.ablation;
  for (const auto& [axis, measure] : ablation.views)
    study.views.push_back({name, axis, measure, budget_on(axis, rounds, config)});
  study.views.front().paper = ablation.paper;
  return study;
}

}  // namespace

std::vector<Study> ablations(Scale scale) {
  std::vector<Study> all;
  for (const auto& ablation : ablation_table())
    for (const Task& task : tasks())
      for (const char* order : {"first", "zeroth"})
        if (task.has_ablations) all.push_back(study_of(ablation, task, order, scale));
  return all;
}

}  // namespace doc2s
