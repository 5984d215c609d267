// SPDX-License-Identifier: Apache-2.0
#include "full_gradient.hpp"

#include <algorithm>

#include "base/subset.hpp"
#include "base/vectors.hpp"
#include "problems/gradient_check.hpp"

namespace doc2s {

namespace {

class FullGradient {
 public:
  FullGradient(const Problem<double>& problem, Threads& threads, Index samples_each, std::uint64_t seed)
      : problem_(problem), threads_(threads) {
    for (int i = 0; i < problem.clients(); ++i)
      batches_.push_back(random_subset(problem.samples(i),
                                       samples_each > 0 ? samples_each : problem.samples(i),
                                       Random(seed, Purpose::certificate_samples, i)));
    const int group = std::min(problem.clients(), threads.count());
    parts_.assign(group, std::vector<double>(static_cast<std::size_t>(problem.dimension())));
    values_.resize(group);
  }

  double operator()(std::span<const double> x, std::span<double> gradient) {
    const int n = problem_.clients(), group = static_cast<int>(parts_.size());
    std::fill(gradient.begin(), gradient.end(), 0.0);
    double sum = 0;
    for (int first = 0; first < n; first += group) {
      const int count = std::min(group, n - first);
      threads_.each(count, [&](Index k) {
        const int client = first + static_cast<int>(k);
        mark_unset<double>(parts_[k]);
        values_[k] = problem_.value(client, batches_[client], x, parts_[k]);
        require_set<double>(client, parts_[k]);
      });
      for (int k = 0; k < count; ++k) {
        add_scaled<double>(gradient, 1, parts_[k]);
        sum += values_[k];
      }
    }
    for (double& number : gradient) number /= n;
    return sum / n;
  }

 private:
  const Problem<double>& problem_;
  Threads& threads_;
  std::vector<std::vector<Index>> batches_;  // by client
  std::vector<std::vector<double>> parts_;   // gradients of the clients in progress
  std::vector<double> values_;
};

class FullGradientOfSeveral {
 public:
  FullGradientOfSeveral(const Problem<double>& problem, Transport<double>& transport, Processes& processes)
      : problem_(problem),
        transport_(transport),
        processes_(processes),
        gradients_(transport.clients(), problem.dimension()) {}

  double operator()(std::span<const double> x, std::span<double> gradient) {
    const ClientRange here = transport_.clients();
    std::vector<double> values(here.count);
    transport_.threads().each(here.count, [&](Index k) {
      const int client = here.first + static_cast<int>(k);
      mark_unset<double>(gradients_.row(client));
      values[k] = problem_.local_value(client, x, gradients_.row(client));
      require_set<double>(client, gradients_.row(client));
    });
    transport_.mean(gradients_, gradient);
    double sum = 0;
    for (const double value : gathered(processes_, values)) sum += value;
    return sum / problem_.clients();
  }

 private:
  const Problem<double>& problem_;
  Transport<double>& transport_;
  Processes& processes_;
  Rows<double> gradients_;  // ∇f_i of the local clients
};

}  // namespace

GradientFunction full_gradient(const Problem<double>& problem, Transport<double>& transport,
                               Processes& processes) {
  if (!problem.has_gradient()) refuse_without_gradient("a certificate");
  auto gradient = std::make_shared<FullGradientOfSeveral>(problem, transport, processes);
  return [gradient](std::span<const double> x, std::span<double> out) { return (*gradient)(x, out); };
}

GradientFunction full_gradient(const Problem<double>& problem, Threads& threads, Index samples_each,
                               std::uint64_t seed) {
  if (!problem.has_gradient()) refuse_without_gradient("a certificate");
  auto gradient = std::make_shared<FullGradient>(problem, threads, samples_each, seed);
  return [gradient](std::span<const double> x, std::span<double> out) { return (*gradient)(x, out); };
}

}  // namespace doc2s
