// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "doc2s/base/rows.hpp"
#include "doc2s/base/state.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s {

// What a run leaves behind.
template <class Real>
struct Output {
  const Rows<Real>* points;      // w_i^out; nullptr: all clients have the same
  std::span<const Real> common;  // that one
  std::span<const Real> last;    // the mean over clients and iterations of the last whole epoch
  Tick epochs;  // finished ones; 0: both come from the unfinished first epoch. A method without epochs
                // counts its iterations, and `last` is the mean of the last iterate

  std::span<const Real> row(int client) const { return points ? points->row(client) : common; }
};

// What a traveller did in an iteration, for traces.
struct Visit {
  std::int64_t client;
  std::int64_t draw;  // lower-numbered travellers at the same client
  double s;
  std::int64_t hops;  // of the move afterwards
};

// A method as steps. The run loop owns budget, records and stopping.
template <class Real>
class Algorithm {
 public:
  virtual ~Algorithm() = default;

  virtual void start(std::span<const Real> x0) = 0;
  virtual void step(Tick tick) = 0;                        // one iteration; ticks come as 0, 1, 2, …
  virtual Tick length() const = 0;                         // iterations of the whole method, e.g. K·T
  virtual const Rows<Real>& iterate() = 0;                 // x_i; rows of no numbers: too many to be kept
  virtual void mean_point(std::span<Real> out) const = 0;  // x̄, in every process
  virtual Output<Real> output() = 0;
  virtual void state(State& state) = 0;  // lists what a checkpoint must hold

  virtual int callers() const = 0;                              // who ask their oracle in an iteration
  virtual std::optional<int> caller(Tick) const { return {}; }  // i^t where it is one, known beforehand
  virtual bool travels() const { return false; }                // state goes from client to client
  virtual std::vector<Visit> visits(Tick) const { return {}; }  // of the step just done, one a traveller
  virtual Index estimates(Tick) const { return 1; }             // that each of them asks for
  virtual bool interpolates() const = 0;                        // uses s_i

  // Calls look(x) with the rows x that the coming step(tick) will mix, y = FastGossip(x), before it mixes
  // them; x is only there until look returns. False, without a call: they depend on estimates of that step.
  virtual bool show_before_gossip(Tick, const std::function<void(const Rows<Real>& x)>&) { return false; }

  // For traces: the estimate that the client uses after the step, if it is not the oracle's last one; else
  // empty.
  virtual std::span<const Real> estimate(int) const { return {}; }
};

}  // namespace doc2s
