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

// The eigenvalues of P other than the 1 of the mean, as far as they are needed.
class Spectrum {
 public:
  // All eigenvalues up to `all_up_to` clients; beyond, the two ends alone, and more when a contraction needs
  // it. Throws MachineError where an end cannot be found to 1e−10.
  explicit Spectrum(const Weights& P, int all_up_to = 600);

  double lambda2() const { return lambda2_; }  // second largest; 0 for a single client
  double lambda_min() const { return lambda_min_; }
  double gamma() const { return 1 - lambda2_; }
  double phi() const;  // (1 − √(1−λ₂²)) / (1 + √(1−λ₂²)), Chebyshev's weight of the round before

  // ρ_R = max over the eigenvalues λ other than the mean's of |q_R(λ)|; 0 for a single client. For many
  // clients where the largest stands within [λ_min, λ₂], not at an end, it is known to 1e−5 and may come out
  // larger by as much.
  double contraction(Rounds rounds) const;

  // Not below ρ_R, and quick: for many clients the maximum over the whole of [λ_min, λ₂].
  double contraction_bound(Rounds rounds) const;

 private:
  double at_ends(Rounds rounds) const;

  std::vector<double> eigenvalues_;  // all but the mean's, ascending; empty for many clients
  std::optional<Weights> P_;         // kept for many clients
  double lambda2_ = 0, lambda_min_ = 0;
};

}  // namespace doc2s
