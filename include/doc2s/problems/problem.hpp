// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "doc2s/base/state.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s {

// f(x) = (1/n) Σ_i f_i(x), where f_i(x) is the mean of F_i(x; ξ) over the client's samples. A new problem
// must override the first four functions; the others have defaults.
template <class Real>
class Problem {
 public:
  virtual ~Problem() = default;

  virtual int clients() const = 0;      // n
  virtual Index dimension() const = 0;  // d
  virtual Index samples(int client)
      const = 0;  // number of samples ξ of the client, numbered from 0; 0 if the client is in another process

  // The mean of F_i(x; ξ) over the batch. `gradient` (length d) receives its gradient; if empty, only the
  // value is computed.
  virtual double value(int client, std::span<const Index> batch, std::span<const Real> x,
                       std::span<Real> gradient) const = 0;

  // False: only values are known. `gradient` is then always empty, and what needs gradients is refused.
  virtual bool has_gradient() const { return true; }

  // Hint that value() will be called with this batch, so that the samples can be prefetched. Called twice:
  // early, and when the direction is drawn (`soon`).
  virtual void expect(int /*client*/, std::span<const Index> /*batch*/, bool /*soon*/) const {}

  // The loss in records. It differs from value() if the model behaves differently in training (batch norm,
  // dropout, random crops).
  virtual double loss(int client, std::span<const Index> batch, std::span<const Real> x) const;

  // The common start x0; default 0.
  virtual void start(std::uint64_t seed, std::span<Real> x0) const;

  // The sample's row in the data file, for traces.
  virtual Index row(int client, Index sample) const;

  // Share of the test set that x classifies correctly; NaN without a test set. Only the first process holds
  // it.
  virtual double accuracy(std::span<const Real> x) const;

  // Root of the mean squared error on the test set, where targets are numbers; else NaN. As accuracy().
  virtual double test_rmse(std::span<const Real> x) const;

  // On rows that are held back from training to choose by, part by part of those in this process: how many,
  // and how many x classifies correctly, or Σ (output − target)² where targets are numbers.
  struct Validated {
    double rows, sum;
  };
  virtual std::vector<Validated> validated(std::span<const Real>) const { return {}; }

  // Constants of the theorems, if known (docs/theory.md): an upper bound of the Lipschitz constants of the
  // client's F_i(·; ξ), and a lower bound of f_i.
  virtual std::optional<double> lipschitz(int client) const;
  virtual std::optional<double> mean_square_lipschitz(int client) const;  // of √E L(ξ)²; default: lipschitz
  virtual std::optional<double> lower_bound(int client) const;

  // State kept between calls of value(), such as running statistics; none if value() is a pure function.
  virtual void state(State&) const {}

  // Training samples in this process's memory.
  virtual Index held_samples() const;

  // f_i(x) over all the client's samples.
  double local_value(int client, std::span<const Real> x, std::span<Real> gradient = {}) const;

  // f(x), summed in client order.
  double global_value(std::span<const Real> x) const;
};

}  // namespace doc2s
