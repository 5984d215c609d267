#pragma once
#include "results.hpp"

namespace doc2s {

struct ReproductionOptions {
  Scale scale;
  std::string root;
  int jobs;
  const std::atomic<bool>& stop;
  std::function<void(const std::string&news)> on_progress, on_note;
};

struct Outcome {
  std::optional<StudyResults> results;  // nothing where the study was interrupted, skipped or failed
  double seconds = 0;
  std::string failure;  // "skipped: …" or "failed: …"
};

// Carries out one study after the other, each in a folder of its own below the root: runs, settings.json,
// report.html and the figures.
class Reproduction {
 public:
  explicit Reproduction(ReproductionOptions options);  // throws Error where the root holds something else

  Outcome make(const Study& study);
  std::string folder(const Study& study) const { return options_.root + "/" + study.name; }
  std::string figure_file(const Study& study, const View& view) const;

 private:
  bool run(const Study& study, const std::vector<StudyCase>& cases) const;
  void write(const Study& study, const StudyResults& results);
  void draw(const Study& study, const View& view, const StudyResults& results);

  const ReproductionOptions options_;
  bool can_draw_ = true;
};

}  // namespace doc2s
