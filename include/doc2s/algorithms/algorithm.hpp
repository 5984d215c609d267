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
  const Rows<Real>& points;    // w_i^out
  std::span<const Real> last;  // the mean over clients and iterations of the last whole epoch
  Tick epochs;  // finished ones; 0: both come from the unfinished first epoch. A method without epochs
                // counts its iterations, and `last` is the mean of the last iterate
};

// A method as steps. The run loop owns budget, records and stopping.
template <class Real>
class Algorithm {
 public:
  virtual ~Algorithm() = default;

  virtual void start(std::span<const Real> x0) = 0;
  virtual void step(Tick tick) = 0;  // one iteration; ticks come as 0, 1, 2, …
  virtual Tick length() const = 0;   // iterations of the whole method, e.g. K·T
  virtual const Rows<Real>& iterate() const = 0;
  virtual Output<Real> output() = 0;
  virtual void state(State& state) = 0;  // lists what a checkpoint must hold

  virtual std::optional<int> caller(
      Tick tick) const = 0;                          // who asks its oracle: i^t, or nothing for everybody
  virtual Index estimates(Tick) const { return 1; }  // that each of them asks for
  virtual bool interpolates() const = 0;             // uses s_i

  // Calls look(x) with the rows x that the coming step(tick) will mix, y = FastGossip(x), before it mixes
  // them; x is only there until look returns. False, without a call: they depend on estimates of that step.
  virtual bool show_before_gossip(Tick, const std::function<void(const Rows<Real>& x)>&) { return false; }

  // For traces: the estimate that the client uses after the step, if it is not the oracle's last one; else
  // empty.
  virtual std::span<const Real> estimate(int) const { return {}; }
};

}  // namespace doc2s
