#include "bundle.hpp"

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

void add_weighted(std::span<double> element, double weight, std::span<const double> gradient) {
  for (std::size_t j = 0; j < element.size(); ++j) element[j] += weight * gradient[j];
}

Bundle::Bundle(const GradientFunction& f, std::span<const double> centre, const CertificateSearch& search)
    : f_(f), search_(search), element_(centre.size()) {
  if (!take({centre.begin(), centre.end()}))
    throw Diverged("the function or its gradient is not finite at the point itself", "",
                   "certify a point of a run that did not diverge");
}

const Bundle::Member* Bundle::probe(std::span<const double> direction, double share) {
  const double length = doc2s::norm<double>(direction);
  if (gradients_ >= search_.budget || !(length > 0) || !std::isfinite(search_.delta / length)) return nullptr;
  return take(point_in_ball(members_.front().point, direction, length, search_.delta, share));
}

const Bundle::Member* Bundle::take(std::vector<double> point) {
  Member member{std::move(point), std::vector<double>(element_.size()), 0};
  member.value = f_(member.point, member.gradient);
  ++gradients_;
  std::vector<double> products;
  for (const Member& other : members_) products.push_back(dot<double>(member.gradient, other.gradient));
  products.push_back(dot<double>(member.gradient, member.gradient));
  if (!std::isfinite(member.value) || !std::isfinite(products.back())) return nullptr;
  members_.push_back(std::move(member));
  least_norm_.add(products);
  combine();
  if (search_.on_progress) search_.on_progress(gradients_, norm_);
  return &members_.back();
}

// Takes the new weights unless rounding makes them worse than the current ones: the norm never grows.
void Bundle::combine() {
  std::vector<double> weights(least_norm_.weights().begin(), least_norm_.weights().end());
  std::vector<double> element(element_.size());
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] /= sum;
    if (weights[k] > 0) add_weighted(element, weights[k], members_[k].gradient);
  }
  const double rounded_sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double norm = doc2s::norm<double>(element) / rounded_sum;  // computed as in check_certificate
  weights_.push_back(0);
  if (members_.size() > 1 && !(norm < norm_)) return;
  weights_ = std::move(weights);
  element_ = std::move(element);
  norm_ = norm;
}

std::vector<double> Bundle::mean_offset() const {
  std::vector<double> offset(element_.size());
  for (std::size_t k = 0; k < members_.size(); ++k) {
    if (weights_[k] <= 0) continue;
    add_weighted(offset, weights_[k], members_[k].point);
    add_weighted(offset, -weights_[k], members_.front().point);
  }
  return offset;
}

std::vector<double> Bundle::least_offset() const {
  const Member* least = &members_.front();
  for (const Member& member : members_)
    if (dot<double>(member.gradient, element_) < dot<double>(least->gradient, element_)) least = &member;
  std::vector<double> offset = least->point;
  add_weighted(offset, -1, members_.front().point);
  return offset;
}

bool Bundle::ended() const { return norm_ <= search_.epsilon || gradients_ >= search_.budget; }

Certificate Bundle::certificate() const {
  Certificate certificate;
  certificate.centre = members_.front().point;
  certificate.delta = search_.delta;
  certificate.bound = norm_;
  certificate.value = members_.front().value;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    if (weights_[k] <= 0) continue;
    certificate.points.push_back(members_[k].point);
    certificate.weights.push_back(weights_[k]);
  }
  return certificate;
}

}  // namespace doc2s
