// SPDX-License-Identifier: Apache-2.0
#include "doc2s/problems/problem.hpp"

#include <algorithm>
#include <numeric>

namespace doc2s {

template <class Real>
double Problem<Real>::loss(int client, std::span<const Index> batch, std::span<const Real> x) const {
  return value(client, batch, x, {});
}

template <class Real>
void Problem<Real>::start(std::uint64_t, std::span<Real> x0) const {
  std::fill(x0.begin(), x0.end(), Real(0));
}

template <class Real>
Index Problem<Real>::row(int, Index sample) const {
  return sample;
}

template <class Real>
double Problem<Real>::accuracy(std::span<const Real>) const {
  return std::numeric_limits<double>::quiet_NaN();
}

template <class Real>
double Problem<Real>::test_rmse(std::span<const Real>) const {
  return std::numeric_limits<double>::quiet_NaN();
}

template <class Real>
std::optional<double> Problem<Real>::lipschitz(int) const {
  return {};
}

template <class Real>
std::optional<double> Problem<Real>::mean_square_lipschitz(int client) const {
  return lipschitz(client);
}

template <class Real>
std::optional<double> Problem<Real>::lower_bound(int) const {
  return {};
}

template <class Real>
Index Problem<Real>::held_samples() const {
  Index sum = 0;
  for (int client = 0; client < clients(); ++client) sum += samples(client);
  return sum;
}

template <class Real>
double Problem<Real>::local_value(int client, std::span<const Real> x, std::span<Real> gradient) const {
  std::vector<Index> all(static_cast<std::size_t>(samples(client)));
  std::iota(all.begin(), all.end(), Index{0});
  return value(client, all, x, gradient);
}

template <class Real>
double Problem<Real>::global_value(std::span<const Real> x) const {
  double sum = 0;
  for (int client = 0; client < clients(); ++client) sum += local_value(client, x);
  return sum / clients();
}

template class Problem<float>;
template class Problem<double>;

}  // namespace doc2s
