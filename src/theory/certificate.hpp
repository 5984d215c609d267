// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// f(x), and how far the gradient written may be from ∇f(x) by what is known of its rounding.
struct ValueFound {
  double value;
  double rounding = 0;

  ValueFound(double value, double rounding = 0) : value(value), rounding(rounding) {}
};

// gradient ← ∇f(x). Must be deterministic.
using GradientFunction = std::function<ValueFound(std::span<const double> x, std::span<double> gradient)>;

// Points p_k with ‖p_k − centre‖ ≤ delta and weights w_k ≥ 0, Σ w_k = 1. ‖Σ w_k ∇f(p_k)‖ ≤ bound, which is
// rounded up, bounds ‖∇f(centre)‖_delta, the least norm over the convex hull of the gradients in the ball
// (Goldstein), from above.
struct Certificate {
  std::vector<double> centre;
  double delta = 0;
  std::vector<std::vector<double>> points;
  std::vector<double> weights;  // all positive
  double bound = 0;
  double value = 0;  // f(centre), to detect a different f
};

struct CertificateSearch {
  double delta;
  double epsilon = 0;      // stop when the bound is at most this
  Index budget = 60;       // number of gradients
  std::uint64_t seed = 0;  // of the random points
  double memory = 2e9;     // bytes that the search may take: it then keeps fewer gradients at a time
  std::function<void(Index gradients, double bound)> on_progress{};
};

struct CertificateFound {
  Certificate certificate;
  Index gradients;  // of the search; up to five more look for a kink at the centre
  bool kink;        // the gradient is not unique at the centre: has_kink()
};

// Gradients that a search keeps at a time, at least 4: its points and gradients, d numbers each, their inner
// products, and its scratch vectors fit `memory`.
Index most_kept(double memory, Index dimension);
// Where those are fewer than the budget: a sentence that says so.
std::optional<std::string> memory_note(const CertificateSearch& search, Index dimension);

// Searches for a small bound with a bundle of gradients. The least-norm element g of the bundle determines
// the next point. Every point is a tiny random offset away from where it is looked for, so at no kink.
CertificateFound find_certificate(const GradientFunction& f, std::span<const double> centre,
                                  const CertificateSearch& search);

// Checks what does not need f: δ > 0, finite numbers, points in the ball, weights. Throws Error{…, where}.
void check_shape(const Certificate& certificate, const std::string& where);

struct CertificateChecked {
  double bound;  // rounded up
  bool kink;     // as in CertificateFound
  std::vector<Index>
      kinks;  // points with such gradients, by number: there the bound relies on the code's choice
};

// Recomputes the bound from the gradients at all points. Throws Error{…, where} if f differs at the centre or
// the gradients do not give the claimed bound.
CertificateChecked check_certificate(const Certificate& certificate, const GradientFunction& f,
                                     const std::string& where);

// Rounding tolerance of a check: for |Σ w_k − 1|, for f(centre), and for the bound relative to the largest
// gradient norm.
inline constexpr double certificate_tolerance = 1e-9;

}  // namespace doc2s
