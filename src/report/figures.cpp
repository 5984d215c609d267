// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "figure_sheet.hpp"
#include "gnuplot.hpp"
#include "report.hpp"

namespace doc2s {

namespace {

constexpr const char* common_settings =
    "set encoding utf8\n"
    "set border 3 linecolor rgb '#444444'\n"
    "set tics nomirror out textcolor rgb '#222222'\n"
    "set grid ytics linetype 1 linecolor rgb '#e4e4e4' linewidth 0.6\n"
    "set style fill transparent solid 0.18 noborder\n"
    "unset key\n"
    "set datafile missing 'NaN'\n";

bool finite(double a, double b) { return std::isfinite(a) && std::isfinite(b); }

bool worth_drawing(const Curve& curve) {
  for (std::size_t k = 1; k < curve.x.size(); ++k)
    if (curve.x[k] > curve.x[0] && finite(curve.x[k], curve.y[k])) return true;
  return false;
}

// x, y, low, high; an empty line interrupts the curve. A logarithmic axis has no 0.
std::string data_block(const Curve& curve, std::size_t number, const FigureAxis& x, const FigureAxis& y) {
  std::string block = fmt::format("$curve{} << END\n", number);
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const double mean = curve.y[k], low = curve.low.empty() ? mean : curve.low[k];
    const double high = curve.high.empty() ? mean : curve.high[k];
    const bool drawn =
        finite(curve.x[k], mean) && (!x.logarithmic || curve.x[k] > 0) && (!y.logarithmic || low > 0);
    block += drawn ? fmt::format("{} {} {} {}\n", curve.x[k] * x.factor, mean, low, high) : "\n";
  }
  return block + "END\n";
}

std::string plot_command(const std::vector<Curve>& curves) {
  std::string bands, lines;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const LineStyle style = line_style(k);
    if (!curves[k].low.empty())
      bands += fmt::format("$curve{} using 1:3:4 with filledcurves linecolor rgb '{}', ", k, style.colour);
    lines += fmt::format(
        "{}$curve{} using 1:2 with linespoints linewidth 1.5 linecolor rgb '{}' dashtype {} pointtype {} "
        "pointsize 0.55 pointinterval {}",
        k > 0 ? ", " : "", k, style.colour, style.dashes, style.mark,
        std::max<std::size_t>(1, curves[k].x.size() / 8));
  }
  return "plot " + bands + lines + "\n";
}

// `up_to` 0: the whole curves.
std::string figure_script(const std::vector<Curve>& curves, const Figure& figure, const std::string& file,
                          const Paper& paper, double up_to = 0) {
  const FigureAxis x = figure_x_axis(curves, quantities()[figure.axis], up_to, figure.log_x);
  const FigureAxis y = figure_y_axis(curves, quantities()[figure.measure], figure.log_y);
  std::string script = sheet_script(paper, x, y, curves) + fmt::format("set output {}\n", in_quotes(file));
  for (std::size_t k = 0; k < curves.size(); ++k) script += data_block(curves[k], k, x, y);
  return script + plot_command(curves) + "unset output\n";
}

std::vector<Curve> curves_of(const std::vector<RecordedRun>& runs, const Figure& figure) {
  std::vector<Curve> curves;
  for (const auto& group : group_runs(runs))
    curves.push_back(make_curve(runs, group, figure.axis, figure.measure));
  std::erase_if(curves, [](const Curve& curve) { return !worth_drawing(curve); });
  return curves;
}

[[noreturn]] void refuse_nothing_to_draw(const std::string& where) {
  throw Error("no run has two records, so there is no curve to draw", where,
              "record more often: run.record_every");
}

[[noreturn]] void refuse_without_curve(const Figure& figure) {
  throw Error(fmt::format("no run has two records of the {} that can be drawn", quantities()[figure.measure].title),
              "--figures " + figure.name(), "leave it out, or record it (doc2s list measures)");
}

// The name that is typed, with loss for loss_mean_point.
bool is_named(const Figure& figure, const std::string& name) {
  return name == figure.name() ||
         (name.starts_with("loss-") && "loss_mean_point" + name.substr(4) == figure.name());
}

}  // namespace

std::string Figure::name() const {
  return fmt::format("{}-{}", quantities()[measure].name, quantities()[axis].name);
}

std::vector<Figure> figures_named(const std::vector<std::string>& names, bool log_x, bool log_y) {
  std::vector<Figure> all;
  for (std::size_t m = 0; m < quantities().size(); ++m)
    for (std::size_t a = 0; a < quantities().size(); ++a)
      if (quantities()[m].kind == Quantity::Kind::measure && quantities()[a].kind == Quantity::Kind::axis)
        all.push_back({m, a, log_x, log_y});
  std::vector<Figure> named;
  for (const auto& name : names) {
    const auto found = std::ranges::find_if(all, [&](const Figure& one) { return is_named(one, name); });
    if (found == all.end())
      throw Error("there is no figure " + printable(name), "--figures",
                  "write MEASURE-AXIS, as in loss-bytes; doc2s list measures has the names");
    named.push_back(*found);
    named.back().is_asked_for = true;
  }
  return names.empty() ? all : named;
}

int write_figures(const std::vector<RecordedRun>& runs, const std::vector<Figure>& figures,
                  const std::string& folder, ReportFile svg_or_pdf) {
  const bool svg = svg_or_pdf == ReportFile::svg;
  std::string script;
  int drawn = 0;
  for (const Figure& figure : figures) {
    const std::vector<Curve> curves = curves_of(runs, figure);
    if (curves.empty() && figure.is_asked_for) refuse_without_curve(figure);
    if (curves.empty()) continue;
    script +=
        figure_script(curves, figure, figure.name() + (svg ? ".svg" : ".pdf"), svg ? svg_paper : pdf_paper);
    ++drawn;
  }
  if (drawn == 0) refuse_nothing_to_draw(folder);
  run_gnuplot(common_settings + script, folder);
  return drawn;
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
  const Figure figure{position_of(measure), position_of(axis)};
  std::vector<Curve> curves = curves_of(runs, figure);
  if (curves.empty()) refuse_nothing_to_draw(path);
  for (Curve& curve : curves) thin(curve, up_to);
  const std::filesystem::path file(path);
  run_gnuplot(common_settings + figure_script(curves, figure, file.filename().string(), svg_paper, up_to),
              file.parent_path().string());
}

}  // namespace doc2s
