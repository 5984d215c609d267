// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "base/file_writer.hpp"
#include "base/text.hpp"
#include "metrics_file.hpp"
#include "report.hpp"

namespace doc2s {

namespace {

std::string beginning(const RecordedRun& run) {
  const std::string seed = run.seed ? std::to_string(*run.seed) : "";
  return csv_field(run.label) + "," + csv_field(run.directory) + "," + seed;
}

std::string heading() {
  std::string line = "run,directory,seed";
  for (const Quantity& quantity : quantities()) line += fmt::format(",{}", quantity.name);
  return line;
}

void put_records(FileWriter& file, const RecordedRun& run) {
  const std::string start = beginning(run);
  for_each_record(run.directory + "/metrics.jsonl", [&](Index, const Record& record) {
    std::string line = start;
    for (const double value : record.values())
      line += std::isnan(value) ? "," : fmt::format(",{}", value);  // the fewest digits that round-trip
    file.write_line(line);
  });
}

}  // namespace

void write_csv(const std::vector<RecordedRun>& runs, const std::string& path) {
  write_whole_file(path, [&](FileWriter& file) {
    file.write_line(heading());
    for (const auto& run : runs)
      if (run.records > 0) put_records(file, run);
  });
}

}  // namespace doc2s
