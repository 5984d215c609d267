// SPDX-License-Identifier: Apache-2.0
// A problem class with samples and a gradient: robust regression over sites whose data differ, minimised by
// DOC²S.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <doc2s/doc2s.hpp>

// F_i(x; a, b) = min(|aᵀx − b|, cap): nonsmooth, and nonconvex for its cap, which makes outliers harmless.
class RobustRegression : public doc2s::Problem<double> {
 public:
  RobustRegression(int sites, doc2s::Index samples, doc2s::Index dimension)
      : sites_(sites), samples_(samples), d_(dimension) {
    for (int site = 0; site < sites; ++site)
      for (doc2s::Index k = 0; k < samples; ++k) add_sample(site, k);
  }

  int clients() const override { return sites_; }
  doc2s::Index dimension() const override { return d_; }
  doc2s::Index samples(int) const override { return samples_; }

  // The mean over the batch, and its gradient where one is asked for.
  double value(int site, std::span<const doc2s::Index> batch, std::span<const double> x,
               std::span<double> gradient) const override {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    double sum = 0;
    for (const doc2s::Index sample : batch) {
      const double* a = &a_[static_cast<std::size_t>((site * samples_ + sample) * d_)];
      double residual = -b_[static_cast<std::size_t>(site * samples_ + sample)];
      for (std::size_t j = 0; j < x.size(); ++j) residual += a[j] * x[j];
      sum += std::min(std::abs(residual), cap);
      const double slope = std::abs(residual) < cap ? std::copysign(1.0, residual) : 0;
      for (std::size_t j = 0; j < gradient.size(); ++j)
        gradient[j] += slope * a[j] / static_cast<double>(batch.size());
    }
    return sum / static_cast<double>(batch.size());
  }

 private:
  static constexpr double cap = 5;

  // b = aᵀ(1, …, 1), every tenth one an outlier; each site has another mean of a.
  void add_sample(int site, doc2s::Index k) {
    doc2s::Random random(1, doc2s::Purpose::synthetic, static_cast<std::uint32_t>(site), k);
    double b = 0;
    for (doc2s::Index j = 0; j < d_; ++j) {
      a_.push_back(random.normal() + (j % sites_ == site ? 1 : 0));
      b += a_.back();
    }
    b_.push_back(k % 10 == 0 ? b + 50 : b);
  }

  int sites_;
  doc2s::Index samples_, d_;
  std::vector<double> a_, b_;
};

int main() {
  try {
    const RobustRegression problem(16, 200, 10);
    auto options = doc2s::Options::from_toml(R"(
      network = { graph = "ring" }
      method = { name = "doc2s", K = 40, T = 100, R = 8, eta = 0.01, D = 0.02 }
      problem = { batch = 4 }
    )");
    const auto result = doc2s::solve(problem, options);
    std::printf("f from %.4f to %.4f, x between %.3f and %.3f\n", result.records.front()["loss_mean_point"],
                result.records.back()["loss_mean_point"], *std::ranges::min_element(result.x),
                *std::ranges::max_element(result.x));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
