// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "certificate.hpp"
#include "least_norm.hpp"

namespace doc2s {

// Gradients at points of the ball, and the least-norm element of their convex hull. It holds so many at most;
// one without weight goes for a new one, and where all have weight the lightest, unless the norm would grow.
class Bundle {
 public:
  struct Member {
    std::vector<double> point, gradient;
    double value = 0, rounding = 0;
    double length = 0;  // ‖gradient‖, rounded up
  };

  // Starts beside the centre. Throws Diverged if f or its gradient is not finite there.
  Bundle(const GradientFunction& f, std::span<const double> centre, const CertificateSearch& search);

  // Adds the point at distance share · delta from the centre in this direction, but for a tiny offset, and
  // returns the new member, which stays until the next one is asked for. Returns nullptr if the direction is
  // zero, f is not finite there or the budget is spent.
  const Member* probe(std::span<const double> direction, double share = 1);

  bool ended() const;  // epsilon reached, g = 0 or budget spent
  Index gradients() const { return gradients_; }
  double norm() const { return norm_; }                            // of g, rounded up
  const std::vector<double>& element() const { return element_; }  // g
  bool kink() const { return kink_; }                              // at the centre
  const Member& first() const { return *members_.front(); }        // beside the centre
  std::vector<double> mean_offset() const;                         // Σ w_k (p_k − centre)
  std::vector<double> least_offset() const;  // p − centre of the member with the least ⟨∇f(p), g⟩

  Certificate certificate() &&;  // with the points themselves, which may be large

 private:
  const Member* take(std::vector<double> point);
  void add(const std::shared_ptr<Member>& member, std::span<const double> products);
  void combine();
  std::vector<double> combined(std::span<const double> weights) const;
  double bound(std::span<const double> weights) const;  // the norm of that, rounded up
  std::vector<double> point_in_ball(std::span<const double> direction, double scale) const;
  Index without_weight() const;  // the first such member, but for the first of all; −1: there is none
  Index lightest() const;        // of those between the first and the newest
  void keep_within(std::vector<double> before, double norm_before);
  bool does_without(Index member, double norm_before);

  const GradientFunction& f_;
  const CertificateSearch& search_;
  const Index most_;
  const std::vector<double> centre_;
  double value_ = 0;  // f(centre)
  bool kink_ = false;
  std::vector<std::shared_ptr<Member>> members_;
  std::shared_ptr<Member> newest_;
  LeastNorm least_norm_;
  std::vector<double> weights_;  // of all members, sum 1
  std::vector<double> element_;
  double norm_ = 0;
  Index gradients_ = 0;
};

}  // namespace doc2s
