// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "measurement.hpp"
#include "slopes.hpp"

// The paper's Table 1 as a measurement: samples, computation rounds and communication rounds until the mean
// point is certified (δ, ε)-Goldstein stationary, for several numbers of clients and graphs.
namespace doc2s {

constexpr std::array<const char*, 3> scaling_counts = {"samples", "computation_rounds",
                                                       "communication_rounds"};

struct ScalingSize {
  std::vector<int> clients;
  std::size_t trials;  // of each method in each cell
  Index samples;       // of a run; a goal that is not reached by then is censored
  Index resolution;    // samples from one record to the next, or those of one iteration
  double delta, epsilon;
  Index gradients;  // that a certificate may take
  Changes changes;  // to the embedded config
};
ScalingSize scaling_size(Scale scale);

// A network.
struct ScalingCell {
  std::string graph;
  int clients;
  double gamma;
  double contraction;        // that the plan asks of a gossip: ε'/(√(n(n−1)) D)
  int exact_R;               // the smallest R with ρ_R within it
  double theorem_R;          // by the theorem's formula
  std::vector<int> tried_R;  // of 1, 2, 4, 8 those that contract and are below exact_R; then exact_R
};

struct ScalingMethod {
  enum class Rounds { none, exact, tuned };
  std::string label;
  std::string name;  // "doc2s"
  Rounds rounds;
  std::size_t chosen_by;              // of scaling_counts, which the setting is chosen by
  std::array<double, 3> n_exponents;  // of Table 1, one a count
  std::array<double, 3> gamma_exponents;
};
const std::vector<ScalingMethod>& scaling_methods();

// The settings that a method is tuned over in a cell: `trials` of them.
std::vector<Changes> scaling_settings(const ScalingMethod& method, const ScalingCell& cell,
                                      std::size_t trials);

// Where a run came to its goal, or, censored, to its end.
struct Reached {
  std::array<double, 3> counts{};
  bool censored = true;
  double least_bound;  // up to there
};

struct ScalingTrial {
  Changes setting;
  Reached reached;
};

struct ScalingRun {
  int seed;
  Reached reached;
  std::string trajectory;
  std::string folder;  // below the measurement's
};

// A method in a cell.
struct ScalingLine {
  const ScalingMethod* method;
  const ScalingCell* cell;
  Changes setting{};
  std::vector<ScalingTrial> trials{};
  std::vector<ScalingRun> runs{};
};

// The median over the seeds, a censored run being longer than any that was not; nothing where that is the
// median.
std::optional<double> median_count(const ScalingLine& line, std::size_t count);

// log count = a + b log n over the complete graphs, where γ is 1; or a + b log n + c log γ over the others. A
// point is a run; censored ones are left out.
struct ScalingSlope {
  const ScalingMethod* method;
  std::size_t count;
  bool complete;  // or the other graphs
  Index points, censored;
  std::optional<LinearFit> fit;
};
std::vector<ScalingSlope> scaling_slopes(const std::vector<ScalingLine>& lines);

struct ScalingResults {
  ScalingSize size;
  std::string title;
  PlanRequest request;  // of the first cell; the others differ in n alone
  std::vector<ScalingCell> cells;
  std::vector<ScalingLine> lines;
  std::vector<ScalingSlope> slopes;
  std::size_t runs = 0;
};

std::string scaling_json(Scale scale, const ScalingResults& results);
std::vector<PlainTable> scaling_tables(const ScalingResults& results);

Measurement scaling_measurement();

}  // namespace doc2s
