// SPDX-License-Identifier: Apache-2.0
#include "contraction_probe.hpp"

#include <cmath>

#include "doc2s/base/random.hpp"

namespace doc2s {

ContractionProbe::ContractionProbe(int clients, std::uint64_t seed)
    : seed_(seed), numbers_(clients), before_(clients) {
  draw();
}

void ContractionProbe::draw() {
  Random(seed_, Purpose::contraction_probe, 0, rounds_).normals<double>(0, numbers_);
  centre();
}

double ContractionProbe::centre() {
  double sum = 0, square = 0;
  for (const double number : numbers_) sum += number;
  for (double& number : numbers_) {
    number -= sum / static_cast<double>(numbers_.size());
    square += number * number;
  }
  const double length = std::sqrt(square);
  if (length > 0)
    for (double& number : numbers_) number /= length;
  return length;
}

// A round that leaves no more than rounding counts as 2⁻⁵², and new numbers are drawn.
void ContractionProbe::pass(const RoundWeights& P) {
  if (numbers_.size() < 2) return;
  before_.swap(numbers_);
  for (int i = 0; i < P.clients(); ++i) {
    double sum = before_[i];
    P.each(i, [&](int j, double weight) { sum += weight * (before_[j] - before_[i]); });
    numbers_[i] = sum;
  }
  const double left = centre();
  ++rounds_;
  logarithms_ += std::log2(std::max(left, 0x1p-52));
  if (left <= 0x1p-40) draw();
}

std::optional<double> ContractionProbe::measured() const {
  if (rounds_ == 0) return {};
  return std::exp2(logarithms_ / static_cast<double>(rounds_));
}

void ContractionProbe::state(State& state) {
  state.numbers<double>("contraction.probe", numbers_);
  state.value("contraction.logarithms", logarithms_);
  state.value("contraction.rounds", rounds_);
}

}  // namespace doc2s
