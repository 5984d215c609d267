#include "directions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "doc2s/base/ordered_sum.hpp"
#include "doc2s/base/vectors.hpp"

namespace doc2s {

namespace {

// The numbers, rounded, over √(the sum of their squares + beyond)
template <class Real>
void scale_into(const double* numbers, double beyond, std::span<Real> z) {
  const double sum = ordered_sum(std::ssize(z), [numbers](Index j) {
    const double rounded = static_cast<Real>(numbers[j]);
    return rounded * rounded;
  });
  const auto factor = static_cast<Real>(1 / std::sqrt(sum + beyond));
  for (std::size_t j = 0; j < z.size(); ++j) z[j] = static_cast<Real>(numbers[j]) * factor;
}

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
void scale_all(std::span<Real> z, double factor, Threads* threads) {
  const auto rounded = static_cast<Real>(factor);
  if (!threads) return scale<Real>(z, rounded);
  each_block(z, *threads, [&](Index, std::span<Real> part) { scale<Real>(part, rounded); });
}

}  // namespace

bool is_long_direction(Index d) { return d > 2 * sum_block; }

template <class Real>
void unit_sphere(const Random& random, std::span<Real> z, Threads* threads) {
  if (!is_long_direction(std::ssize(z))) threads = nullptr;
  const double squares = draw(random, std::ssize(z), z, threads);
  scale_all(z, 1 / std::sqrt(squares), threads);
}

template <class Real>
void unit_ball(const Random& random, std::span<Real> z, Threads* threads) {
  // the rest begins and ends where drawing in parts costs nothing
  constexpr Index whole = 128, part = 32;
  const Index d = std::ssize(z), from = d / whole * whole, count = (d + 2 - from + part - 1) / part * part;
  double rest[whole + part];
  random.normals(from, std::span(rest).first(count));
  const double a = rest[d - from], b = rest[d + 1 - from], beyond = a * a + b * b;
  if (from == 0) return scale_into<Real>(rest, beyond, z);
  if (!is_long_direction(d)) threads = nullptr;
  for (Index j = from; j < d; ++j) z[j] = static_cast<Real>(rest[j - from]);
  const double squares = draw(random, from, z, threads);
  scale_all(z, 1 / std::sqrt(squares + beyond), threads);
}

template void unit_sphere(const Random&, std::span<float>, Threads*);
template void unit_sphere(const Random&, std::span<double>, Threads*);
template void unit_ball(const Random&, std::span<float>, Threads*);
template void unit_ball(const Random&, std::span<double>, Threads*);

}  // namespace doc2s
