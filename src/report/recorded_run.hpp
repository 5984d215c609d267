#pragma once
#include <optional>
#include <string>
#include <vector>

#include "doc2s/run/record.hpp"

namespace doc2s {

// What a run's directory tells, as far as it goes.
struct RecordedRun {
  std::string directory;
  std::string label;
  std::optional<Index> seed;
  std::string setting, summary;  // JSON objects, "" where there is none
  std::string alike;  // equal for runs that differ in nothing but the seed; "" where that is unknown
  std::vector<std::string> notes;  // what is missing or damaged
  Index records = 0;               // in the file
  std::vector<std::vector<double>>
      values;  // a list for each of quantities(), thinned; NaN where there is none

  Index points() const { return static_cast<Index>(values.front().size()); }
};

// The runs in these directories and in the folders below them, each once, in the order of their paths.
std::vector<RecordedRun> read_runs(const std::vector<std::string>& directories);

// Runs that differ in nothing but the seed.
struct RunGroup {
  std::string label;
  std::vector<std::size_t> runs;  // positions in the list of runs
};
std::vector<RunGroup> group_runs(const std::vector<RecordedRun>& runs);

}  // namespace doc2s
