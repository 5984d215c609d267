// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "study/sweep.hpp"

namespace doc2s {

enum class Scale { smoke, quick, page, full };
Scale scale_named(const std::string& name);
std::string name_of(Scale scale);

// A curve: a method or a variant of one, and the settings that it is tuned over, of which there may be one
// that changes nothing.
struct Line {
  std::string label;  // "ME-DOL"
  std::string folder;
  Changes changes;  // to the study's config
  std::vector<Changes> settings = {{}};
  bool may_be_refused = false;  // that the program refuses it is what the figure shows
};

// One measure against one axis, both as metrics.jsonl names them. Every line gets runs that go to the same
// count on the axis.
struct View {
  std::string figure;  // "first-samples-a9a-sorted-wide"
  std::string axis, measure;
  double budget;                    // the count on the axis
  std::vector<std::string> also{};  // measures of the same runs that stand beside it
  std::string paper{};              // which of the paper's figures it is, or ""
  bool drawn = true;
};

// A set of runs, each made once, and the figures that are drawn from them.
struct Study {
  std::string name;         // "first-a9a-sorted-wide"; also the name of its folder
  std::string title;        // "First order, capped-l1 SVM on a9a"
  std::string config_name;  // a file of configs/reproduce
  std::string config;       // its text: what all lines share
  Index records = 100;      // a run
  double tuning_share = 1;  // of the budgets, for the runs that settings are chosen by
  std::vector<Line> lines{};
  std::vector<View> views{};
  bool of_paper = true;   // among "all"
  std::size_t asked = 0;  // how many of the views, which stand first, were asked for by name
};

// All of them, in the paper's order, then the ablations, then what goes beyond it.
std::vector<Study> studies(Scale scale);

// Those that a word asks for: a figure's name, a study's, the beginning of some ("ablation-gap",
// "first-samples"), or "all" for the paper's.
std::vector<Study> studies_named(const std::string& word, Scale scale);

// Why the study cannot be run here: its data or libtorch is missing; "" where it can.
std::string obstacle(const Study& study);

// The title, and where only a part of the data is here, that it is a subset.
std::string title_here(const Study& study);

// "DOC²S, η = 0.01, D = 0.05"
std::string label_with(const std::string& label, const Changes& setting);

// A run of a study, and the changes that make its config of the study's.
struct StudyCase {
  SweepCase run;
  Changes changes;
};

// Runs the cases that are open, several at a time; false: it was interrupted.
using RunCases = std::function<bool(const std::vector<SweepCase>&)>;

// One run for each setting of the line with the seed that settings are chosen by.
constexpr int tuning_seed = 0;
const std::vector<int>& shown_seeds();
std::vector<StudyCase> tuning_cases(const Study& study, const View& view, const Line& line,
                                    const std::string& root);

// The runs that are shown: this setting, with each of the shown seeds.
std::vector<StudyCase> shown_cases(const Study& study, const View& view, const Line& line,
                                   const Changes& setting, const std::string& root);

}  // namespace doc2s
