// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "doc2s/network/weights.hpp"

namespace doc2s {

// R rounds of gossip as a polynomial in P: q₋₁ = q₀ = 1, q_{r+1}(λ) = (1 + φ) λ q_r − φ q_{r−1}. φ = 0 is
// plain gossip.
struct Rounds {
  int count;   // R
  double phi;  // φ

  double factor(double lambda) const;  // q_R(λ)
};

// The eigenvalues of P except the eigenvalue 1 of the mean, computed as far as they are asked for. Copies
// share what was computed; several threads may ask.
class Spectrum {
 public:
  // Computes all eigenvalues for up to `all_up_to` clients. For more clients, computes only the two ends;
  // contraction() computes more. Asking throws MachineError if an end is not found to 1e−10.
  explicit Spectrum(const Weights& P, int all_up_to = 600);

  // The same for 1/(degree + 1) on a regular graph of this shape: above 600 clients in closed form, if there
  // is one.
  Spectrum(const Weights& P, const Shape& shape);

  // Of lazy(P), which is given.
  Spectrum made_lazy(const Weights& lazy_P) const;

  bool needs_search() const;  // many clients without a closed form: the first question may take minutes
  double lambda2() const;     // second largest; 0 for a single client
  double lambda_min() const;
  double gamma() const;  // 1 − λ₂
  double phi() const;  // (1 − √(1−λ₂²)) / (1 + √(1−λ₂²)), Chebyshev's weight of the previous round

  // ρ_R = max |q_R(λ)| over all eigenvalues λ except the mean's; 0 for a single client. For many clients
  // without a closed form, if the maximum is inside [λ_min, λ₂] and not at an end, the result is accurate to
  // 1e−5 and may be too large by that much.
  double contraction(Rounds rounds) const;

  // A fast upper bound of ρ_R: for many clients, the maximum over the whole interval [λ_min, λ₂].
  double contraction_bound(Rounds rounds) const;

 private:
  struct Found;
  struct Memory;

  bool few() const { return P_.clients() <= all_up_to_; }
  const Found& found() const;
  const Found& searched() const;
  double at_ends(Rounds rounds) const;

  Weights P_;
  int all_up_to_;
  Shape shape_{};          // `none` where the eigenvalues have no closed form
  double gaps_scale_ = 1;  // 1 − λ of this P over that of the shape: ½ where it is lazy
  std::shared_ptr<Memory> memory_;
};

}  // namespace doc2s
