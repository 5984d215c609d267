// SPDX-License-Identifier: Apache-2.0
#include "directions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/filled_squares.hpp"
#include "base/vectors.hpp"

namespace doc2s {

namespace {

// work(block, its numbers) for the blocks of ordered_sum
template <class Real, class Work>
void each_block(std::span<Real> z, Threads& threads, const Work& work) {
  const Index d = std::ssize(z);
  threads.each((d + sum_block - 1) / sum_block, [&](Index block) {
    const Index first = block * sum_block;
    work(block, z.subspan(first, std::min(sum_block, d - first)));
  });
}

// Normals take the place of the first numbers; returns the sum of all squares.
template <class Real>
double draw(const Random& random, Index count, std::span<Real> z, Threads* threads) {
  if (!threads) {
    random.normals(0, z.first(count));
    return dot<Real>(z, z);
  }
  thread_local std::vector<double> kept;
  std::vector<double>& sums = kept;  // this thread's, for all of them
  sums.assign(z.size() / sum_block + 1, 0);
  each_block(z, *threads, [&](Index block, std::span<Real> part) {
    const Index first = block * sum_block;
    random.normals(first, part.first(std::min(std::ssize(part), count - first)));
    sums[block] = dot<Real>(part, part);
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

template <class Real>
Real over_root(double squares) {
  return static_cast<Real>(1 / std::sqrt(squares));
}

}  // namespace

bool is_long_direction(Index d) { return d > 2 * sum_block; }

template <class Real>
void unit_sphere(const Random& random, Direction<Real>& z, Threads* threads) {
  const Index d = std::ssize(z.numbers);
  if (!is_long_direction(d)) threads = nullptr;
  z.factor = over_root<Real>(draw<Real>(random, d, z.numbers, threads));
}

template <class Real>
void unit_ball(const Random& random, Direction<Real>& z, Threads* threads) {
  // normals are drawn in blocks of 128 and 32: the rest holds the last d mod 128 and the two extra ones
  constexpr Index whole = 128, part = 32;
  const Index d = std::ssize(z.numbers), from = d / whole * whole;
  const Index count = (d + 2 - from + part - 1) / part * part;
  double rest[whole + part];
  random.normals(from, std::span(rest).first(count));
  const double a = rest[d - from], b = rest[d + 1 - from], beyond = a * a + b * b;
  const double squares_of_rest =
      filled_squares(z.numbers.data() + from, d - from,
                     [&rest](const Real*, Index j) { return static_cast<Real>(rest[j]); });
  if (!is_long_direction(d)) threads = nullptr;
  const double squares = from == 0 ? squares_of_rest : draw<Real>(random, from, z.numbers, threads);
  z.factor = over_root<Real>(squares + beyond);
}

template void unit_sphere(const Random&, Direction<float>&, Threads*);
template void unit_sphere(const Random&, Direction<double>&, Threads*);
template void unit_ball(const Random&, Direction<float>&, Threads*);
template void unit_ball(const Random&, Direction<double>&, Threads*);

}  // namespace doc2s
