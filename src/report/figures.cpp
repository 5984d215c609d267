// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "curves.hpp"
#include "doc2s/base/error.hpp"
#include "gnuplot.hpp"
#include "report.hpp"

namespace doc2s {

namespace {

// The colour-blind-safe palette of Okabe and Ito; dashes and marks distinguish lines in grey.
struct LineStyle {
  const char* colour;
  const char* dashes;
  int mark;
};
constexpr LineStyle line_styles[] = {
    {"#0072B2", "solid", 7},       {"#D55E00", "(12,5)", 5}, {"#009E73", "(3,4)", 9},
    {"#CC79A7", "(14,4,3,4)", 13}, {"#E69F00", "(7,4)", 11}, {"#56B4E9", "(14,4,3,4,3,4)", 6},
    {"#000000", "(2,2)", 4},
};

constexpr const char* svg_terminal =
    "set terminal svg size 560,380 font 'Helvetica,13' noenhanced linewidth 1.2 background 'white'\n";
constexpr const char* pdf_terminal =
    "set terminal pdfcairo size 3.5in,2.4in font 'Helvetica,8' noenhanced linewidth 1.2\n";
constexpr const char* common_settings =
    "set encoding utf8\n"
    "set border 3 linecolor rgb '#444444'\n"
    "set tics nomirror out textcolor rgb '#222222'\n"
    "set grid ytics linetype 1 linecolor rgb '#e4e4e4' linewidth 0.6\n"
    "set style fill transparent solid 0.18 noborder\n"
    "set key noenhanced samplen 4 spacing 1.15\n"
    "set autoscale xfix\n"
    "set rmargin 2\n"
    "set format y '%g'\n"
    "set datafile missing 'NaN'\n";

struct Scale {
  double factor;
  std::string unit;
};

Scale scale_for(Quantity::Format format, double largest) {
  constexpr const char* counts[] = {"", "thousands", "millions", "billions", "10^12", "10^15"};
  constexpr const char* bytes[] = {"", "kB", "MB", "GB", "TB", "PB"};
  if (format == Quantity::Format::seconds) return {1, ""};
  const bool in_bytes = format == Quantity::Format::bytes;
  const double written_out_below = in_bytes ? 1e3 : 1e5;
  const double thousands = largest < written_out_below ? 0 : std::floor(std::log10(largest) / 3);
  const auto k = static_cast<int>(std::min(thousands, 5.0));
  return {std::pow(1e-3, k), in_bytes ? bytes[k] : counts[k]};
}

// gnuplot does not interpret text in single quotes.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    out += c == '\'' ? "''" : std::string(1, control ? ' ' : c);
  }
  return out + "'";
}

bool finite(double a, double b) { return std::isfinite(a) && std::isfinite(b); }

bool worth_drawing(const Curve& curve) {
  for (std::size_t k = 1; k < curve.x.size(); ++k)
    if (curve.x[k] > curve.x[0] && finite(curve.x[k], curve.y[k])) return true;
  return false;
}

// x, y, low, high; an empty line interrupts the curve. A logarithmic axis has no 0.
std::string data_block(const Curve& curve, std::size_t number, double factor, bool logarithmic) {
  std::string block = fmt::format("$curve{} << END\n", number);
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const double y = curve.y[k];
    const double low = curve.low.empty() ? y : curve.low[k], high = curve.high.empty() ? y : curve.high[k];
    const bool drawn = finite(curve.x[k], y) && (!logarithmic || low > 0);
    block += drawn ? fmt::format("{} {} {} {}\n", curve.x[k] * factor, y, low, high) : "\n";
  }
  return block + "END\n";
}

std::string plot_command(const std::vector<Curve>& curves) {
  std::string bands, lines;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const LineStyle& style = line_styles[k % std::size(line_styles)];
    if (!curves[k].low.empty())
      bands +=
          fmt::format("$curve{} using 1:3:4 with filledcurves linecolor rgb '{}' notitle, ", k, style.colour);
    lines += fmt::format(
        "{}$curve{} using 1:2 with linespoints linewidth 1.5 linecolor rgb '{}' dashtype {} pointtype {} "
        "pointsize "
        "0.55 pointinterval {} title {}",
        k > 0 ? ", " : "", k, style.colour, style.dashes, style.mark,
        std::max<std::size_t>(1, curves[k].x.size() / 8), quoted(curves[k].label));
  }
  return "plot " + bands + lines + "\n";
}

double largest_place(const std::vector<Curve>& curves) {
  double largest = 0;
  for (const auto& curve : curves)
    for (const double x : curve.x) largest = std::fmax(largest, x);
  return largest;
}

bool is_positive_somewhere(const std::vector<Curve>& curves) {
  return std::any_of(curves.begin(), curves.end(), [](const Curve& curve) {
    return std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return y > 0; });
  });
}

