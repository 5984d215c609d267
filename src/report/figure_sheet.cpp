// SPDX-License-Identifier: Apache-2.0
#include "figure_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace doc2s {

const Paper svg_paper = {
    "set terminal svg size {:.0f},{:.0f} font 'Helvetica,13' noenhanced linewidth 1.2 background 'white'\n",
    560, 340, 7.4, 19};
const Paper pdf_paper = {
    "set terminal pdfcairo size {:.3f}in,{:.3f}in font 'Helvetica,8' noenhanced linewidth 1.2\n", 3.5, 2.15,
    0.052, 0.13};

namespace {

constexpr LineStyle line_styles[] = {
    {"#0072B2", "solid", 7},       {"#D55E00", "(12,5)", 5}, {"#009E73", "(3,4)", 9},
    {"#CC79A7", "(14,4,3,4)", 13}, {"#E69F00", "(7,4)", 11}, {"#56B4E9", "(14,4,3,4,3,4)", 6},
    {"#000000", "(2,2)", 4},
};

// Labels that fit the width of a figure.
std::string shortened(const std::string& label, std::size_t most) {
  if (characters(label) <= most) return label;
  std::string start;
  for (const char c : label) {
    if ((c & 0xc0) != 0x80 && characters(start) == most - 1) break;
    start += c;
  }
  return start + "…";
}

// Writes commands for places in the paper's unit, from the left and from the top.
class Sheet {
 public:
  Sheet(const Paper& paper, std::size_t key_lines)
      : paper_(paper), height_(paper.plane + paper.line * (static_cast<double>(key_lines) + 0.5)) {
    script_ = fmt::format(fmt::runtime(paper.terminal), paper.width, height_) + "unset label\nunset arrow\n";
  }

  const std::string& script() const { return script_; }
  void command(const std::string& text) { script_ += text + "\n"; }
  void words(double x, double y, const std::string& text, const char* how) {
    command(fmt::format("set label {} at {} {} textcolor rgb '#222222'", in_quotes(text), at(x, y), how));
  }
  void sample(double x, double y, double width, const LineStyle& style) {
    command(fmt::format("set arrow from {} to {} nohead linewidth 1.5 linecolor rgb '{}' dashtype {}",
                        at(x, y), at(x + width, y), style.colour, style.dashes));
    command(fmt::format("set label '' at {} point pointtype {} pointsize 0.55 linecolor rgb '{}'",
                        at(x + width / 2, y), style.mark, style.colour));
  }
  void margins(double left, double right, double top, double bottom) {
    const auto set = [&](const char* name, double share) {
      command(fmt::format("set {} at screen {:.5f}", name, share));
    };
    set("lmargin", left / paper_.width), set("rmargin", right / paper_.width);
    set("tmargin", 1 - top / height_), set("bmargin", 1 - bottom / height_);
  }

 private:
  std::string at(double x, double y) const {
    return fmt::format("screen {:.5f},{:.5f}", x / paper_.width, 1 - y / height_);
  }

  const Paper& paper_;
  double height_;
  std::string script_;
};

std::string ticks_text(char axis, const FigureAxis& of) {
  std::vector<std::string> ticks;
  for (const auto& tick : of.ticks) {
    std::string text;  // a format, in which only % has a meaning
    for (const char c : tick.text) text += c == '%' ? "%%" : std::string(1, c);
    ticks.push_back(fmt::format("{} {}", in_quotes(text), tick.place));
  }
  return fmt::format("set {0}tics ({1})\nset {0}range [{2}:{3}]", axis, joined(ticks), of.low, of.high);
}

}  // namespace

// After seven curves the colours come again, each with another dash and mark.
LineStyle line_style(std::size_t curve) {
  constexpr std::size_t kinds = std::size(line_styles);
  const LineStyle& other = line_styles[(curve + curve / kinds) % kinds];
  return {line_styles[curve % kinds].colour, other.dashes, other.mark};
}

std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    out += c == '\'' ? "''" : std::string(1, control ? ' ' : c);
  }
  return out + "'";
}

std::string sheet_script(const Paper& paper, const FigureAxis& x, const FigureAxis& y,
                         const std::vector<Curve>& curves) {
  const double character = paper.character, line = paper.line, sample = 5 * character;
  const auto most = static_cast<std::size_t>((paper.width - sample) / character) - 3;
  std::vector<std::string> labels;
  std::size_t longest = 0;
  for (const auto& curve : curves) {
    labels.push_back(shortened(curve.label, most));
    longest = std::max(longest, characters(labels.back()));
  }
  const double entry = sample + character * (static_cast<double>(longest) + 3);
  const auto columns = static_cast<std::size_t>(std::clamp(std::floor(paper.width / entry), 1.0, 6.0));
  const std::size_t used = std::min(columns, labels.size()), lines = (labels.size() + used - 1) / used;

  Sheet sheet(paper, lines);
  const double left = 1.6 * line + character * (static_cast<double>(y.longest_tick()) + 2.5);
  const std::size_t last_tick = x.ticks.empty() ? 0 : characters(x.ticks.back().text);
  const double right = paper.width - character * (1.5 + static_cast<double>(last_tick) / 2);
  const double top = 0.7 * line, bottom = paper.plane - 3.0 * line;
  sheet.margins(left, right, top, bottom);
  sheet.command(x.logarithmic ? "set logscale x" : "unset logscale x");
  sheet.command(y.logarithmic ? "set logscale y" : "unset logscale y");
  sheet.command(ticks_text('x', x));
  sheet.command(ticks_text('y', y));
  sheet.words((left + right) / 2, bottom + 2.45 * line, x.title, "center");
  sheet.words(0.7 * line, (top + bottom) / 2, y.title, "center rotate by 90");
  const double start = std::max(0.0, (paper.width - static_cast<double>(used) * entry) / 2) + character;
  for (std::size_t k = 0; k < labels.size(); ++k) {  // column after column
    const std::size_t column = k / lines;
    const double at_x = start + static_cast<double>(column) * entry;
    const double at_y = paper.plane + line * (static_cast<double>(k % lines) + 0.5);
    sheet.sample(at_x, at_y, sample, line_style(k));
    sheet.words(at_x + sample + character, at_y, labels[k], "left");
  }
  return sheet.script();
}

}  // namespace doc2s
