// SPDX-License-Identifier: Apache-2.0
#include "outward.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace doc2s {

namespace {

// Sums are in long double: products of doubles neither overflow nor underflow there.
using Long = std::numeric_limits<long double>;
static_assert(Long::digits >= 64 && Long::max_exponent >= 16384, "bounds need an extended long double");

// At least the relative error of k roundings; twice as much, so that it may itself be rounded.
long double error_of(Index k) { return static_cast<long double>(k + 8) * Long::epsilon(); }

double above(long double x) {
  const auto near = static_cast<double>(x);
  return static_cast<long double>(near) >= x ? near
                                             : std::nextafter(near, std::numeric_limits<double>::infinity());
}

double root_above(long double squares, Index d) { return above(std::sqrt(squares) * (1 + error_of(d))); }

}  // namespace

double length_above(std::span<const double> a) {
  long double squares = 0;
  for (const double number : a) squares += static_cast<long double>(number) * number;
  return root_above(squares, std::ssize(a));
}

double distance_above(std::span<const double> a, std::span<const double> b) {
  long double squares = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const long double difference = static_cast<long double>(a[j]) - b[j];
    squares += difference * difference;
  }
  return root_above(squares, std::ssize(a));
}

void OutwardTerms::add(double weight, double length, double rounding) {
  ++count;
  weights += weight;
  lengths += static_cast<long double>(weight) * length;
  roundings += static_cast<long double>(weight) * rounding;
}

void add_outward(std::span<long double> e, double weight, std::span<const double> gradient) {
  for (std::size_t j = 0; j < e.size(); ++j) e[j] += static_cast<long double>(weight) * gradient[j];
}

void add_squares(std::span<const long double> e, long double& squares) {
  for (const long double number : e) squares += number * number;
}

// Each number of the sum is off by at most error_of(count) Σ w_k |g_kj|.
double outward_bound(long double squares, const OutwardTerms& terms, Index d) {
  const long double members = error_of(terms.count);
  const long double sum =
      std::sqrt(squares) * (1 + error_of(d)) + (terms.lengths * members + terms.roundings) * (1 + members);
  return above(sum / (terms.weights * (1 - members)) * (1 + error_of(0)));
}

std::string rounded_up(double x, int digits) {
  const auto text = [&](double number) { return fmt::format("{:.{}g}", number, digits); };
  std::string best = text(x);
  if (!std::isfinite(x) || x <= 0) return best;
  const double unit = std::pow(10.0, std::floor(std::log10(x)) + 1 - digits);
  for (double up = x; std::strtod(best.c_str(), nullptr) < x;) best = text(up += unit / 2);
  return best;
}

}  // namespace doc2s
