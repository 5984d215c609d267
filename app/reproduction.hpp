#pragma once
#include <string>
#include <vector>

#include "study/reproduce/results.hpp"

namespace doc2s::app {

// Carries out one study after the other in a folder, tells what it found, and how it went at the end.
class Reproduction {
 public:
  Reproduction(Scale scale, std::string root, int jobs, bool quiet);

  void make(const Study& study);  // one that cannot be made is set aside, and told
  int finish() const;             // the exit code

 private:
  std::string folder(const Study& study) const { return root_ + "/" + study.name; }
  std::string figure_file(const Study& study, const View& view) const;
  void set_aside(const Study& study, const std::string& why);
  bool run(const Study& study, const std::vector<SweepCase>& cases) const;
  void write(const Study& study, const StudyResults& results);
  void draw(const Study& study, const View& view, const StudyResults& results, double budget);
  void tell(const Study& study, const StudyResults& results) const;

  const Scale scale_;
  const std::string root_;
  const int jobs_;
  const bool quiet_;
  bool all_made_ = true, can_draw_ = true;
  std::vector<std::vector<std::string>> outcomes_ = {{"figures", "runs", "seconds", "outcome"}};
};

}  // namespace doc2s::app
