// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "eigenvalues.hpp"

namespace doc2s {

namespace {

double squared_sine(int k, int length) {
  const double sine = std::sin(std::numbers::pi * k / length);
  return sine * sine;
}

// 1 − λ_k = 4/(2h + 1) Σ_{s ≤ h} sin²(πks/n) with h neighbours on either side, k = 1 … n/2.
std::vector<double> ring_gaps(int clients, int half) {
  std::vector<double> gaps;
  for (int k = 1; k <= clients / 2; ++k) {
    double sum = 0;
    for (Index s = 1; s <= half; ++s) sum += squared_sine(static_cast<int>(k * s % clients), clients);
    gaps.push_back(4 * sum / (2 * half + 1));
  }
  return gaps;
}

// Degree minus eigenvalue of a cycle, k = 0 … length/2. Two clients have one edge between them.
std::vector<double> cycle_gaps(int length) {
  std::vector<double> gaps;
  for (int k = 0; k <= length / 2; ++k) gaps.push_back((length == 2 ? 2 : 4) * squared_sine(k, length));
  return gaps;
}

std::vector<double> torus_gaps(int rows, int columns) {
  const int degree = std::min(rows - 1, 2) + std::min(columns - 1, 2);
  std::vector<double> gaps;
  for (const double down : cycle_gaps(rows))
    for (const double right : cycle_gaps(columns)) gaps.push_back((down + right) / (degree + 1));
  gaps.erase(gaps.begin());  // the mean's
  return gaps;
}

std::vector<double> hypercube_gaps(int clients) {
  const int bits = std::bit_width(static_cast<unsigned>(clients)) - 1;
  std::vector<double> gaps;
  for (int k = 1; k <= bits; ++k) gaps.push_back(2.0 * k / (bits + 1));
  return gaps;
}

}  // namespace

bool has_known_gaps(const Shape& shape) {
  const Shape::Kind kind = shape.kind;
  return kind == Shape::Kind::ring || kind == Shape::Kind::torus || kind == Shape::Kind::hypercube ||
         kind == Shape::Kind::complete;
}

std::vector<double> known_gaps(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::ring:
      return ring_gaps(shape.clients, shape.half);
    case Shape::Kind::torus:
      return torus_gaps(shape.rows, shape.columns());
    case Shape::Kind::hypercube:
      return hypercube_gaps(shape.clients);
    default:
      return {1};
  }
}

}  // namespace doc2s
