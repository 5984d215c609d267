// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "doc2s/base/types.hpp"

// Lengths that are rounded up, each sum with its error: what they return is never below the exact number.
namespace doc2s {

double length_above(std::span<const double> a);                               // ‖a‖
double distance_above(std::span<const double> a, std::span<const double> b);  // ‖a − b‖

// The members of a sum Σ w_k g_k / Σ w_k, as far as its error depends on them.
struct OutwardTerms {
  Index count = 0;
  long double weights = 0, lengths = 0, roundings = 0;  // Σ w_k, Σ w_k ‖g_k‖, Σ w_k r_k

  // `length` and `rounding` (how far g may be from what it stands for) are rounded up.
  void add(double weight, double length, double rounding);
};

// e ← e + w g, for as many numbers as there are
void add_outward(std::span<long double> e, double weight, std::span<const double> gradient);

// ‖Σ w_k g_k‖ / Σ w_k, where `squares` is the sum of the d squares of Σ w_k g_k by add_outward.
double outward_bound(long double squares, const OutwardTerms& terms, Index d);

// Σ e_j², added to `squares` in order
void add_squares(std::span<const long double> e, long double& squares);

// A decimal number of so many digits that is at least x.
std::string rounded_up(double x, int digits);

}  // namespace doc2s
