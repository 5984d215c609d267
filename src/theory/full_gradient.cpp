// SPDX-License-Identifier: Apache-2.0
#include "full_gradient.hpp"

#include <algorithm>

#include "base/subset.hpp"
#include "base/vectors.hpp"
#include "problems/gradient_check.hpp"

namespace doc2s {

namespace {

// What a client's gradient, a mean over samples of vectors of at most the length L, adds to the rounding of
// the mean over n clients; twice as much as the sums' errors, 2⁻⁵³ a term.
class ClientRounding {
 public:
  ClientRounding(const Problem<double>& problem, int client, Index samples)
      : terms_(problem.clients() + 4),
        own_(static_cast<double>(samples + 16) * problem.lipschitz(client).value_or(0)) {}
  double of(std::span<const double> gradient) const {
    return 0x1p-52 * (terms_ * norm<double>(gradient) + own_);
  }

 private:
  double terms_, own_;
};

class FullGradient {
 public:
  FullGradient(const Problem<double>& problem, Threads& threads, Index samples_each, std::uint64_t seed)
      : problem_(problem), threads_(threads) {
    for (int i = 0; i < problem.clients(); ++i)
      batches_.push_back(random_subset(problem.samples(i),
                                       samples_each > 0 ? samples_each : problem.samples(i),
                                       Random(seed, Purpose::certificate_samples, i)));
    for (int i = 0; i < problem.clients(); ++i) roundings_.emplace_back(problem, i, std::ssize(batches_[i]));
    const int group = std::min(problem.clients(), threads.count());
    parts_.assign(group, std::vector<double>(static_cast<std::size_t>(problem.dimension())));
    values_.resize(group);
  }

  ValueFound operator()(std::span<const double> x, std::span<double> gradient) {
    const int n = problem_.clients(), group = static_cast<int>(parts_.size());
    std::fill(gradient.begin(), gradient.end(), 0.0);
    double sum = 0, rounding = 0;
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
        rounding += roundings_[first + k].of(parts_[k]);
      }
    }
    for (double& number : gradient) number /= n;
    return {sum / n, rounding / n};
  }

 private:
  const Problem<double>& problem_;
  Threads& threads_;
  std::vector<std::vector<Index>> batches_;  // by client
  std::vector<ClientRounding> roundings_;
  std::vector<std::vector<double>> parts_;  // gradients of the clients in progress
  std::vector<double> values_;
};

class FullGradientOfSeveral {
 public:
  FullGradientOfSeveral(const Problem<double>& problem, Transport<double>& transport, Processes& processes)
      : problem_(problem),
        transport_(transport),
        processes_(processes),
        gradients_(transport.clients(), problem.dimension()) {
    for (int i = transport.clients().first; i < transport.clients().end(); ++i)
      roundings_.emplace_back(problem, i, problem.samples(i));
  }

  ValueFound operator()(std::span<const double> x, std::span<double> gradient) {
    const ClientRange here = transport_.clients();
    std::vector<double> values(here.count), roundings(here.count);
    transport_.threads().each(here.count, [&](Index k) {
      const int client = here.first + static_cast<int>(k);
      mark_unset<double>(gradients_.row(client));
      values[k] = problem_.local_value(client, x, gradients_.row(client));
      require_set<double>(client, gradients_.row(client));
      roundings[k] = roundings_[k].of(gradients_.row(client));
    });
    transport_.mean(gradients_, gradient);
    return {mean(values), mean(roundings)};
  }

 private:
  const Problem<double>& problem_;
  Transport<double>& transport_;
  Processes& processes_;
  double mean(const std::vector<double>& mine) const {  // in client order
    double sum = 0;
    for (const double number : gathered(processes_, mine)) sum += number;
    return sum / problem_.clients();
  }

  Rows<double> gradients_;  // ∇f_i of the local clients
  std::vector<ClientRounding> roundings_;
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
