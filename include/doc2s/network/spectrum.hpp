// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "doc2s/network/weights.hpp"

namespace doc2s {

// The coefficients of a round: z_i ← z_i + d (z_i − b_i) + c Σ_j p_ij (z_j − z_i), b the rows of the round
// before, at first z itself.
struct RoundStep {
  double c, d;
  bool operator==(const RoundStep&) const = default;
};

// R rounds of gossip as a polynomial in P, q₋₁ = q₀ = 1:
//   listing, c = 1 + φ, d = φ:  q_{r+1}(λ) = (1 + φ) λ q_r − φ q_{r−1}; φ = 0 is plain gossip;
//   Chebyshev's on an interval:  q_r(λ) = T_r(ℓ(λ)) / τ_r, ℓ from [low, high] to [−1, 1], τ_r = T_r(ℓ(1)).
struct Rounds {
  struct Interval {
    double low, high;
  };
  int count;                           // R
  double phi;                          // φ
  std::optional<Interval> interval{};  // its rounds instead

  double factor(double lambda) const;  // q_R(λ)
};

// The coefficients of the rounds, one after the other. Those on an interval converge; once two are equal, all
// further ones are.
class RoundSteps {
 public:
  explicit RoundSteps(const Rounds& rounds);
  RoundStep next();

 private:
  RoundStep step_;
  double m_ = 1, w_ = 0;  // wℓ(1) = 2 − low − high, and w = high − low
  double u_ = 0;          // τ_{r−1} / (w τ_r); 0 before the first round
  bool constant_;
};

// q_1(λ), q_2(λ), …
class RoundFactors {
 public:
  RoundFactors(const Rounds& rounds, double lambda) : steps_(rounds), lambda_(lambda) {}
  double next();

 private:
  RoundSteps steps_;
  double lambda_, before_ = 1, now_ = 1;
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
  Rounds::Interval interval() const;  // [λ_min, λ₂], rounded as φ is

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
