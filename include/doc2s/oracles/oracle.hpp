// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "doc2s/base/state.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/base/types.hpp"
#include "doc2s/problems/problem.hpp"

namespace doc2s {

template <class Real>
struct Direction;

// What an estimate was made of, for a trace.
template <class Real>
struct Estimate {
  int client;
  Tick tick;
  std::uint16_t draw;
  bool again;                    // the same chance once more, at another point
  std::span<const Index> batch;  // the client's own sample numbers
  std::span<const Real> z;       // the directions, one after another
  std::span<const Real> g;
};

// A stochastic estimate g of ∇f_i, smoothed over a ball of radius μ around w. Pure: the same (client, tick,
// draw) has the same chance, so the same w has the same answer. Different clients may be asked at the same
// time.
template <class Real>
class Oracle {
 public:
  struct Setting {
    Index batch;  // samples an estimate
    double mu;    // μ = δ'
    std::uint64_t seed;
    Threads* threads = nullptr;  // that draw a long direction together
    int directions = 1;          // m, over which a zeroth-order estimate averages; at most 4096
  };

  Oracle(const Problem<Real>& problem, Setting setting);
  virtual ~Oracle() = default;

  // Draws the chance of an estimate that this thread asks for next, so that its samples are fetched from
  // memory while w is computed.
  void prepare(int client, Tick tick, std::uint16_t draw = 0) const { chance_of({id_, client, tick, draw}); }

  // The same by all threads, where the direction is long enough for that; else nothing: a short one is drawn
  // beside other work.
  void prepare_together(int client, Tick tick) const;

  // The same by a thread that waits and will probably be asked for that estimate, unless the direction is so
  // long that others would then wait for the thread.
  void prepare_ahead(int client, Tick tick) const;

  // g ← the estimate at w. Throws Diverged where F or g is not finite.
  void estimate(int client, Tick tick, std::span<const Real> w, std::span<Real> g, std::uint16_t draw = 0);

  // The same ξ and z as estimate() had for this key, at another w: no sample is drawn anew.
  void estimate_again(int client, Tick tick, std::span<const Real> w, std::span<Real> g,
                      std::uint16_t draw = 0);

  // Over the clients of this process: draws of ξ so far, and values or gradients of a single F_i(·; ξ).
  Index samples() const { return total(&Tally::samples); }
  Index evaluations() const { return total(&Tally::evaluations); }

  // Likewise: estimates that were 0, those from values that differ by less than four roundings, and steps of
  // a client that were cut to D, which its method counts here.
  Index zeros() const { return total(&Tally::zeros); }
  Index noisy() const { return total(&Tally::noisy); }
  Index clipped() const { return total(&Tally::clipped); }
  void count_clipped(int client) { ++tallies_[client].clipped; }

  // A hash of every estimate that the client made, in their order.
  std::uint64_t digest(int client) const { return tallies_[client].digest; }

  void state(State& state);  // the counts and hashes, and what the problem remembers

  std::function<void(const Estimate<Real>&)> observer;  // empty unless a trace is written

 protected:
  // Direction k of an estimate, k < directions.
  virtual void draw_direction(int client, Tick tick, std::uint16_t draw, int k, Direction<Real>& z) const = 0;
  struct Computed {
    double values;       // the sum of the values of F on the way
    bool noisy = false;  // see noisy()
  };
  // g from the directions and the batch.
  virtual Computed compute(int client, std::span<const Index> batch, std::span<const Real> w,
                           std::span<const Direction<Real>> z, std::span<Real> g) const = 0;
  virtual int evaluations_per_sample() const = 0;

  const Problem<Real>& problem_;
  const Setting setting_;

 private:
  struct Key {
    std::uint64_t oracle;
    int client;
    Tick tick;
    std::uint16_t draw;
    bool operator==(const Key&) const = default;
  };
  struct Chance;
  const Chance& chance_of(const Key& key) const;
  void draw_chance(Chance& chance) const;

  struct alignas(64) Tally {  // a cache line of its own: neighbours are asked at the same time
    Index samples = 0, evaluations = 0, zeros = 0, noisy = 0, clipped = 0;
    std::uint64_t digest = 0;
  };
  void compute_and_count(int client, Tick tick, std::span<const Real> w, std::span<Real> g,
                         std::uint16_t draw, bool again);
  void observe(const Chance& chance, bool again, std::span<const Real> g) const;
  Index total(Index Tally::*count) const;

  const std::uint64_t id_;      // of all oracles of this process
  std::vector<Tally> tallies_;  // one a client, so that clients may be asked at the same time
};

// g = ∇F_i(w + μz; ξ), z uniform in the unit ball. It takes one direction.
template <class Real>
std::unique_ptr<Oracle<Real>> make_first_order(const Problem<Real>& problem,
                                               typename Oracle<Real>::Setting setting);

// g = (1/m) Σ_k (d/2μ)(F_i(w + μz_k; ξ) − F_i(w − μz_k; ξ)) z_k, the m directions z_k uniform on the unit
// sphere, the same ξ in all values.
template <class Real>
std::unique_ptr<Oracle<Real>> make_zeroth_order(const Problem<Real>& problem,
                                                typename Oracle<Real>::Setting setting);

}  // namespace doc2s
