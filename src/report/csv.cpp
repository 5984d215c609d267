#include <fmt/format.h>

#include <cmath>

#include "base/text.hpp"
#include "metrics_file.hpp"
#include "output_file.hpp"
#include "report.hpp"

namespace doc2s {

namespace {

std::string beginning(const RecordedRun& run) {
  const std::string seed = run.seed ? std::to_string(*run.seed) : "";
  return csv_field(run.label) + "," + csv_field(run.directory) + "," + seed;
}

}  // namespace

void write_csv(const std::vector<RecordedRun>& runs, const std::string& path) {
  OutputFile file(path);
  file.stream() << "run,directory,seed";
  for (const Quantity& quantity : quantities()) file.stream() << "," << quantity.name;
  file.stream() << "\n";
  for (const auto& run : runs) {
    if (run.records == 0) continue;
    const std::string start = beginning(run);
    for_each_record(run.directory + "/metrics.jsonl", [&](Index, const Record& record) {
      std::string line = start;
      for (const double value : record.values())
        line += std::isnan(value) ? "," : fmt::format(",{}", value);  // the fewest digits that round-trip
      file.stream() << line << "\n";
    });
  }
  file.finish();
}

}  // namespace doc2s
