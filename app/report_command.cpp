#include <fmt/format.h>

#include "aside.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "progress.hpp"
#include "report/report.hpp"

namespace doc2s::app {

namespace {

std::string counted(std::size_t number, const char* noun) {
  return fmt::format("{} {}{}", with_commas(static_cast<Index>(number)), noun, number == 1 ? "" : "s");
}

}  // namespace

int report_command(const ReportWords& words) {
  if (words.csv == words.out)
    throw Error("the page and the table have the same name", words.out, "give --csv another");
  const auto runs = read_runs(words.directories);
  for (const auto& run : runs)
    for (const auto& note : run.notes) aside("doc2s: note: {}: {}\n", run.directory, note);
  check_replaceable(words.out, ReportFile::page, runs, words.force);
  check_replaceable(words.csv, ReportFile::table, runs, words.force);
  check_replaceable(words.svg, ReportFile::svg, runs, words.force);
  check_replaceable(words.pdf, ReportFile::pdf, runs, words.force);
  const std::string page = report_page(runs, words.title);
  write_whole_file(words.out, page);
  fmt::print("{}  {}, {}\n", words.out, counted(runs.size(), "run"),
             bytes_in_words(static_cast<Index>(page.size())));
  if (!words.csv.empty()) {
    write_csv(runs, words.csv);
    fmt::print("{}  all records\n", words.csv);
  }
  if (!words.svg.empty())
    fmt::print("{}  {}\n", words.svg,
               counted(static_cast<std::size_t>(write_figures(runs, words.svg, ReportFile::svg)), "figure"));
  if (!words.pdf.empty())
    fmt::print("{}  {}\n", words.pdf,
               counted(static_cast<std::size_t>(write_figures(runs, words.pdf, ReportFile::pdf)), "figure"));
  return 0;
}

}  // namespace doc2s::app
