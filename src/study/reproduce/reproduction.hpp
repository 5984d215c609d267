// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measurement.hpp"
#include "results.hpp"

namespace doc2s {

struct ReproductionOptions {
  Scale scale;
  std::string root;
  int jobs;
  const std::atomic<bool>& stop;
  std::function<void(const std::string&news)> on_progress, on_note;
  std::function<void(const std::string& news)> on_going{};  // between the runs' ends, how far it is
};

struct Outcome {
  std::optional<StudyResults> results;  // nothing where the study was interrupted, skipped or failed
  double seconds = 0;
  std::string failure;  // "skipped: …" or "failed: …"
};

struct MeasurementOutcome {
  std::optional<Measured> measured;  // nothing where it was interrupted or failed
  double seconds = 0;
  std::string failure;
};

// Carries out one study after the other, each in a folder of its own below the root: runs, settings.json,
// report.html and the figures.
class Reproduction {
 public:
  explicit Reproduction(ReproductionOptions options);  // throws Error where the root holds something else

  Outcome make(const Study& study);
  MeasurementOutcome make(const Measurement& measurement);  // writes NAME/NAME.json
  std::string folder(const Study& study) const { return options_.root + "/" + study.name; }
  std::string file(const Measurement& measurement) const;
  std::string figure_file(const Study& study, const View& view) const;

 private:
  bool run(const std::string& study, const std::vector<SweepCase>& cases, bool keep_outputs = false) const;
  std::function<void(const std::string& news)> going() const;
  void write(const Study& study, const StudyResults& results);
  void draw(const std::vector<std::string>& directories, const std::string& axis, const std::string& measure,
            double budget, const std::string& folder);

  const ReproductionOptions options_;
  bool can_draw_ = true;
};

}  // namespace doc2s
