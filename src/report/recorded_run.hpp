// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "doc2s/run/record.hpp"
#include "saved_certificates.hpp"

namespace doc2s {

// The contents of a run's directory, as far as present.
struct RecordedRun {
  std::string directory;
  std::string label;
  std::optional<Index> seed;
  std::string setting, summary;    // JSON objects; "" if missing
  std::string alike;               // equal for runs that differ only in the seed; "" if unknown
  std::vector<std::string> notes;  // what is missing or damaged; what the run said of its end
  std::vector<SavedCertificates> certificates;
  Index records = 0;                        // in the file
  std::vector<std::vector<double>> values;  // one list per entry of quantities(), thinned; NaN if missing

  Index points() const { return static_cast<Index>(values.front().size()); }
};

// The directories of runs, this one itself and below it, sorted. Throws Error where there is none.
std::vector<std::string> run_directories(const std::string& name);

// The runs in these directories and below, without duplicates, sorted by path.
std::vector<RecordedRun> read_runs(const std::vector<std::string>& directories);

// Runs that differ only in the seed.
struct RunGroup {
  std::string label;
  std::vector<std::size_t> runs;  // indices into the list of runs
};
std::vector<RunGroup> group_runs(const std::vector<RecordedRun>& runs);

}  // namespace doc2s
