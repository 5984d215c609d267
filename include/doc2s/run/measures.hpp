#pragma once
#include <string>

#include "base/json.hpp"
#include "run/experiment.hpp"

namespace doc2s {

// What a run has used so far.
struct Counts {
  Index iteration = 0;
  Index samples = 0;               // draws of ξ over all clients
  Index evaluations = 0;           // values or gradients of a single F_i(·; ξ)
  Index computation_rounds = 0;    // iterations in which some client asked its oracle
  Index communication_rounds = 0;  // synchronous exchanges with all neighbours
  Index bytes = 0;                 // what the method's own definition sends over edges
  Index wire_bytes = 0;            // what the method's steps sent to other processes
  Index messages = 0;              // in as many messages
  Index record_bytes = 0;          // what means, records and outputs took on top
  double seconds = 0;              // of the method; records are not counted
};

// What it has reached, at the clients' iterates x_i and their mean x̄.
struct Measures {
  double loss_mean_point = 0;  // f(x̄)
  double loss_clients = 0;     // (1/n) Σ_i f(x_i)
  double loss_worst = 0;       // max_i f(x_i)
  double accuracy = 0;         // of x̄ on the test set; NaN where there is none
  double consensus = 0;        // (1/n) Σ_i ‖x_i − x̄‖
  Index evaluated_on = 0;      // samples that the losses were computed on
};

// Both of all clients, and so to be called by all processes together.
template <class Real>
Counts count(const Experiment<Real>& experiment, Index iteration, double seconds);
template <class Real>
Measures measure(const Experiment<Real>& experiment);

// Counts and measures under the keys that other programs read.
void add_to(JsonObject& object, const Counts& counts);
void add_to(JsonObject& object, const Measures& measures);

}  // namespace doc2s
