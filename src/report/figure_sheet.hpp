// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "figure_axes.hpp"

namespace doc2s {

// The look of a curve. Colours are those of Okabe and Ito, safe for the colour-blind; dashes and marks
// distinguish curves in grey.
struct LineStyle {
  const char* colour;
  const char* dashes;
  int mark;
};
LineStyle line_style(std::size_t curve);

// Where the parts of a figure stand. gnuplot's own guesses of text widths differ between its terminals, so
// titles, margins and the key, which is below the axes, are placed here. The plane of the curves has one
// height; the key makes a figure longer.
struct Paper {
  const char* terminal;  // with the size to fill in
  double width, plane;   // of the figure, and the height of the axes with the titles, in the terminal's unit
  double character, line;  // the mean width of a character and the height of a line of text
};
extern const Paper svg_paper, pdf_paper;

// gnuplot's commands for the sheet of one figure, up to its curves.
std::string sheet_script(const Paper& paper, const FigureAxis& x, const FigureAxis& y,
                         const std::vector<Curve>& curves);

std::string in_quotes(const std::string& text);  // gnuplot does not interpret text in single quotes

}  // namespace doc2s
