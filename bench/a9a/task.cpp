// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench.hpp"
#include "child.hpp"
#include "competitors.hpp"
#include "data.hpp"
#include "scratch.hpp"
#include "turns.hpp"

namespace doc2s::bench {

namespace {

constexpr double tolerance = 1e-9;  // allows for a different rounding order

struct Competitor {
  std::string name;
  Timed run;
  double wanted;  // required ratio of our iterations per second to this one's; 0: this one is ours
};

class Contest {
 public:
  Contest(const std::string& data, const std::string& method, Tick K, Tick T)
      : ours_(data, method, K, T), job_(ours_.job()) {
    all_.push_back({"doc2s", ours_.run(), 0});
  }

  void add_eigen(double wanted) {
    require_agreement("Eigen's " + job_.method, relative_error(eigen_doc2s(job_), job_.y), tolerance);
    all_.push_back({"Eigen, dense n×n", clocked([this] { eigen_doc2s(job_); }), wanted});
  }

  void add_numpy(double wanted) {
    if (python_with_numpy().empty()) return;
    numpy_ = std::make_unique<NumpyRun>(job_);
    require_agreement("NumPy's " + job_.method, numpy_->error(), tolerance);
    all_.push_back({"NumPy loop", [this] { return numpy_->run(); }, wanted});
  }

  void compete(const Patience& patience, Findings& out) {
    std::vector<Timed> runs;
    for (const auto& competitor : all_) runs.push_back(best_of_tries(competitor.run));
    const std::vector<double> times = best_of_turns(runs, patience);
    require_agreement("our own second run", relative_error(ours_.iterate(), job_.y), 0);
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const double each = times[k] / static_cast<double>(job_.iterations), ratio = times[k] / times[0];
      out.add_time(job_.method + " " + all_[k].name, each);
      out.table.push_back({job_.method, all_[k].name, fmt::format("{:.2f} µs", 1e6 * each),
                           fmt::format("{:.0f}", 1 / each), fmt::format("{:.1f}", ratio)});
      if (k > 0)
        out.ratios.push_back(
            {fmt::format("{}: iterations per second over those of {}", job_.method, all_[k].name), ratio,
             Ratio::Wanted::at_least, all_[k].wanted});
    }
  }

 private:
  OurRun ours_;
  Job job_;
  std::unique_ptr<NumpyRun> numpy_;
  std::vector<Competitor> all_;
};

Findings run(const Setting& setting) {
  Findings out;
  const Scratch folder;
  std::string note;
  const std::string data = a9a_file(folder, note);
  if (!note.empty()) out.notes.push_back(note);
  if (python_with_numpy().empty())
    out.notes.push_back("no python3 that can import NumPy was found: its loops are skipped");
  out.table.push_back({"a9a, n=16, batch 1", "", "an iteration", "a second", "times ours"});
  const Tick T = setting.quick ? 20 : 100;
  const Patience patience = setting.patience(10);
  Contest doc2s(data, "doc2s", 40, T);
  doc2s.add_eigen(3);
  doc2s.add_numpy(40);
  doc2s.compete(patience, out);
  Contest me_dol(data, "me-dol", 10, T);
  me_dol.add_numpy(40);
  me_dol.compete(patience, out);
  return out;
}

}  // namespace

Task a9a_task() { return {"a9a", "DOC2S and ME-DOL against loops in NumPy and Eigen", run}; }

}  // namespace doc2s::bench
