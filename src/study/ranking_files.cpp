// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/file_writer.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "ranking.hpp"

namespace doc2s {

namespace {

// What a run came to, then what its setting did; csv_row has the same.
JsonObject row_of(const RankedSetting& setting, const RankedCase& run, const Yardstick& by) {
  const auto& [one, result] = run;
  return JsonObject()
      .add("case", one->name)
      .add(by.measure->name, result.figure)
      .add("iteration", result.iteration)
      .add("directory", one->directory)
      .add("method", setting.method())
      .add("setting", setting.name)
      .add("seed", one->config.general.integer("seed"))
      .add("status", to_text(result.status))
      .add("mean", setting.spread.mean)
      .add("sd", setting.spread.sd)
      .add("runs", setting.counted)
      .add("best", setting.best_of_method);
}

std::string csv_row(const RankedSetting& setting, const RankedCase& run) {
  const auto& [one, result] = run;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(one->name), result.figure,
                     result.iteration, csv_field(one->directory), csv_field(setting.method()),
                     csv_field(setting.name), one->config.general.integer("seed"), to_text(result.status),
                     setting.spread.mean, setting.spread.sd, setting.counted, setting.best_of_method);
}

}  // namespace

void write_ranking(const std::string& root, const std::vector<RankedSetting>& settings, const Yardstick& by) {
  std::string csv = fmt::format("case,{},iteration,directory,method,setting,seed,status,mean,sd,runs,best\n",
                                by.measure->name);
  for (const RankedSetting& setting : settings)
    for (const RankedCase& run : setting.runs) csv += csv_row(setting, run);
  make_folders(root);
  write_whole(root, "sweep.csv", csv);
}

std::string ranking_json(const std::vector<RankedSetting>& settings, const Yardstick& by) {
  std::vector<std::string> rows;
  for (const RankedSetting& setting : settings)
    for (const RankedCase& run : setting.runs) rows.push_back(row_of(setting, run, by).line());
  return json_list(rows);
}

}  // namespace doc2s
