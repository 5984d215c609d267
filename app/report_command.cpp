// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "aside.hpp"
#include "base/file_writer.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "flags.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "report/report.hpp"

namespace doc2s::app {

namespace {

struct ReportArgs {
  std::vector<std::string> directories;  // of runs, or folders that hold some
  std::string out = "report.html";
  std::string title = "doc2s report";
  std::string svg, pdf, csv;  // "" writes none
  std::vector<std::string> figures;
  bool log_x = false, log_y = false, force = false, quiet = false;
};

std::string counted(std::size_t number, const char* noun) {
  return fmt::format("{} {}{}", with_commas(static_cast<Index>(number)), noun, number == 1 ? "" : "s");
}

}  // namespace

void write_page(const std::vector<RecordedRun>& runs, const std::string& path, const std::string& title,
                bool quiet) {
  const std::string page = shown_work("making the page", quiet, [&] { return report_page(runs, title); });
  write_whole_file(path, page);
  fmt::print("{}  {}, {}\n", path, counted(runs.size(), "run"), bytes_text(static_cast<double>(page.size())));
}

namespace {

int report_command(const ReportArgs& args) {
  if (args.csv == args.out)
    throw Error("the page and the table have the same name", args.out, "give --csv another");
  if (args.svg.empty() && args.pdf.empty() && (args.log_x || args.log_y || !args.figures.empty()))
    throw Error("no folder for the figures is given", "report", "add --svg DIR or --pdf DIR");
  const std::vector<Figure> figures = figures_named(args.figures, args.log_x, args.log_y);
  const auto runs = shown_work("reading the runs", args.quiet, [&] { return read_runs(args.directories); });
  const auto drawn = [&](const std::string& folder, ReportFile kind) {
    return static_cast<std::size_t>(shown_work("drawing the figures", args.quiet,
                                               [&] { return write_figures(runs, figures, folder, kind); }));
  };
  for (const auto& run : runs)
    for (const auto& note : run.notes) aside("doc2s: note: {}: {}\n", run.directory, note);
  check_replaceable(args.out, ReportFile::page, runs, args.force);
  check_replaceable(args.csv, ReportFile::table, runs, args.force);
  check_replaceable(args.svg, ReportFile::svg, runs, args.force, figures);
  check_replaceable(args.pdf, ReportFile::pdf, runs, args.force, figures);
  write_page(runs, args.out, args.title, args.quiet);
  if (!args.csv.empty()) {
    shown_work("writing the table", args.quiet, [&] { write_csv(runs, args.csv); });
    fmt::print("{}  all records\n", args.csv);
  }
  if (!args.svg.empty())
    fmt::print("{}  {}\n", args.svg, counted(drawn(args.svg, ReportFile::svg), "figure"));
  if (!args.pdf.empty())
    fmt::print("{}  {}\n", args.pdf, counted(drawn(args.pdf, ReportFile::pdf), "figure"));
  return 0;
}

}  // namespace

void add_report(CLI::App& program, Action& action) {
  auto args = std::make_shared<ReportArgs>();
  CLI::App* command = program.add_subcommand("report", "make a page, figures or a table of finished runs");
  command->footer("Example:\n  doc2s report runs/first runs/second -o report.html --csv records.csv");
  command->add_option("directories", args->directories, "directories of runs, or folders that hold some")
      ->required()
      ->type_name("DIR");
  command->add_option("-o,--out", args->out, "the page to write; default: report.html")->type_name("FILE");
  command->add_option("--title", args->title, "the page's heading")->type_name("TEXT");
  command->add_option("--svg", args->svg, "also figures for papers, drawn by matplotlib")->type_name("DIR");
  command->add_option("--pdf", args->pdf, "the same as PDF")->type_name("DIR");
  command->add_option("--figures", args->figures, "only these figures, e.g. loss-bytes,consensus-samples")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,…");
  command->add_flag("--log-x", args->log_x, "a logarithmic x axis in all figures");
  command->add_flag("--log-y", args->log_y, "a logarithmic y axis in all figures");
  command->add_option("--csv", args->csv, "also all records in one table")->type_name("FILE");
  command->add_flag("--force", args->force, "replace files that are no earlier report");
  add_quiet(command, args->quiet);
  command->callback([=, &action] { action = [=] { return report_command(*args); }; });
}

}  // namespace doc2s::app
