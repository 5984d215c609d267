#pragma once
#include <string>
#include <vector>

#include "study.hpp"

namespace doc2s {

// How much is computed. An iteration of a method where all clients compute costs n times one where one does.
// From one record to the next there should not be whole epochs: the figures would see one phase of them only.
struct Size {
  Index one = 0;                       // iterations of methods where one client computes
  Index all = 0;                       // of methods where all do
  Index ablation = 0;                  // of all lines of an ablation
  Index records = 100;                 // a run
  std::vector<std::string> changes{};  // to the task's config, "key=value"
  std::vector<std::string> grid{};     // of eta and D, "key=value,value"
};

// One of the paper's six tasks.
struct Task {
  std::string name;   // "a9a"
  std::string title;  // "capped-l1 SVM on a9a"
  std::string config;
  Size smoke, quick, full;
  std::vector<std::string> ablation_first, ablation_zeroth;  // eta and D of the ablations

  const Size& size(Scale scale) const;
};
const std::vector<Task>& tasks();

// The number of iterations, and the records on the way.
Changes length(Index iterations, Index records);

// The methods of an order as the paper compares them, with their grids.
std::vector<Study> comparisons(Scale scale);
std::vector<Study> ablations(Scale scale);

}  // namespace doc2s
