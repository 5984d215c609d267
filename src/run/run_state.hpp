// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/base/state.hpp"
#include "doc2s/run/record.hpp"

namespace doc2s {

// How far a run has got, besides the state of its method.
struct RunState {
  Index iteration = 0;  // finished ones
  Index begun = 0;      // one more where a step ended in divergence
  Index samples = 0;    // of all clients
  Index recorded = -1;  // iteration of the last record
  Index certified = 0;  // records that a bound of stationarity was asked for
  double loss_start = 0;
  Record last, best;  // records; best by loss_mean_point

  // when the checkpoint was written
  double seconds = 0;
  Index wire_bytes = 0, messages = 0, record_bytes = 0;  // over all processes
  Index metrics_bytes = 0, trace_bytes = 0;              // lengths of these files

  void list(State& state) {
    state.value("run.iteration", iteration);
    state.value("run.begun", begun);
    state.value("run.samples", samples);
    state.value("run.recorded", recorded);
    state.value("run.certified", certified);
    state.value("run.loss_start", loss_start);
    state.value("run.seconds", seconds);
    state.value("run.wire_bytes", wire_bytes);
    state.value("run.messages", messages);
    state.value("run.record_bytes", record_bytes);
    state.value("run.metrics_bytes", metrics_bytes);
    state.value("run.trace_bytes", trace_bytes);
    for (const Quantity& quantity : quantities()) {
      const std::string name = quantity.name;
      if (!quantity.is_count()) state.value("run.last." + name, last[name]);
      if (!quantity.is_count() || name == "iteration") state.value("run.best." + name, best[name]);
    }
  }
};

}  // namespace doc2s
