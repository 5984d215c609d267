// SPDX-License-Identifier: Apache-2.0
#include "value_differences.hpp"

#include <cmath>

namespace doc2s {

namespace {

constexpr double share = 6e-6;  // h of max(1, |x_j|): the cube root of the rounding of F

class WithDifferences : public Problem<double> {
 public:
  explicit WithDifferences(const Problem<double>& problem) : problem_(problem) {}

  int clients() const override { return problem_.clients(); }
  Index dimension() const override { return problem_.dimension(); }
  Index samples(int client) const override { return problem_.samples(client); }
  void start(std::uint64_t seed, std::span<double> x0) const override { problem_.start(seed, x0); }
  void state(State& state) const override { problem_.state(state); }

  double value(int client, std::span<const Index> batch, std::span<const double> x,
               std::span<double> gradient) const override {
    std::vector<double> moved(x.begin(), x.end());
    const auto value_at = [&](std::size_t j, double number) {
      moved[j] = number;
      return problem_.value(client, batch, moved, {});
    };
    for (std::size_t j = 0; j < gradient.size(); ++j) {
      const double h = share * std::max(1.0, std::abs(x[j])), right = x[j] + h, left = x[j] - h;
      gradient[j] = (value_at(j, right) - value_at(j, left)) / (right - left);
      moved[j] = x[j];
    }
    return problem_.value(client, batch, x, {});
  }

 private:
  const Problem<double>& problem_;
};

}  // namespace

std::unique_ptr<Problem<double>> with_differences(const Problem<double>& problem) {
  return std::make_unique<WithDifferences>(problem);
}

}  // namespace doc2s
