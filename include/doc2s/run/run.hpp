// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "doc2s/base/processes.hpp"
#include "doc2s/run/configs.hpp"
#include "doc2s/run/record.hpp"

namespace doc2s {

struct Progress {
  Record record;  // the counts now, the measures of the last record
  double share;   // of the way to the end, by whatever ends the run first
  bool fresh;     // the record was just written
};

// How a run is carried out; what is computed stands in the config alone.
struct RunOptions {
  std::string directory;
  bool numbered = false;        // the first of directory, directory-2 … that does not exist
  bool force = false;           // replace a run that the directory already holds
  std::string trace;            // path; empty: none
  bool trace_insisted = false;  // also where it is large
  bool resume = false;          // go on with the run that the directory holds, from its last checkpoint

  std::function<void(const std::string& news)> on_set_up;  // e.g. "drawing the graph, 12%", now and then
  std::function<void()> on_made;   // data and network are there, and nothing is written so far
  std::function<void()> on_begin;  // once the directory is the run's
  std::function<void(const std::vector<std::string>& notices)> on_notices;
  std::function<void(const std::string& warning)> on_warning;  // a checkpoint that failed or is damaged
  std::function<void(const Progress&)> on_progress;  // after each record, and now and then in between
  std::function<bool(const Record&)> on_record;      // after each record; false: ends as "interrupted"
  const std::atomic<bool>* stop = nullptr;           // set from outside: the run ends as "interrupted", or,
                                                     // before its first record, by throwing Interrupted

  Processes* processes = nullptr;  // that run it together, each calling run() alike; null: this one alone.
                                   // The first one writes, watches and traces
};

struct Summary {
  Record end;   // the counts at the end, the measures of the last record
  Record best;  // by loss_mean_point
  double loss_start = 0;
  Tick epochs = 0;  // finished ones
  Status status = Status::running;
  std::string stopped_by;          // as text
  std::string trajectory;          // hash
  std::string own_problem{};       // hash of x0, values and network of a problem of the user's own
  std::string directory;           // where the files are
  std::vector<std::string> notes;  // what "finished" does not say, e.g. that the loss still falls
  Index checkpoint = -1;           // the iteration of the last one; −1: there is none
};

// Runs the experiment and writes config.toml, metrics.jsonl, summary.json, output.npy and last.npy, and
// checkpoints on the way.
Summary run(const Config& config, const RunOptions& options);

}  // namespace doc2s
