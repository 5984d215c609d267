// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "doc2s/base/error.hpp"
#include "doc2s/base/processes.hpp"

namespace doc2s {

// What becomes of a Diverged within an iteration. A process alone throws it at once. Several would wait for
// each other for ever: there it is noted, and the iterations go on until the processes meet, whatever they
// compute. In step, the processes meet after every part of an iteration that can diverge, and throw alike.
class Divergence {
 public:
  explicit Divergence(Processes* several = nullptr) : several_(several) {}  // null: a process alone

  template <class F>
  void attempt(const F& f) {
    if (!several_) return f();
    try {
      f();
    } catch (const Diverged& error) {
      if (!found_) found_ = error;
    }
  }
  // After it, where all processes are: in step, throws what the first of them found.
  void agree() {
    if (in_step_) throw_what_one_found();
  }
  template <class F>
  void attempt_together(const F& f) {
    attempt(f);
    agree();
  }

  bool found() const { return found_.has_value(); }  // by this process
  void go_in_step() { in_step_ = several_ != nullptr; }

 private:
  void throw_what_one_found() const;

  Processes* several_;
  std::optional<Diverged> found_;
  bool in_step_ = false;
};

}  // namespace doc2s
