// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/long_work.hpp"
#include "base/vectors.hpp"
#include "certificate.hpp"
#include "doc2s/base/error.hpp"
#include "kink.hpp"
#include "outward.hpp"

namespace doc2s {

namespace {

constexpr const char* advice = "it proves nothing; create the certificate again";

void require_finite(std::span<const double> numbers, const std::string& what, const std::string& where) {
  if (!std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); }))
    throw Error(what + " holds a number that is not finite", where, advice);
}

void check_weights(const Certificate& certificate, const std::string& where) {
  const auto& weights = certificate.weights;
  if (weights.empty() || weights.size() != certificate.points.size())
    throw Error(fmt::format("there are {} weights for {} points", weights.size(), certificate.points.size()),
                where, advice);
  require_finite(weights, "the list of weights", where);
  double sum = 0;
  for (const double weight : weights) {
    if (weight < 0) throw Error(fmt::format("a weight is negative ({})", weight), where, advice);
    sum += weight;
  }
  if (std::abs(sum - 1) > certificate_tolerance)
    throw Error(fmt::format("the weights add up to {}, not to 1", sum), where, advice);
}

}  // namespace

void check_shape(const Certificate& certificate, const std::string& where) {
  if (!(certificate.delta > 0) || !std::isfinite(certificate.delta))
    throw Error(fmt::format("delta is {}", certificate.delta), where, "it must be above 0");
  if (!(certificate.bound >= 0) || !std::isfinite(certificate.bound))
    throw Error(fmt::format("the bound is {}", certificate.bound), where, advice);
  require_finite(certificate.centre, "the centre", where);
  check_weights(certificate, where);
  for (std::size_t k = 0; k < certificate.points.size(); ++k) {
    const auto& point = certificate.points[k];
    const std::string name = fmt::format("point {}", k);
    if (point.size() != certificate.centre.size())
      throw Error(
          fmt::format("{} has {} numbers, the centre {}", name, point.size(), certificate.centre.size()),
          where, advice);
    require_finite(point, name, where);
    if (const double far = distance_above(point, certificate.centre); !(far <= certificate.delta))
      throw Error(fmt::format("{} lies outside the ball: its distance is {}, delta is {}", name, far,
                              certificate.delta),
                  where, advice);
  }
}

CertificateChecked check_certificate(const Certificate& certificate, const GradientFunction& f,
                                     const std::string& where) {
  check_shape(certificate, where);
  std::vector<double> gradient(certificate.centre.size());
  const double value = f(certificate.centre, gradient).value;
  if (!(std::abs(value - certificate.value) <= certificate_tolerance * std::max(1.0, std::abs(value))))
    throw Error(fmt::format("the problem has the value {} at the centre, the certificate says {}", value,
                            certificate.value),
                where, "it is another problem or other data");
  const LongWork work("checking " + where);
  const auto kink_at = [&](std::span<const double> point) {
    return has_kink(f, point, gradient, certificate.delta, 0);
  };
  CertificateChecked checked{0, kink_at(certificate.centre), {}};
  std::vector<long double> element(gradient.size());
  OutwardTerms terms;
  double largest = 0;
  for (std::size_t k = 0; k < certificate.points.size(); ++k) {
    work.go_on(static_cast<double>(k) / static_cast<double>(certificate.points.size()));
    const double rounding = f(certificate.points[k], gradient).rounding, length = length_above(gradient);
    add_outward(element, certificate.weights[k], gradient);
    terms.add(certificate.weights[k], length, rounding);
    largest = std::max(largest, length);
    if (kink_at(certificate.points[k])) checked.kinks.push_back(static_cast<Index>(k));
  }
  long double squares = 0;
  add_squares(element, squares);
  checked.bound = outward_bound(squares, terms, std::ssize(element));
  if (!(checked.bound <= certificate.bound + certificate_tolerance * largest))
    throw Error(fmt::format("the gradients give the bound {}, the certificate claims {}", checked.bound,
                            certificate.bound),
                where, advice);
  return checked;
}

}  // namespace doc2s
