// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

// What every process knows without asking the others: all that budgets go by.
struct Used {
  Index iterations = 0, samples = 0, computation_rounds = 0, communication_rounds = 0, bytes = 0;
  double seconds = 0;
};

// The counts that a budget may be over, as run.budget.NAME has them.
struct BudgetAxis {
  std::string name;
  double (*amount)(const Used&);
};
const std::vector<BudgetAxis>& budget_axes();

// What ends a run: the method's own length, or the first of the budgets that is reached.
class Budget {
 public:
  Budget(const Settings& run, Tick length);

  // The share of the way that is done, by the limit that is nearest; 1 and more: it is reached.
  double share(const Used& used) const { return nearest_limit(used).share(used); }
  const std::string& nearest(const Used& used) const { return nearest_limit(used).name; }

 private:
  struct Limit {
    std::string name;
    double most;
    double (*amount)(const Used&);

    double share(const Used& used) const { return amount(used) / most; }
  };
  const Limit& nearest_limit(const Used& used) const;

  std::vector<Limit> limits_;
};

}  // namespace doc2s
