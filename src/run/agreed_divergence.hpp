// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <optional>
#include <string>

#include "doc2s/base/processes.hpp"
#include "doc2s/transport/divergence.hpp"

namespace doc2s {

// Thrown by all of several processes where they meet and one of them has diverged. Some are further by then,
// so the run goes to that iteration once more, where the processes keep in step.
struct OneHasDiverged {
  Index iteration;
  Index told;  // the iteration of the last record that the callback was given
  std::string directory;
};

// What several processes know of each other's divergence. A process alone throws where it diverges.
class AgreedDivergence {
 public:
  // `before`: why the run goes there once more; null: the first time
  AgreedDivergence(Processes& processes, Divergence& here, const OneHasDiverged* before)
      : processes_(processes), here_(here), before_(before) {}

  void before_step(Index iteration) {
    if (before_ && iteration == before_->iteration) here_.go_in_step();
  }
  void after_step(Index iteration) {
    if (first_here_ == never && here_.found()) first_here_ = iteration;
  }

  // Whether the callback was given this record before the run went back.
  bool was_told(Index iteration) const { return before_ && iteration <= before_->told; }

  // Where all processes are: the first iteration in which one of them diverged.
  std::optional<Index> agreed() const;

 private:
  static constexpr Index never = std::numeric_limits<Index>::max();

  Processes& processes_;
  Divergence& here_;
  const OneHasDiverged* const before_;
  Index first_here_ = never;
};

}  // namespace doc2s
