// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "recorded_run.hpp"

namespace doc2s {

enum class ReportFile { page, table, svg, pdf };

// A measure against an axis, both by their names among quantities(). An axis is logarithmic also where its
// curves ask for it.
struct Figure {
  std::string measure, axis;
  bool log_x = false, log_y = false;
  bool is_asked_for = false;  // by its name
  std::optional<double> up_to =
      {};  // where the axis ends, of a figure whose curves are thinned; 0: with them
  std::string name() const { return measure + "-" + axis; }  // loss_mean_point-bytes
};

// The figures of these names, in which loss is short for loss_mean_point; all where none is named. Throws
// Error where there is no such figure.
std::vector<Figure> figures_named(const std::vector<std::string>& names, bool log_x, bool log_y);

// Throws Error where `path` is a file of one of the runs, or, unless `force`, anything but an earlier report
// of that kind. For `figures` it is their folder.
void check_replaceable(const std::string& path, ReportFile kind, const std::vector<RecordedRun>& runs,
                       bool force, const std::vector<Figure>& figures = {});

// A self-contained HTML page with data, styles and scripts. It loads nothing from the network.
std::string report_page(const std::vector<RecordedRun>& runs, const std::string& title);

// What page and figures are drawn from, as JSON.
std::string report_data(const std::vector<RecordedRun>& runs);

// All records of all runs: one row per record, with the run's label and seed first.
void write_csv(const std::vector<RecordedRun>& runs, const std::string& path);

// Those of the figures that have a curve, by lab/figures.py; returns their number.
std::size_t write_figures(const std::vector<RecordedRun>& runs, const std::vector<Figure>& figures,
                          const std::string& folder, ReportFile svg_or_pdf);

}  // namespace doc2s
