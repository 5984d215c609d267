// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "study.hpp"
#include "theory/theory_parameters.hpp"

namespace doc2s {

// Rows of text under a title; the first row has the headings.
struct PlainTable {
  std::string title;
  std::vector<std::vector<std::string>> rows;
};

// Curves of runs, drawn into MEASURE-AXIS.svg.
struct MeasuredFigure {
  std::string axis, measure;
  std::vector<std::string> directories;
  double up_to = 0;  // on the axis; 0: the whole curves
};

struct Measured {
  std::string json;  // what is kept
  std::vector<PlainTable> tables;
  std::vector<MeasuredFigure> figures;
  std::size_t runs = 0;
};

// How a measurement carries out its runs.
struct Carrying {
  RunCases run_cases;
  int jobs;  // runs at the same time
  const std::atomic<bool>& stop;
  std::function<void(const std::string& news)> on_progress;
};

// A claim of the paper that is not a figure, measured: its runs end in a table instead of curves.
struct Measurement {
  std::string name;   // "scaling"; also the name of its folder and file
  std::string paper;  // "Table 1"
  std::string title;
  bool keeps_outputs = false;  // output.npy of every run
  bool of_paper = true;        // among "all"
  // Nothing where it was interrupted. `folder` is the measurement's own.
  std::function<std::optional<Measured>(Scale scale, const std::string& folder, const Carrying& carrying)>
      carry_out;
};
const std::vector<Measurement>& measurements();

// Those that a word asks for: a name, the beginning of some ("travel-first"), or "all" for the paper's.
std::vector<Measurement> measurements_named(const std::string& word);

// The parameters of the theorem for a config with parameters = "theory", by what its problem says of itself.
TheoryParameters theory_of(const Config& config);

}  // namespace doc2s
