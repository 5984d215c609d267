// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/kernels.hpp"
#include "bench.hpp"
#include "loads.hpp"
#include "turns.hpp"

namespace doc2s::bench {

namespace {

std::vector<KernelSet> sets_here() {
  std::vector<KernelSet> sets;
  for (const KernelSet set : {KernelSet::baseline, KernelSet::avx2, KernelSet::native})
    if (has_kernels(set)) sets.push_back(set);
  return sets;
}

// Whatever was in force before is so again at the end.
class SetsInTurn {
 public:
  ~SetsInTurn() { kernels_in_force = before_; }

  void check(const KernelLoad& load) const {
    use_kernels(sets.front());
    const auto expected = load.answer();
    for (const KernelSet set : sets) {
      use_kernels(set);
      require_agreement(fmt::format("{} by the kernels {}", load.name, kernels_name()),
                        load.answer() == expected ? 0 : 1, 0);
    }
  }

  std::vector<double> times(const KernelLoad& load, const Patience& patience) const {
    std::vector<Timed> competitors;
    for (const KernelSet set : sets)
      competitors.push_back([set, once = clocked_often(load.run)] {
        use_kernels(set);
        return once();
      });
    return best_of_turns(competitors, patience);
  }

  const std::vector<KernelSet> sets = sets_here();

 private:
  const KernelSet before_ = kernels_in_force;
};

std::vector<std::string> names_of(const std::vector<KernelSet>& sets) {
  std::vector<std::string> names;
  for (const KernelSet set : sets) {
    use_kernels(set);
    names.push_back(kernels_name());
  }
  return names;
}

void report(const KernelLoad& load, const std::vector<std::string>& names, const std::vector<double>& times,
            Findings& out) {
  std::vector<std::string> row{load.name};
  for (std::size_t k = 0; k < times.size(); ++k) {
    out.add_time(load.name + " " + names[k], times[k]);
    row.push_back(fmt::format("{:.2f} µs", 1e6 * times[k]));
    if (k > 0)
      out.ratios.push_back(
          {fmt::format("{}: {} over {}", load.name, names[0], names[k]), times[0] / times[k]});
  }
  out.table.push_back(row);
}

Findings run(const Setting& setting) {
  Findings out;
  const SetsInTurn turns;
  if (turns.sets.size() < 2) {
    out.notes.push_back("skipped: there is one set of kernels here, " + kernels_name() +
                        "; a build without -DDOC2S_NATIVE=ON has those for any x86-64");
    return out;
  }
  const auto names = names_of(turns.sets);
  out.table.push_back({"kernels"});
  out.table[0].insert(out.table[0].end(), names.begin(), names.end());
  auto loads = kernel_loads<float>();
  for (auto& load : kernel_loads<double>()) loads.push_back(std::move(load));
  for (const auto& load : loads) {
    turns.check(load);
    report(load, names, turns.times(load, setting.patience(0.5)), out);
  }
  return out;
}

}  // namespace

Task kernels_task() {
  return {"kernels", "the same loops by each instruction set, the same bits, in one thread", run};
}

}  // namespace doc2s::bench
