// SPDX-License-Identifier: Apache-2.0
#include "bundle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "kink.hpp"
#include "outward.hpp"

namespace doc2s {

// 16 d m bytes for m points and gradients, 4 m² for their products.
Index most_kept(double memory, Index dimension) {
  constexpr double scratch_vectors = 8;  // the centre, g and the next, a direction, a change, ∇f's two, a sum
  const double d = static_cast<double>(dimension);
  const double rest = std::max(0.0, memory - 8 * scratch_vectors * d);
  return std::max<Index>(4, static_cast<Index>((std::sqrt(256 * d * d + 16 * rest) - 16 * d) / 8));
}

Bundle::Bundle(const GradientFunction& f, std::span<const double> centre, const CertificateSearch& search)
    : f_(f),
      search_(search),
      most_(most_kept(search.memory, std::ssize(centre))),
      centre_(centre.begin(), centre.end()),
      element_(centre.size()) {
  std::vector<double> gradient(centre.size());
  value_ = f(centre, gradient).value;
  if (!std::isfinite(value_) || !std::isfinite(dot<double>(gradient, gradient)) ||
      !take(point_in_ball(std::vector<double>(centre.size()), 0)))
    throw Diverged("the function or its gradient is not finite at the point itself", "",
                   "certify a point of a run that did not diverge");
  kink_ = has_kink(f, centre, gradient, search.delta, search.seed);
}

// centre + scale · direction and a tiny offset, moved inwards where it is outside.
std::vector<double> Bundle::point_in_ball(std::span<const double> direction, double scale) const {
  std::vector<double> point(centre_.size());
  double inwards = 1, shrink = 2 * tiny_offset;
  for (;; shrink *= 2) {
    for (std::size_t j = 0; j < point.size(); ++j) point[j] = centre_[j] + inwards * scale * direction[j];
    step_aside(point, inwards * tiny_offset * search_.delta, search_.seed, gradients_);
    if (distance_above(point, centre_) <= search_.delta) return point;
    inwards *= std::max(0.0, 1 - shrink);
  }
}

const Bundle::Member* Bundle::probe(std::span<const double> direction, double share) {
  const double length = doc2s::norm<double>(direction);
  if (gradients_ >= search_.budget || !(length > 0) || !std::isfinite(search_.delta / length)) return nullptr;
  newest_.reset();
  return take(point_in_ball(direction, search_.delta / length * share * (1 - 2 * tiny_offset)));
}

const Bundle::Member* Bundle::take(std::vector<double> point) {
  auto member =
      std::make_shared<Member>(Member{std::move(point), std::vector<double>(element_.size()), 0, 0, 0});
  const ValueFound found = f_(member->point, member->gradient);
  member->value = found.value;
  member->rounding = found.rounding;
  member->length = length_above(member->gradient);
  ++gradients_;
  std::vector<double> products;
  for (const auto& other : members_) products.push_back(dot<double>(member->gradient, other->gradient));
  products.push_back(dot<double>(member->gradient, member->gradient));
  if (!std::isfinite(member->value) || !std::isfinite(products.back())) return nullptr;
  add(member, products);
  if (search_.on_progress) search_.on_progress(gradients_, norm_);
  return newest_.get();
}

void Bundle::add(const std::shared_ptr<Member>& member, std::span<const double> products) {
  std::vector<double> before = weights_;
  const double norm_before = norm_;
  newest_ = member;
  members_.push_back(member);
  least_norm_.add(products);
  combine();
  keep_within(std::move(before), norm_before);
}

std::vector<double> Bundle::combined(std::span<const double> weights) const {
  std::vector<double> element(element_.size());
  for (std::size_t k = 0; k < weights.size(); ++k)
    if (weights[k] > 0) add_scaled<double>(element, weights[k], members_[k]->gradient);
  return element;
}

// By blocks of coordinates, with the sums of check_certificate().
double Bundle::bound(std::span<const double> weights) const {
  OutwardTerms terms;
  for (std::size_t k = 0; k < weights.size(); ++k)
    if (weights[k] > 0) terms.add(weights[k], members_[k]->length, members_[k]->rounding);
  constexpr Index block = 512;
  const Index d = std::ssize(element_);
  long double squares = 0;
  for (Index first = 0; first < d; first += block) {
    std::array<long double, block> numbers{};
    const std::span e(numbers.data(), static_cast<std::size_t>(std::min(block, d - first)));
    for (std::size_t k = 0; k < weights.size(); ++k)
      if (weights[k] > 0) add_outward(e, weights[k], std::span(members_[k]->gradient).subspan(first));
    add_squares(e, squares);
  }
  return outward_bound(squares, terms, d);
}

namespace {

std::vector<double> normalised(std::span<const double> weights) {
  std::vector<double> shares(weights.begin(), weights.end());
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace

// Takes the new weights unless rounding makes them worse than the current ones: the norm never grows.
void Bundle::combine() {
  std::vector<double> weights = normalised(least_norm_.weights());
  const double norm = bound(weights);
  weights_.push_back(0);
  if (members_.size() > 1 && !(norm < norm_)) return;
  weights_ = std::move(weights);
  element_ = combined(weights_);
  norm_ = norm;
}

Index Bundle::without_weight() const {
  const auto found = std::find_if(weights_.begin() + 1, weights_.end(), [](double w) { return !(w > 0); });
  return found == weights_.end() ? -1 : found - weights_.begin();
}

Index Bundle::lightest() const {
  return std::min_element(weights_.begin() + 1, weights_.end() - 1) - weights_.begin();
}

// Where all have weight: the others' least norm without this member, if it is below the one before.
bool Bundle::does_without(Index member, double norm_before) {
  LeastNorm others = least_norm_;
  others.remove(member);
  std::vector<double> weights = normalised(others.weights());
  weights.insert(weights.begin() + member, 0);
  const double norm = bound(weights);
  if (!(norm < norm_before)) return false;
  weights_ = std::move(weights);
  element_ = combined(weights_);
  norm_ = norm;
  return true;
}

// `before`: the weights and the norm without the newest member, which goes again where it helps too little.
void Bundle::keep_within(std::vector<double> before, double norm_before) {
  if (std::ssize(members_) < most_) return;
  Index leaves = without_weight();
  if (leaves < 0) {
    leaves = lightest();
    if (!does_without(leaves, norm_before)) {
      leaves = std::ssize(members_) - 1;
      weights_ = std::move(before);
      element_ = combined(weights_);
      weights_.push_back(0);
      norm_ = norm_before;
    }
  }
  members_.erase(members_.begin() + leaves);
  weights_.erase(weights_.begin() + leaves);
  least_norm_.remove(leaves);
}

std::vector<double> Bundle::mean_offset() const {
  std::vector<double> offset(element_.size());
  for (std::size_t k = 0; k < members_.size(); ++k) {
    if (weights_[k] <= 0) continue;
    add_scaled<double>(offset, weights_[k], members_[k]->point);
    add_scaled<double>(offset, -weights_[k], centre_);
  }
  return offset;
}

std::vector<double> Bundle::least_offset() const {
  const Member* least = members_.front().get();
  for (const auto& member : members_)
    if (dot<double>(member->gradient, element_) < dot<double>(least->gradient, element_))
      least = member.get();
  std::vector<double> offset = least->point;
  add_scaled<double>(offset, -1, centre_);
  return offset;
}

bool Bundle::ended() const {
  return norm_ <= search_.epsilon || !(doc2s::norm<double>(element_) > 0) || gradients_ >= search_.budget;
}

Certificate Bundle::certificate() && {
  Certificate certificate;
  certificate.centre = centre_;
  certificate.delta = search_.delta;
  certificate.bound = norm_;
  certificate.value = value_;
  newest_.reset();
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const auto member = std::move(members_[k]);
    if (weights_[k] <= 0) continue;
    certificate.points.push_back(std::move(member->point));
    certificate.weights.push_back(weights_[k]);
  }
  return certificate;
}

}  // namespace doc2s