// `up_to` 0: the whole curves.
std::string figure_script(const std::vector<Curve>& curves, const Quantity& axis, const Quantity& measure,
                          const std::string& file, double up_to = 0) {
  const Scale scale = scale_for(axis.format, up_to > 0 ? up_to : largest_place(curves));
  const std::string x_title =
      scale.unit.empty() ? axis.title : fmt::format("{} ({})", axis.title, scale.unit);
  const bool logarithmic = measure.format == Quantity::Format::norm && is_positive_somewhere(curves);
  std::string script = fmt::format("set output {}\nset xlabel {}\nset ylabel {}\n", quoted(file),
                                   quoted(x_title), quoted(measure.title));
  script += up_to > 0 ? fmt::format("set xrange [0:{}]\n", up_to * scale.factor) : "set xrange [0:*]\n";
  script += logarithmic ? "set logscale y\n" : "unset logscale y\n";
  script += measure.better == Quantity::Better::high ? "set key bottom right\n" : "set key top right\n";
  if (up_to > 0)  // a figure for a page, where curves end anywhere
    script += "set key below\n";
  else
    script += curves.size() > 6 ? "set key outside right\n" : "set key inside\n";
  for (std::size_t k = 0; k < curves.size(); ++k)
    script += data_block(curves[k], k, scale.factor, logarithmic);
  return script + plot_command(curves) + "unset output\n";
}

std::vector<Curve> curves_of(const std::vector<RecordedRun>& runs, std::size_t axis, std::size_t measure) {
  std::vector<Curve> curves;
  for (const auto& group : group_runs(runs)) curves.push_back(make_curve(runs, group, axis, measure));
  std::erase_if(curves, [](const Curve& curve) { return !worth_drawing(curve); });
  return curves;
}

[[noreturn]] void refuse_nothing_to_draw(const std::string& where) {
  throw Error("no run has two records, so there is no curve to draw", where,
              "record more often: run.record_every");
}

// The script of all figures; adds their number to `figures`.
std::string all_figures_script(const std::vector<RecordedRun>& runs, const std::string& ending,
                               int& figures) {
  std::string script;
  for (std::size_t m = 0; m < quantities().size(); ++m)
    for (std::size_t a = 0; a < quantities().size(); ++a) {
      if (quantities()[m].kind != Quantity::Kind::measure || quantities()[a].kind != Quantity::Kind::axis)
        continue;
      const std::vector<Curve> curves = curves_of(runs, a, m);
      if (curves.empty()) continue;
      script += figure_script(curves, quantities()[a], quantities()[m],
                              fmt::format("{}-{}.{}", quantities()[m].name, quantities()[a].name, ending));
      ++figures;
    }
  return script;
}

}  // namespace

int write_figures(const std::vector<RecordedRun>& runs, const std::string& folder, ReportFile svg_or_pdf) {
  const bool svg = svg_or_pdf == ReportFile::svg;
  int figures = 0;
  const std::string script = all_figures_script(runs, svg ? "svg" : "pdf", figures);
  if (figures == 0) refuse_nothing_to_draw(folder);
  run_gnuplot(std::string(svg ? svg_terminal : pdf_terminal) + common_settings + script, folder);
  return figures;
}

namespace {

// Keeps the curve up to a position on the axis plus one point, and every k-th point of a long curve, for a
// single figure.
void thin(Curve& curve, double up_to) {
  constexpr std::size_t most = 120;
  std::size_t shown = curve.x.size();
  if (up_to > 0) shown = std::upper_bound(curve.x.begin(), curve.x.end(), up_to) - curve.x.begin();
  const std::size_t last = std::min(shown, curve.x.size() - 1), step = last / most + 1;
  for (auto* values : {&curve.x, &curve.y, &curve.low, &curve.high}) {
    std::vector<double> kept;
    for (std::size_t k = 0; k < values->size() && k <= last; ++k)
      if (k % step == 0 || k == last) kept.push_back((*values)[k]);
    *values = std::move(kept);
  }
}

}  // namespace

void write_figure(const std::vector<RecordedRun>& runs, const std::string& axis, const std::string& measure,
                  double up_to, const std::string& path) {
  const std::size_t a = position_of(axis), m = position_of(measure);
  std::vector<Curve> curves = curves_of(runs, a, m);
  if (curves.empty()) refuse_nothing_to_draw(path);
  for (Curve& curve : curves) thin(curve, up_to);
  const std::filesystem::path file(path);
  run_gnuplot(svg_terminal + std::string(common_settings) +
                  figure_script(curves, quantities()[a], quantities()[m], file.filename().string(), up_to),
              file.parent_path().string());
}

}  // namespace doc2s
