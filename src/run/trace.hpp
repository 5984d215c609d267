// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/file_writer.hpp"
#include "experiment.hpp"

namespace doc2s {

// Where the rows are so long that a trace would fill a disk, it must be asked for twice.
template <class Real>
void refuse_large_trace(const Experiment<Real>& experiment, const std::string& path);

// A trace holds the estimates of all clients, and so, at batch 1, records. Where not every process has the
// data anyway, run.trace_of_all must allow it; else throws Error.
template <class Real>
void refuse_trace_of_others(const Experiment<Real>& experiment, const std::string& path);

// A JSON line an iteration with all that chance decided and what it led to, numbers with 17 significant
// digits, so that another program can replay the run.
template <class Real>
class Trace {
 public:
  Trace(const std::string& path, Experiment<Real>& experiment);
  // goes on after the first `kept` bytes of a trace that is there already
  Trace(const std::string& path, Experiment<Real>& experiment, Index kept);
  ~Trace();
  void write(Tick tick);  // after the step of this tick
  Index sync();           // all of it to the disk; says how many bytes that is, at the first process

 private:
  struct Call {
    std::vector<std::string> batch, z;  // row numbers, directions
    std::string g;
  };
  using Caller = std::pair<int, int>;  // a client, and which of several travellers there
  struct Texts {
    std::vector<std::string> batch, z, g;  // one a caller
  };
  void note(const Estimate<Real>& estimate);
  std::string text_of(const Caller& caller) const;
  Texts of_all_callers() const;
  void in_order_of_travellers(const std::vector<Visit>& visits, Texts& texts) const;
  void listen();

  Experiment<Real>& experiment_;

  std::optional<FileWriter> file_;  // of the first process
  std::map<Caller, Call> calls_;    // of this iteration, in this process
  std::mutex noting_;               // clients are asked at the same time
  std::vector<Real> mean_;
  Tick rounds_;  // of communication before the next iteration
};

}  // namespace doc2s
