// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "curves.hpp"

namespace doc2s {

// An axis of a figure: its range, and where its ticks stand with what words.
struct FigureAxis {
  struct Tick {
    double place;
    std::string text;
  };
  double low = 0, high = 1;
  bool logarithmic = false;
  std::string title;
  double factor = 1;  // places are drawn times this: thousands, MB
  std::vector<Tick> ticks;

  std::size_t longest_tick() const;  // in characters
};

// `up_to` 0: as far as the curves go. Logarithmic also where curves end more than a decade and a half apart.
FigureAxis figure_x_axis(const std::vector<Curve>& curves, const Quantity& axis, double up_to,
                         bool logarithmic);

// Logarithmic also for a norm, and for a loss that spans more than a decade and a half. The axis of a loss
// ends at twice what the curves start from, and that of an accuracy begins at the lowest value after a fifth
// of the way, so that it shows where curves differ.
FigureAxis figure_y_axis(const std::vector<Curve>& curves, const Quantity& measure, bool logarithmic);

std::size_t characters(const std::string& text);  // of a text in UTF-8

}  // namespace doc2s
