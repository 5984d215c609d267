#pragma once
#include <string>
#include <vector>

#include "recorded_run.hpp"

namespace doc2s {

enum class ReportFile { page, table, svg, pdf };

// Throws Error where `path` is a file of one of the runs, or, unless `force`, anything but an earlier report
// of that kind. For figures it is their folder.
void check_replaceable(const std::string& path, ReportFile kind, const std::vector<RecordedRun>& runs,
                       bool force);

// One HTML page with everything in it: data, styles, scripts. It asks no server for anything.
std::string report_page(const std::vector<RecordedRun>& runs, const std::string& title);

// All records of all runs, none left out: a row a record, the run's label and seed in front.
void write_csv(const std::vector<RecordedRun>& runs, const std::string& path);

// A figure for each measure and axis, made by gnuplot; returns how many there are.
int write_figures(const std::vector<RecordedRun>& runs, const std::string& folder, ReportFile svg_or_pdf);

// One of them, named by its columns, up to this place on the axis (0: all of it).
void write_figure(const std::vector<RecordedRun>& runs, const std::string& axis, const std::string& measure,
                  double up_to, const std::string& path);

// The whole file or none: an older one stays until the new one is complete.
void write_whole_file(const std::string& path, const std::string& bytes);

}  // namespace doc2s
