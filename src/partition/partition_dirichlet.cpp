// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "doc2s/base/error.hpp"
#include "partition_parts.hpp"

namespace doc2s {

namespace {

constexpr Tick most_attempts = 500;

// Cumulative sums p_1, p_1 + p_2, …, 1 of (p_1, …, p_n) ~ Dirichlet(α, …, α). Uses logarithms of gamma draws,
// because the draws underflow for small α.
std::vector<double> cumulated_proportions(Random random, int clients, double alpha) {
  std::vector<double> sums(clients);
  for (double& log_draw : sums) log_draw = random.log_gamma_draw(alpha);
  const double largest = *std::max_element(sums.begin(), sums.end());
  double sum = 0;
  for (double& entry : sums) entry = sum += entry == largest ? 1 : std::exp(entry - largest);
  for (double& entry : sums) entry /= sum;
  return sums;
}

// Client i gets rows ⌊m·sums[i−1]⌋ to ⌊m·sums[i]⌋ of a label's m shuffled rows.
void assign(const std::vector<Index>& rows, const std::vector<double>& sums, Shares& shares) {
  auto from = rows.begin();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto to = rows.begin() + static_cast<Index>(std::floor(sums[i] * static_cast<double>(rows.size())));
    shares[i].insert(shares[i].end(), from, to);
    from = to;
  }
}

Shares make_dirichlet(const PartitionRequest& request, const Settings& clients) {
  const double alpha = clients.real("alpha");
  if (!(alpha > 0))
    throw Error(fmt::format("alpha is {}", alpha), clients.where("alpha"), "it must be a number above 0");
  auto groups = rows_by_label(request.labels);
  for (std::size_t label = 0; label < groups.size(); ++label)
    shuffle(groups[label].rows, partition_random(request.seed, PartitionDraw::rows, label));
  for (Tick attempt = 0; attempt < most_attempts; ++attempt) {
    Shares shares(request.clients);
    for (std::size_t label = 0; label < groups.size(); ++label) {
      const Random random = partition_random(request.seed, PartitionDraw::proportions, label, attempt);
      assign(groups[label].rows, cumulated_proportions(random, request.clients, alpha), shares);
    }
    if (std::none_of(shares.begin(), shares.end(), [](const auto& share) { return share.empty(); }))
      return shares;
  }
  throw Error(fmt::format("with alpha = {} each of {} draws left one of {} clients without samples", alpha,
                          most_attempts, request.clients),
              clients.where("alpha"), "take a larger alpha or fewer clients");
}

}  // namespace

PartitionKind dirichlet_partition() {
  const Option alpha =
      real_option("alpha", 0.5, "concentration: small gives clients few labels, large like iid");
  return {{"dirichlet", "each label's samples in proportions drawn from Dirichlet(alpha)", {alpha.above(0)}},
          make_dirichlet,
          {},
          true};
}

}  // namespace doc2s
