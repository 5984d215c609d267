// SPDX-License-Identifier: Apache-2.0
#include "certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/vectors.hpp"
#include "bundle.hpp"
#include "doc2s/base/random.hpp"
#include "oracles/directions.hpp"

namespace doc2s {

namespace {

constexpr int most_halvings = 8;  // when searching a kink on a line
constexpr double enough = 0.5;    // a gradient with ⟨∇f, g⟩ ≤ ½‖g‖² reduces the norm well
constexpr double worth_asking_again = 0.9999;  // relative decrease of ‖g‖ after which a query is repeated

// Queries f in turn. Each query depends on the current g and is repeated only after g became smaller.
class Search {
 public:
  Search(const GradientFunction& f, std::span<const double> centre, const CertificateSearch& search)
      : search_(search), bundle_(f, centre, search) {}

  CertificateFound run() {
    using Question = void (Search::*)();
    constexpr std::array<Question, 5> questions = {&Search::follow_line, &Search::follow_curvature,
                                                   &Search::take_mean, &Search::look_back,
                                                   &Search::look_around};
    std::array<double, questions.size()> asked;  // ‖g‖ at the last time of each query
    asked.fill(std::numeric_limits<double>::infinity());
    for (std::size_t turn = 0; !bundle_.ended(); ++turn) {
      const std::size_t which = turn % questions.size();
      const bool random = which + 1 == questions.size();
      if (!random && bundle_.norm() > worth_asking_again * asked[which]) continue;
      asked[which] = bundle_.norm();
      (this->*questions[which])();
    }
    const Index gradients = bundle_.gradients();
    const bool kink = bundle_.kink();
    return {std::move(bundle_).certificate(), gradients, kink};
  }

 private:
  std::vector<double> downhill() const {  // −g
    std::vector<double> direction = bundle_.element();
    for (double& number : direction) number = -number;
    return direction;
  }

  // The end of the ball along −g. If f does not fall as g predicts although the slopes at both ends do, there
  // is a kink between: bisection moves to the half where f falls less.
  void follow_line() {
    const std::vector<double> direction = downhill();
    const double norm = bundle_.norm();
    const Bundle::Member* end = bundle_.probe(direction);
    if (!end) return;
    change_ = sum(end->gradient, bundle_.first().gradient, -1);
    double low = 0, high = 1, low_value = bundle_.first().value, high_value = end->value;
    for (int k = 0; k < most_halvings && !bundle_.ended(); ++k) {
      if (-dot<double>(end->gradient, direction) <= enough * norm * norm) return;
      const double promised = -enough * norm * search_.delta * (high - low);
      if (high_value - low_value <= promised) return;
      const double middle = (low + high) / 2;
      if (end = bundle_.probe(direction, middle); !end) return;
      const bool upper = high_value - end->value > end->value - low_value;
      (upper ? low : high) = middle;
      (upper ? low_value : high_value) = end->value;
    }
  }

  // For a quadratic f, ⟨∇f(p), g⟩ is least in the direction −∇²f g, which is that of ∇f(x − δg/‖g‖) − ∇f(x).
  void follow_curvature() { bundle_.probe(change_); }

  // The weighted mean of the points: where f is smooth its gradient is close to g and may be smaller.
  void take_mean() {
    const std::vector<double> offset = bundle_.mean_offset();
    bundle_.probe(offset, std::min(1.0, norm<double>(offset) / search_.delta));
  }

  // The slope on the other side of the centre may differ: f = −|x|.
  void look_back() { bundle_.probe(bundle_.element()); }

  // In turn: a uniform point of the ball, −g restricted to some coordinates (which then go farther), and a
  // neighbourhood of the member that opposes g most.
  void look_around() {
    const Random random(search_.seed, Purpose::certificate, 0, draws_);
    const std::vector<double> z = ball_point(random);
    const Tick kind = draws_++ % 3;
    if (kind == 0) bundle_.probe(z, std::min(1.0, norm<double>(z)));
    if (kind == 1) bundle_.probe(thinned(downhill(), random));
    if (kind == 2) bundle_.probe(sum(z, bundle_.least_offset(), 2 / search_.delta));
  }

  std::vector<double> ball_point(const Random& random) const {
    std::vector<double> point(bundle_.element().size());
    Direction<double> z{LargeVector<double>(point.size())};
    unit_ball(random, z);
    z.times(1, point);
    return point;
  }

  static std::vector<double> thinned(std::vector<double> direction, Random random) {
    const double chance = std::ldexp(1.0, -1 - static_cast<int>(random.below(4)));
    for (double& number : direction)
      if (random.uniform() >= chance) number = 0;
    return direction;
  }

  static std::vector<double> sum(std::vector<double> a, std::span<const double> b, double factor) {
    add_scaled<double>(a, factor, b);
    return a;
  }

  const CertificateSearch& search_;
  Bundle bundle_;
  std::vector<double> change_;  // of the gradient along the last line
  Tick draws_ = 0;
};

}  // namespace

std::optional<std::string> memory_note(const CertificateSearch& search, Index dimension) {
  const Index kept = most_kept(search.memory, dimension);
  if (kept >= search.budget) return std::nullopt;
  const double all = 16.0 * static_cast<double>(search.budget) * static_cast<double>(dimension);
  return fmt::format(
      "the search for a bound keeps {} gradients at a time, in {:.3g} GB, as all {} of its budget would take "
      "{:.3g}; the bounds hold, but might be smaller with more memory",
      kept, search.memory / 1e9, search.budget, all / 1e9);
}

CertificateFound find_certificate(const GradientFunction& f, std::span<const double> centre,
                                  const CertificateSearch& search) {
  return Search(f, centre, search).run();
}

}  // namespace doc2s
