#include "ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/file_writer.hpp"
#include "base/real_in.hpp"
#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "report/metrics_file.hpp"

namespace doc2s {

namespace {

// One of quantities(), measures or counts.
const Quantity& named(const std::string& name, bool count, const std::string& where) {
  std::vector<std::string> names;
  for (const Quantity& one : quantities()) {
    if (count ? !one.is_count() : one.kind != Quantity::Kind::measure) continue;
    if (one.name == name) return one;
    names.push_back(one.name);
  }
  refuse_name(name, names, where);
}

}  // namespace

Yardstick yardstick(const std::string& measure, const std::string& at) {
  Yardstick by{&named(measure, /*count=*/false, "--by"), nullptr, 0};
  if (at.empty()) return by;
  const auto equals = at.find('=');
  by.count = &named(at.substr(0, equals), /*count=*/true, "--at " + at);
  const std::string number = equals == at.npos ? "" : at.substr(equals + 1);
  by.most = real_in(number);
  if (!(by.most >= 0))
    throw Error("is not of the form count=number", "--at " + at, "for example --at samples=4000");
  return by;
}

SweepResult result_of(const SweepCase& one, const Yardstick& by) {
  SweepResult result{std::nan(""), 0};
  const std::string path = one.directory + "/metrics.jsonl";
  if (!std::filesystem::exists(path)) return result;
  for_each_record(path, [&](Index, const Record& record) {
    const double value = record[by.measure->name];
    if (by.count && record[by.count->name] > by.most) return;
    if (!by.measure->sparse || !std::isnan(value)) result = {value, record.whole("iteration")};
  });
  return result;
}

std::vector<RankedCase> ranked(const std::vector<SweepCase>& cases, const Yardstick& by) {
  std::vector<RankedCase> rows;
  for (const auto& one : cases)
    if (is_done(one)) rows.push_back({&one, result_of(one, by)});
  const auto worth = [&](const RankedCase& row) {
    if (std::isnan(row.result.figure)) return std::numeric_limits<double>::infinity();
    return by.measure->better == Quantity::Better::high ? -row.result.figure : row.result.figure;
  };
  std::ranges::stable_sort(rows, {}, worth);
  return rows;
}

void write_ranking(const std::string& root, const std::vector<RankedCase>& rows, const Yardstick& by) {
  std::string csv = fmt::format("case,{},iteration,directory\n", by.measure->name);
  for (const auto& [one, result] : rows)
    csv += fmt::format("\"{}\",{},{},\"{}\"\n", one->name, result.figure, result.iteration, one->directory);
  make_folders(root);
  write_whole(root, "sweep.csv", csv);
}

}  // namespace doc2s
