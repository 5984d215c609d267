// SPDX-License-Identifier: Apache-2.0
#include "grids.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/real_in.hpp"

namespace doc2s {

namespace {

using Values = std::vector<std::string>;

struct Axes {
  Values eta, D;
};

// 16 trials contain the paper's nine; 4 are its corners, or the middle of the powers of ten.
Axes axes_of(Grid grid, int trials) {
  if (grid == Grid::paper)
    return trials == 16 ? Axes{{"0.001", "0.0025", "0.005", "0.01"}, {"0.05", "0.025", "0.01", "0.005"}}
                        : Axes{{"0.001", "0.01"}, {"0.05", "0.005"}};
  return trials == 16 ? Axes{{"0.001", "0.01", "0.1", "1"}, {"0.001", "0.01", "0.1", "1"}}
                      : Axes{{"0.01", "0.1"}, {"0.01", "0.1"}};
}

// Evenly spaced in the logarithm between the ends of the grid.
Values many_steps(Grid grid, int trials) {
  const Values ends = axes_of(grid, 16).eta;
  const double low = std::log10(real_in(ends.front())), high = std::log10(real_in(ends.back()));
  Values values;
  for (int k = 0; k < trials; ++k)
    values.push_back(fmt::format("{:.2g}", std::pow(10, low + (high - low) * k / (trials - 1))));
  return values;
}

// 16 pairs: a Latin square, pair (i, j) gets R number i + j modulo 4. 4 pairs: each another R.
std::vector<Changes> with_rounds(const Axes& axes, const std::vector<int>& rounds) {
  std::vector<Changes> settings;
  for (std::size_t i = 0; i < axes.eta.size(); ++i)
    for (std::size_t j = 0; j < axes.D.size(); ++j)
      settings.push_back(changes_from(
          {"method.eta=" + axes.eta[i], "method.D=" + axes.D[j],
           fmt::format("method.R={}", rounds[(i * (4 / axes.eta.size()) + j) % rounds.size()])}));
  return settings;
}

}  // namespace

std::string name_of(Grid grid) { return grid == Grid::paper ? "paper" : "wide"; }

std::vector<Changes> settings_for(const std::string& method, Grid grid, int trials,
                                  const std::vector<int>& rounds) {
  const Axes axes = axes_of(grid, trials);
  if (method == "dgfm") return combinations({{"method.eta", many_steps(grid, trials)}});
  if (method == "dgfm-plus")
    return combinations({{"method.eta", axes.eta},
                         {"method.q", trials == 16 ? Values{"5", "10", "20", "50"} : Values{"10", "50"}}});
  if (!rounds.empty()) return with_rounds(axes, rounds);
  return combinations({{"method.eta", axes.eta}, {"method.D", axes.D}});
}

}  // namespace doc2s
