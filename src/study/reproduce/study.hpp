#pragma once
#include <string>
#include <vector>

#include "study/sweep.hpp"

namespace doc2s {

enum class Scale { smoke, quick, page, full };
Scale scale_named(const std::string& name);
std::string name_of(Scale scale);

// A curve: a method or a variant of one, and the grid that it is tuned over; no grid, nothing to tune.
struct Line {
  std::string label;  // "ME-DOL"
  std::string folder;
  Changes changes;  // to the task's config
  std::vector<SweepAxis> grid{};
  bool may_be_refused = false;  // that the program refuses it is what the figure shows
};

// One measure against one axis, both as metrics.jsonl names them.
struct View {
  std::string figure;  // "first-samples-a9a"
  std::string axis, measure;
  std::string paper{};  // which of the paper's figures it is, or ""
};

// A set of runs, each made once, and the figures that are drawn from them.
struct Study {
  std::string name;    // "first-a9a"; also the name of its folder
  std::string title;   // "First order, capped-l1 SVM on a9a"
  std::string config;  // TOML, what all lines share
  std::vector<Line> lines;
  std::vector<View> views;
  std::size_t asked = 0;  // how many of the views, which stand first, were asked for by name
};

// All of them, in the paper's order, then the ablations.
std::vector<Study> studies(Scale scale);

// Those that a word asks for: a figure's name, a study's, the beginning of some ("ablation-gap",
// "first-samples"), or "all".
std::vector<Study> studies_named(const std::string& word, Scale scale);

// Why the study cannot be run here: its data or libtorch is missing; "" where it can.
std::string obstacle(const Study& study);

// The title, and where only a part of the data is here, that it is a subset.
std::string title_here(const Study& study);

// One run for each combination of the grid with the seed that settings are chosen by.
constexpr int tuning_seed = 0;
const std::vector<int>& shown_seeds();
std::vector<SweepCase> tuning_cases(const Study& study, const Line& line, const std::string& root);

// The runs that are shown: this combination of the grid, with each of the shown seeds.
std::vector<SweepCase> shown_cases(const Study& study, const Line& line, const Changes& setting,
                                   const std::string& root);

}  // namespace doc2s
