#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
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
};

struct Measured {
  std::string json;  // what is kept
  std::vector<PlainTable> tables;
  std::vector<MeasuredFigure> figures;
  std::size_t runs = 0;
};

// Runs the cases that are open, several at a time; false: it was interrupted.
using RunAll = std::function<bool(const std::vector<SweepCase>&)>;

// A claim of the paper that is not a figure, measured: its runs end in a table instead of curves.
struct Measurement {
  std::string name;   // "scaling"; also the name of its folder and file
  std::string paper;  // "Table 1"
  std::string title;
  bool keeps_outputs = false;  // output.npy of every run
  // Nothing where it was interrupted. `folder` is the measurement's own.
  std::function<std::optional<Measured>(Scale scale, const std::string& folder, const RunAll& run_all)>
      carry_out;
};
const std::vector<Measurement>& measurements();

// Those that a word asks for: a name or "all".
std::vector<Measurement> measurements_named(const std::string& word);

// The parts that the JSON of every measurement begins with: its name, title, scale, version and seeds.
JsonObject measurement_json(const std::string& name, const std::string& title, Scale scale);

// A list with an object a line.
std::string json_list(const std::vector<std::string>& objects);

// The hash in the summary.json of a run that has ended.
std::string trajectory_of(const SweepCase& one);

// The parameters of the theorem for a config with parameters = "theory", by what its problem says of itself.
TheoryParameters theory_of(const Config& config);

}  // namespace doc2s
