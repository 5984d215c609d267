// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file_writer.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "dumped.hpp"
#include "page_text.hpp"
#include "report.hpp"

namespace doc2s {

using Json = nlohmann::json;

namespace {

constexpr int no_matplotlib = 3;  // exit code of lab/figures.py

// The name that is typed, with loss for loss_mean_point.
bool is_named(const Figure& figure, const std::string& name) {
  return name == figure.name() ||
         (name.starts_with("loss-") && "loss_mean_point" + name.substr(4) == figure.name());
}

std::string file_of(const Figure& figure, ReportFile kind) {
  return figure.name() + (kind == ReportFile::svg ? ".svg" : ".pdf");
}

std::string request(const std::vector<RecordedRun>& runs, const std::vector<Figure>& figures,
                    ReportFile kind) {
  Json asked = Json::array();
  for (const Figure& one : figures)
    asked.push_back({{"measure", one.measure},
                     {"axis", one.axis},
                     {"log_x", one.log_x},
                     {"log_y", one.log_y},
                     {"up_to", one.up_to ? Json(*one.up_to) : Json()},
                     {"file", file_of(one, kind)}});
  return fmt::format(R"({{"format":"{}","figures":{},"data":{}}})", kind == ReportFile::svg ? "svg" : "pdf",
                     dumped(asked), report_data(runs));
}

// What lab/figures.py answers, by the first Python that has matplotlib.
std::string answer(const std::string& request, const std::string& folder) {
  for (const char* python : {"/usr/bin/python3", "python3"}) {
    const auto [code, said] = ask_program({python, "-c", figures_script}, request);
    if (code == 0) return said;
    if (code > 0 && code != no_matplotlib)
      throw MachineError(fmt::format("{} could not draw the figures (exit code {}: {})", python, code, said),
                         folder, "is Debian's package python3-matplotlib whole?");
  }
  throw Error("matplotlib, which draws the figures, is not installed", "--svg and --pdf",
              "install Debian's package python3-matplotlib");
}

// The files in an answer: a line with name and size, then the bytes.
std::map<std::string, std::string> files_in(const std::string& answer, const std::string& folder) {
  std::map<std::string, std::string> files;
  std::istringstream text(answer);
  while (text.peek() != EOF) {
    std::string name;
    std::size_t size = 0;
    text >> name >> size;
    std::string& bytes = files[name];
    bytes.resize(std::min(size, answer.size()));
    text.ignore().read(bytes.data(), std::ssize(bytes));
    if (!text || bytes.size() != size)
      throw MachineError("python3 did not draw the figures to their end", folder, "try again");
  }
  return files;
}

void check_drawn(const std::vector<Figure>& figures, const std::map<std::string, std::string>& files,
                 const std::string& folder, ReportFile kind) {
  for (const Figure& figure : figures)
    if (figure.is_asked_for && !files.contains(file_of(figure, kind)))
      throw Error(fmt::format("no run has two records of the {} that can be drawn",
                              quantities()[position_of(figure.measure)].title),
                  "--figures " + figure.name(), "leave it out, or record it (doc2s list measures)");
  if (files.empty())
    throw Error("no run has two records, so there is no curve to draw", folder,
                "record more often: run.record_every");
}

}  // namespace

std::vector<Figure> figures_named(const std::vector<std::string>& names, bool log_x, bool log_y) {
  std::vector<Figure> all;
  for (const Quantity& measure : quantities())
    for (const Quantity& axis : quantities())
      if (measure.kind == Quantity::Kind::measure && axis.kind == Quantity::Kind::axis)
        all.push_back({measure.name, axis.name, log_x, log_y});
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

std::size_t write_figures(const std::vector<RecordedRun>& runs, const std::vector<Figure>& figures,
                          const std::string& folder, ReportFile svg_or_pdf) {
  make_folders(folder);
  const auto files = files_in(answer(request(runs, figures, svg_or_pdf), folder), folder);
  check_drawn(figures, files, folder, svg_or_pdf);
  for (const auto& [name, bytes] : files) write_whole(folder, name, bytes);
  return files.size();
}

}  // namespace doc2s
