#pragma once
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "doc2s/base/state.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s {

// f(x) = (1/n) Σ_i f_i(x), f_i(x) the mean of F_i(x; ξ) over the client's samples. A new problem is the first
// four functions; the rest has sensible answers.
template <class Real>
class Problem {
 public:
  virtual ~Problem() = default;

  virtual int clients() const = 0;      // n
  virtual Index dimension() const = 0;  // d
  virtual Index samples(
      int client) const = 0;  // how many ξ the client holds, numbered from 0; 0 if elsewhere

  // The mean of F_i(x; ξ) over the batch. `gradient` (length d) receives its gradient; empty: only the value
  // is asked.
  virtual double value(int client, std::span<const Index> batch, std::span<const Real> x,
                       std::span<Real> gradient) const = 0;

  // value() is going to be asked for this batch: what lies far off in memory may be fetched meanwhile. It is
  // called twice, at first and when the direction is drawn (`soon`).
  virtual void expect(int /*client*/, std::span<const Index> /*batch*/, bool /*soon*/) const {}

  // The same as records report it. It differs where a model
  // behaves otherwise in training than in use (batch norm, dropout, random crops).
  virtual double loss(int client, std::span<const Index> batch, std::span<const Real> x) const;

  // The shared start x0; zero unless the problem needs another.
  virtual void start(std::uint64_t seed, std::span<Real> x0) const;

  // The sample's row in the data file's order, for traces.
  virtual Index row(int client, Index sample) const;

  // Share of a test set that x classifies rightly; NaN where there is no test set. The first process holds
  // it.
  virtual double accuracy(std::span<const Real> x) const;

  // What the theorems ask for, where it is known (docs/theory.md): a bound of the Lipschitz constants of the
  // client's F_i(·; ξ), and a number that f_i does not fall below.
  virtual std::optional<double> lipschitz(int client) const;
  virtual std::optional<double> lower_bound(int client) const;

  // What earlier calls of value() left behind, such as running statistics; nothing where it is a pure
  // function.
  virtual void state(State&) const {}

  // Training samples in this process's memory.
  virtual Index held_samples() const;

  // f_i(x) over all the client's samples.
  double local_value(int client, std::span<const Real> x, std::span<Real> gradient = {}) const;

  // f(x), summed in the order of the clients.
  double global_value(std::span<const Real> x) const;
};

}  // namespace doc2s
