// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "study.hpp"

namespace doc2s {

// How much is computed: the counts that runs go to, and what is smaller than in the paper.
struct Size {
  double samples, computation_rounds, communication_rounds;
  double ablation;  // computation rounds of an ablation's lines
  Index records;    // a run
  int trials;       // a method and grid
  double tuning_share;
  bool few;                            // of the splits alike and sorted, of the grids the wide one
  std::vector<std::string> changes{};  // to the task's config, "key=value"

  double budget(const std::string& axis) const;
};

// One of the paper's six tasks.
struct Task {
  std::string name;    // "a9a"
  std::string title;   // "capped-l1 SVM on a9a"
  std::string config;  // configs/reproduce/NAME.toml
  Size smoke, quick, page, full;
  std::vector<std::string> ablation;  // eta and D of the ablations
  bool has_ablations, has_zeroth;

  const Size& size(Scale scale) const;
  // The page's ablations and maps have the quick size.
  const Size& smaller_size(Scale scale) const { return size(scale == Scale::page ? Scale::quick : scale); }
};
const std::vector<Task>& tasks();

// A study of the task without lines and views.
Study study_on(const Task& task, const std::string& name, const std::string& title, Scale scale);

// How samples are dealt to the clients.
struct SampleSplit {
  std::string name, title;
  std::vector<std::string> changes;
};
const std::vector<SampleSplit>& splits();

// The smallest R whose gossip is within what the proof asks at δ = ε = 0.5, L = G = ν = 1, d = 10, on the
// network of this config (docs/theory.md): 35 on the ring of 16.
int exact_rounds_on(const Config& config);

// Methods compared on each task, split and grid; one thing varied; where on the map which method leads.
std::vector<Study> comparisons(Scale scale);
std::vector<Study> ablations(Scale scale);
std::vector<Study> maps(Scale scale);
// Beyond the paper: the methods where links fail.
std::vector<Study> links_studies(Scale scale);

}  // namespace doc2s
