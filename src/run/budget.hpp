#pragma once
#include <string>
#include <vector>

#include "doc2s/config/options.hpp"
#include "doc2s/run/measures.hpp"

namespace doc2s {

// What ends a run: the method's own length, or the first of the budgets that is reached.
class Budget {
 public:
  Budget(const Settings& run, Tick length);

  // The share of the way that is done, by the limit that is nearest; 1 and more: it is reached.
  double share(const Counts& counts) const;
  const std::string& nearest(const Counts& counts) const;  // the name of that limit

 private:
  struct Limit {
    std::string name;
    double most;
    double (*used)(const Counts&);

    double share(const Counts& counts) const { return used(counts) / most; }
  };
  const Limit& nearest_limit(const Counts& counts) const;

  std::vector<Limit> limits_;
};

}  // namespace doc2s
