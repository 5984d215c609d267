// SPDX-License-Identifier: Apache-2.0
#include "doc2s/oracles/oracle.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "base/vectors.hpp"
#include "directions.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {

namespace {

std::atomic<std::uint64_t> oracles = 0;  // made so far

// Whether ‖g‖ is finite. The squares of moderate numbers surely have a finite sum.
template <class Real>
bool has_finite_norm(std::span<const Real> g) {
  constexpr Real moderate = sizeof(Real) == 8 ? static_cast<Real>(1e140) : static_cast<Real>(1e38);
  const bool all_moderate =
      by_kernels<DirectionKernels, Real>([&](auto kernels) { return kernels.all_within(moderate, g); });
  return all_moderate || std::isfinite(dot<Real>(g, g));
}

}  // namespace

template <class Real>
struct Oracle<Real>::Chance {
  Key key{};  // of no oracle
  std::vector<Index> batch;
  std::vector<Direction<Real>> z;
};

template <class Real>
Oracle<Real>::Oracle(const Problem<Real>& problem, Setting setting)
    : problem_(problem), setting_(setting), id_(++oracles), tallies_(problem.clients()) {}

template <class Real>
void Oracle<Real>::prepare_together(int client, Tick tick) const {
  if (setting_.threads && is_long_direction(problem_.dimension())) prepare(client, tick);
}

template <class Real>
void Oracle<Real>::prepare_ahead(int client, Tick tick) const {
  if (!is_long_direction(problem_.dimension())) prepare(client, tick);
}

template <class Real>
void Oracle<Real>::estimate(int client, Tick tick, std::span<const Real> w, std::span<Real> g,
                            std::uint16_t draw) {
  Tally& tally = tallies_[client];
  tally.samples += setting_.batch;
  compute_and_count(client, tick, w, g, draw, false);
  if (std::ranges::all_of(g, [](Real number) { return number == 0; })) ++tally.zeros;
}

template <class Real>
void Oracle<Real>::estimate_again(int client, Tick tick, std::span<const Real> w, std::span<Real> g,
                                  std::uint16_t draw) {
  compute_and_count(client, tick, w, g, draw, true);
}

// The same key has the same chance, so a thread keeps what it drew last.
template <class Real>
const typename Oracle<Real>::Chance& Oracle<Real>::chance_of(const Key& key) const {
  thread_local Chance last;
  if (last.key != key) {
    last.key = key;
    draw_chance(last);
  }
  return last;
}

template <class Real>
void Oracle<Real>::draw_chance(Chance& chance) const {
  const auto& [oracle, client, tick, draw] = chance.key;
  chance.batch.resize(setting_.batch);
  chance.z.resize(setting_.directions);
  Random random(setting_.seed, Purpose::batch, client, tick, draw);
  for (Index& sample : chance.batch)
    sample = static_cast<Index>(random.below(problem_.samples(client)));  // ξ
  problem_.expect(client, chance.batch, false);
  for (int k = 0; k < setting_.directions; ++k) {
    chance.z[k].numbers.resize(problem_.dimension());
    draw_direction(client, tick, draw, k, chance.z[k]);
  }
  problem_.expect(client, chance.batch, true);
}

template <class Real>
void Oracle<Real>::compute_and_count(int client, Tick tick, std::span<const Real> w, std::span<Real> g,
                                     std::uint16_t draw, bool again) {
  const Chance& chance = chance_of({id_, client, tick, draw});
  Tally& tally = tallies_[client];
  tally.evaluations += setting_.batch * evaluations_per_sample();
  const Computed computed = compute(client, chance.batch, w, chance.z, g);
  if (!std::isfinite(computed.values) || !has_finite_norm<Real>(g))
    throw Diverged("the loss or the estimate of client " + std::to_string(client) + " is no longer finite",
                   "iteration " + std::to_string(tick));

  tally.noisy += computed.noisy && !again;
  tally.digest = XXH3_64bits_withSeed(g.data(), g.size_bytes(), tally.digest);
  if (observer) observe(chance, again, g);
}

template <class Real>
void Oracle<Real>::observe(const Chance& chance, bool again, std::span<const Real> g) const {
  const auto& [oracle, client, tick, draw] = chance.key;
  std::vector<Real> z(chance.z.size() * g.size());
  for (std::size_t k = 0; k < chance.z.size(); ++k)
    chance.z[k].times(1, std::span(z).subspan(k * g.size(), g.size()));
  observer({client, tick, draw, again, chance.batch, z, g});
}

template <class Real>
Index Oracle<Real>::total(Index Tally::*count) const {
  Index sum = 0;
  for (const Tally& tally : tallies_) sum += tally.*count;
  return sum;
}

template <class Real>
void Oracle<Real>::state(State& state) {
  const auto list = [&](const char* name, auto Tally::*number) {
    state.by_client(name, sizeof(tallies_.front().*number), [&](int client) {
      return std::as_writable_bytes(std::span(&(tallies_[client].*number), 1));
    });
  };
  list("oracle.samples", &Tally::samples);
  list("oracle.evaluations", &Tally::evaluations);
  list("oracle.zeros", &Tally::zeros);
  list("oracle.noisy", &Tally::noisy);
  list("oracle.clipped", &Tally::clipped);
  list("oracle.digest", &Tally::digest);
  problem_.state(state);
}

template class Oracle<float>;
template class Oracle<double>;

}  // namespace doc2s
