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
};

const std::pair<std::string, std::string> loss_by_computation = {"computation_rounds", "loss_mean_point"},
                                          loss_by_communication = {"communication_rounds", "loss_mean_point"},
                                          loss_by_samples = {"samples", "loss_mean_point"},
                                          worst_by_computation = {"computation_rounds", "loss_worst"},
                                          consensus_by_computation = {"computation_rounds", "consensus"};
const Variant me_dol = {"ME-DOL", {"method.name=me-dol"}};

std::vector<Ablation> ablation_table() {
  return {
      {"gap",
       "spectral gap by 3, 5, 7, 9 neighbours",
       "Figure 7",
       {loss_by_computation},
       {{"3 neighbours, γ = 0.0507", {"network.neighbours=3"}},
        {"5 neighbours, γ = 0.1476", {"network.neighbours=5"}},
        {"7 neighbours, γ = 0.2818", {"network.neighbours=7"}},
        {"9 neighbours, γ = 0.4414", {"network.neighbours=9"}}}},
      {"rounds",
       "consensus error for R = 1, 2, 3, 4 against ME-DOL",
       "Figure 8",
       {consensus_by_computation, loss_by_computation},
       {{"R = 1", {"method.R=1"}, /*may_be_refused=*/true},
        {"R = 1, lazy weights", {"method.R=1", "network.lazy=true"}},
        {"R = 2", {"method.R=2"}},
        {"R = 3", {"method.R=3"}},
        {"R = 4", {"method.R=4"}},
        me_dol}},
      {"eta",
       "step size at D = 0.01",
       "Figure 9",
       {loss_by_computation},
       {{"η = 0.001", {"method.eta=0.001", "method.D=0.01"}},
        {"η = 0.005", {"method.eta=0.005", "method.D=0.01"}},
        {"η = 0.01", {"method.eta=0.01", "method.D=0.01"}}}},
      {"gossip",
       "plain against Chebyshev gossip at equal rounds",
       "",
       {consensus_by_computation, loss_by_computation},
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
       {loss_by_computation},
       {{"T = 10", {"method.T=10"}}, {"T = 100", {"method.T=100"}}, {"T = 1000", {"method.T=1000"}}}},
      {"split",
       "how the samples are dealt: alike, by Dirichlet(0.1), one label a client",
       "",
       {loss_by_computation, worst_by_computation},
       {{"iid", {"clients.partition=iid"}},
        {"Dirichlet(0.1)", {"clients.partition=dirichlet", "clients.alpha=0.1"}},
        {"one label a client", {"clients.partition=labels", "clients.per_client=1"}}}},
      {"reach",
       "how many of the 16 clients Δ reaches, against ME-DOL",
       "",
       {loss_by_computation, loss_by_communication},
       {{"R = 2, reaches 5", {"method.R=2"}},
        {"R = 4, reaches 9", {"method.R=4"}},
        {"R = 8, reaches 16", {"method.R=8"}},
        {"complete graph, R = 1, reaches 16", {"method.R=1", "network.graph=complete"}},
        me_dol}},
  };
}

void append(Changes& changes, const Changes& more) {
  changes.insert(changes.end(), more.begin(), more.end());
}

Line line_of(const Variant& variant, const Task& task, const std::string& order, const Size& size) {
  Line line{variant.label,
            folder_name(joined(variant.changes, ",")),
            changes_from(size.changes),
            {},
            variant.may_be_refused};
  append(line.changes, changes_from(order == "first" ? task.ablation_first : task.ablation_zeroth));
  append(line.changes, length(size.ablation, size.records));
  append(line.changes, changes_from({"method.order=" + order}));
  append(line.changes, changes_from(variant.changes));
  return line;
}

Study study_of(const Ablation& ablation, const Task& task, const std::string& order, Scale scale) {
  const std::string name = fmt::format("ablation-{}-{}-{}", ablation.name, task.name, order);
  Study study{name, fmt::format("{}: {}, {} order", ablation.title, task.title, order), task.config, {}, {}};
  for (const auto& variant : ablation.variants)
    study.lines.push_back(line_of(variant, task, order, task.size(scale)));
  for (const auto& [axis, measure] : ablation.views) study.views.push_back({name, axis, measure});
  study.views.front().paper = ablation.paper;
  return study;
}

}  // namespace

std::vector<Study> ablations(Scale scale) {
  std::vector<Study> all;
  for (const auto& ablation : ablation_table())
    for (const Task& task : tasks())
      for (const char* order : {"first", "zeroth"})
        if (task.name == "a9a" || task.name == "mnist") all.push_back(study_of(ablation, task, order, scale));
  return all;
}

}  // namespace doc2s
