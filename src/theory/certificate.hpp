#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// gradient ← ∇f(x); returns f(x). The same x has the same answer.
using GradientFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;

// Points p_k with ‖p_k − centre‖ ≤ delta and weights w_k ≥ 0, Σ w_k = 1: ‖Σ w_k ∇f(p_k)‖ = bound is an upper
// bound of ‖∇f(centre)‖_delta, the least norm over the convex hull of the gradients in the ball (Goldstein).
struct Certificate {
  std::vector<double> centre;
  double delta = 0;
  std::vector<std::vector<double>> points;
  std::vector<double> weights;  // all above 0
  double bound = 0;
  double value = 0;  // f(centre): tells another f
};

struct CertificateSearch {
  double delta;
  double epsilon = 0;      // stop when the bound is no larger
  Index budget = 60;       // gradients
  std::uint64_t seed = 0;  // of the random points
  std::function<void(Index gradients, double bound)> on_progress{};
};

struct CertificateFound {
  Certificate certificate;
  Index gradients;  // computed
};

// Looks for a small bound with a bundle of gradients: the bundle's least-norm element g says where to look
// next.
CertificateFound find_certificate(const GradientFunction& f, std::span<const double> centre,
                                  const CertificateSearch& search);

// What a certificate must fulfil without f: δ > 0, finite numbers, points in the ball, weights. Throws
// Error{…, where}.
void check_shape(const Certificate& certificate, const std::string& where);

// The bound anew from every gradient at every point. Throws Error{…, where} where f differs at the centre, or
// where the gradients do not give the bound that the certificate claims.
double check_certificate(const Certificate& certificate, const GradientFunction& f, const std::string& where);

// How far rounding may go in a check: of Σ w_k from 1, of f(centre) from the value, and of the bound, the
// last as a share of the largest gradient's norm.
inline constexpr double certificate_tolerance = 1e-9;

}  // namespace doc2s
