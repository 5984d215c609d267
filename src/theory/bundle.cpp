// SPDX-License-Identifier: Apache-2.0
#include "bundle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

// Points keep this share of delta away from the sphere, so that they are inside the ball in exact arithmetic
// too; the error of a computed distance is far smaller.
constexpr double margin = 0x1p-40;

// centre + radius · direction / ‖direction‖, moved inwards if rounding put it outside.
std::vector<double> point_in_ball(std::span<const double> centre, std::span<const double> direction,
                                  double length, double delta, double share) {
  std::vector<double> point(centre.size());
  double scale = delta / length * share * (1 - margin);
  for (double shrink = margin;; shrink *= 2) {
    for (std::size_t j = 0; j < point.size(); ++j) point[j] = centre[j] + scale * direction[j];
    if (distance<double>(point, centre) <= delta * (1 - margin / 2)) return point;
    scale *= std::max(0.0, 1 - shrink);
  }
}

}  // namespace

// 16 d m bytes for m points and gradients, 4 m² for their products.
Index most_kept(double memory, Index dimension) {
  constexpr double scratch_vectors = 8;  // the point, g and the next, a direction, a change, ∇f's two, a sum
  const double d = static_cast<double>(dimension);
  const double rest = std::max(0.0, memory - 8 * scratch_vectors * d);
  return std::max<Index>(4, static_cast<Index>((std::sqrt(256 * d * d + 16 * rest) - 16 * d) / 8));
}

void add_weighted(std::span<double> element, double weight, std::span<const double> gradient) {
  for (std::size_t j = 0; j < element.size(); ++j) element[j] += weight * gradient[j];
}

Bundle::Bundle(const GradientFunction& f, std::span<const double> centre, const CertificateSearch& search)
    : f_(f), search_(search), most_(most_kept(search.memory, std::ssize(centre))), element_(centre.size()) {
  if (!take({centre.begin(), centre.end()}))
    throw Diverged("the function or its gradient is not finite at the point itself", "",
                   "certify a point of a run that did not diverge");
}

const Bundle::Member* Bundle::probe(std::span<const double> direction, double share) {
  const double length = doc2s::norm<double>(direction);
  if (gradients_ >= search_.budget || !(length > 0) || !std::isfinite(search_.delta / length)) return nullptr;
  newest_.reset();
  return take(point_in_ball(members_.front()->point, direction, length, search_.delta, share));
}

const Bundle::Member* Bundle::take(std::vector<double> point) {
  auto member = std::make_shared<Member>(Member{std::move(point), std::vector<double>(element_.size()), 0});
  member->value = f_(member->point, member->gradient);
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
    if (weights[k] > 0) add_weighted(element, weights[k], members_[k]->gradient);
  return element;
}

namespace {

double sum_of(std::span<const double> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

std::vector<double> normalised(std::span<const double> weights) {
  std::vector<double> shares(weights.begin(), weights.end());
  const double sum = sum_of(weights);
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace

// Takes the new weights unless rounding makes them worse than the current ones: the norm never grows.
void Bundle::combine() {
  std::vector<double> weights = normalised(least_norm_.weights());
  std::vector<double> element = combined(weights);
  const double norm = doc2s::norm<double>(element) / sum_of(weights);  // computed as in check_certificate
  weights_.push_back(0);
  if (members_.size() > 1 && !(norm < norm_)) return;
  weights_ = std::move(weights);
  element_ = std::move(element);
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
  std::vector<double> element = combined(weights);
  const double norm = doc2s::norm<double>(element) / sum_of(weights);
  if (!(norm < norm_before)) return false;
  weights_ = std::move(weights);
  element_ = std::move(element);
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
    add_weighted(offset, weights_[k], members_[k]->point);
    add_weighted(offset, -weights_[k], members_.front()->point);
  }
  return offset;
}

std::vector<double> Bundle::least_offset() const {
  const Member* least = members_.front().get();
  for (const auto& member : members_)
    if (dot<double>(member->gradient, element_) < dot<double>(least->gradient, element_))
      least = member.get();
  std::vector<double> offset = least->point;
  add_weighted(offset, -1, members_.front()->point);
  return offset;
}

bool Bundle::ended() const { return norm_ <= search_.epsilon || gradients_ >= search_.budget; }

Certificate Bundle::certificate() && {
  Certificate certificate;
  certificate.centre = members_.front()->point;
  certificate.delta = search_.delta;
  certificate.bound = norm_;
  certificate.value = members_.front()->value;
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
