#pragma once
#include <optional>
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

// The eigenvalues of P except the eigenvalue 1 of the mean, as far as needed.
class Spectrum {
 public:
  // Computes all eigenvalues for up to `all_up_to` clients. For more clients, computes only the two ends;
  // contraction() computes more on demand. Throws MachineError if an end is not found to 1e−10.
  explicit Spectrum(const Weights& P, int all_up_to = 600);

  double lambda2() const { return lambda2_; }  // second largest; 0 for a single client
  double lambda_min() const { return lambda_min_; }
  double gamma() const { return 1 - lambda2_; }
  double phi() const;  // (1 − √(1−λ₂²)) / (1 + √(1−λ₂²)), Chebyshev's weight of the previous round

  // ρ_R = max |q_R(λ)| over all eigenvalues λ except the mean's; 0 for a single client. For many clients, if
  // the maximum is inside [λ_min, λ₂] and not at an end, the result is accurate to 1e−5 and may be too large
  // by that much.
  double contraction(Rounds rounds) const;

  // A fast upper bound of ρ_R: for many clients, the maximum over the whole interval [λ_min, λ₂].
  double contraction_bound(Rounds rounds) const;

 private:
  double at_ends(Rounds rounds) const;

  std::vector<double> eigenvalues_;  // all but the mean's, ascending; empty for many clients
  std::optional<Weights> P_;         // only for many clients
  double lambda2_ = 0, lambda_min_ = 0;
};

}  // namespace doc2s
