// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "doc2s/algorithms/kinds.hpp"
#include "doc2s/base/version.hpp"
#include "dumped.hpp"
#include "page_text.hpp"
#include "report.hpp"

namespace doc2s {

using Json = nlohmann::json;

namespace {

std::string escaped_for_html(const std::string& text) {
  static const std::map<char, const char*> escapes = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string out;
  for (const char c : text) {
    const auto escape = escapes.find(c);
    out += escape == escapes.end() ? std::string(1, c) : escape->second;
  }
  return out;
}

// Prevents text from closing the script element: "<" occurs only in JSON strings and may be written as
// \u003c.
std::string escaped_for_script(const std::string& written_json) {
  std::string out;
  out.reserve(written_json.size());
  for (const char c : written_json) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

std::string written_number(double value) {
  if (!std::isfinite(value)) return "null";
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.7g}", value);
}

// [1,2,3], or a single number if all are equal.
std::string written_list(const std::vector<double>& values) {
  std::string list;
  bool equal = true;
  for (const double value : values) {
    list += (list.empty() ? "" : ",") + written_number(value);
    equal = equal && value == values.front();
  }
  return equal && !values.empty() ? written_number(values.front()) : "[" + list + "]";
}

std::string written_columns(const RecordedRun& run) {
  std::string out;
  for (std::size_t k = 0; k < quantities().size(); ++k) {
    bool any = false;
    for (const double value : run.values[k]) any = any || std::isfinite(value);
    if (any)
      out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", quantities()[k].name,
                         written_list(run.values[k]));
  }
  return "{" + out + "}";
}

// Deduplicates values shared by many runs; runs refer to them by index.
class Pool {
 public:
  Json number_of(const Json& value) {
    return value.is_null() ? Json() : Json(numbers_.emplace(dumped(value), numbers_.size()).first->second);
  }
  std::string written() const {
    std::vector<const std::string*> texts(numbers_.size());
    for (const auto& [text, number] : numbers_) texts[number] = &text;
    std::string out;
    for (const auto* text : texts) out += (out.empty() ? "" : ",") + *text;
    return "[" + out + "]";
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

Json taken(Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) return nullptr;
  Json value = std::move(object[key]);
  object.erase(key);
  return value;
}

Json written_certificates(const RecordedRun& run) {
  Json all = Json::array();
  for (const auto& [file, figures] : run.certificates)
    all.push_back({{"file", file},
                   {"delta", figures.delta},
                   {"epsilon", figures.epsilon ? Json(*figures.epsilon) : Json()},
                   {"sampled", figures.sampled},
                   {"points", figures.points},
                   {"reached", figures.reached},
                   {"lowest", figures.lowest},
                   {"mean", figures.mean},
                   {"highest", figures.highest}});
  return all;
}

std::string written_run(const RecordedRun& run, Pool& graphs, Pool& splits) {
  Json setting = run.setting.empty() ? Json() : Json::parse(run.setting);
  Json graph = taken(setting, "graph");
  const Json split = taken(setting, "split");
  const Json edges = taken(graph, "edges");
  const Json seed = run.seed ? Json(*run.seed) : Json();
  return fmt::format(
      R"({{"label":{},"directory":{},"seed":{},"notes":{},"records":{},"points":{},"setting":{},"summary":{},)"
      R"("graph":{},"edges":{},"split":{},"certificates":{},"columns":{}}})",
      dumped(run.label), dumped(run.directory), dumped(seed), dumped(run.notes), run.records, run.points(),
      dumped(setting), run.summary.empty() ? "null" : run.summary, dumped(graph),
      dumped(graphs.number_of(edges)), dumped(splits.number_of(split)), dumped(written_certificates(run)),
      written_columns(run));
}

// Names of methods as papers write them.
Json written_methods() {
  Json titles = Json::object();
  for (const MethodKind& kind : method_kinds()) titles[kind.name] = kind.title;
  return titles;
}

// How the page shows each of them.
Json written_quantities() {
  static const char* const kinds[] = {"axis", "count", "measure", "note"};
  static const char* const formats[] = {"count", "bytes", "seconds", "loss", "share", "norm"};
  static const char* const better[] = {"", "low", "high"};
  Json all = Json::array();
  for (const Quantity& one : quantities())
    all.push_back({{"name", one.name},
                   {"kind", kinds[static_cast<int>(one.kind)]},
                   {"format", formats[static_cast<int>(one.format)]},
                   {"title", one.title},
                   {"heading", one.heading},
                   {"meaning", one.meaning},
                   {"better", better[static_cast<int>(one.better)]},
                   {"sparse", one.sparse}});
  return all;
}

}  // namespace

std::string report_data(const std::vector<RecordedRun>& runs) {
  Pool graphs, splits;
  std::string written_runs, written_groups;
  for (const auto& run : runs)
    written_runs += (written_runs.empty() ? "" : ",\n") + written_run(run, graphs, splits);
  for (const auto& group : group_runs(runs))
    written_groups +=
        (written_groups.empty() ? "" : ",") + dumped(Json{{"label", group.label}, {"runs", group.runs}});
  return fmt::format(
      R"({{"version":"{}","quantities":{},"methods":{},"groups":[{}],"edges":{},"splits":{},"runs":[{}]}})",
      version(), dumped(written_quantities()), dumped(written_methods()), written_groups, graphs.written(),
      splits.written(), written_runs);
}

std::string report_page(const std::vector<RecordedRun>& runs, const std::string& title) {
  const std::map<std::string, std::string> parts = {
      {"title", escaped_for_html(title)},
      {"styles", page_styles},
      {"data", escaped_for_script(report_data(runs))},
      {"scripts", page_scripts},
  };
  const std::string frame = page_frame;
  std::string page;
  std::size_t at = 0;
  for (std::size_t open; (open = frame.find("{{", at)) != std::string::npos;) {
    const std::size_t close = frame.find("}}", open);
    page += frame.substr(at, open - at) + parts.at(frame.substr(open + 2, close - open - 2));
    at = close + 2;
  }
  return page + frame.substr(at);
}

}  // namespace doc2s
