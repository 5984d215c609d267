#pragma once
#include "doc2s/run/measures.hpp"

namespace doc2s {

// How far a run has got, besides the state of its method.
struct Standing {
  Index iteration = 0;  // finished ones
  Index begun = 0;      // one more where a step ended in divergence
  Index samples = 0;    // of all clients
  Index recorded = -1;  // iteration of the last record
  Index best_iteration = 0;
  Index certified = 0;         // records that a bound of stationarity was asked for
  Measures first, last, best;  // best by loss_mean_point

  // when the checkpoint was written
  double seconds = 0;
  Index wire_bytes = 0, messages = 0, record_bytes = 0;  // over all processes
  Index metrics_bytes = 0, trace_bytes = 0;              // lengths of these files
};

}  // namespace doc2s
