// SPDX-License-Identifier: Apache-2.0
#include "gradient_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

template <class Real>
using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;

// A quiet NaN with a payload, compared by its bits: other NaNs are a loss that diverged.
template <class Real>
constexpr Bits<Real> mark = static_cast<Bits<Real>>(sizeof(Real) == 8 ? 0x7ff8d0c25d0c25d0 : 0x7fcd0c25);

struct StateFinder : State {
  void shared(const std::string&, std::span<std::byte>, int) override { found = true; }
  void by_client(const std::string&, Index, const std::function<std::span<std::byte>(int)>&) override {
    found = true;
  }
  bool found = false;
};

}  // namespace

template <class Real>
bool has_state(const Problem<Real>& problem) {
  StateFinder finder;
  problem.state(finder);
  return finder.found;
}

void refuse_without_gradient(const std::string& where) {
  throw Error("the problem has no gradient, and this needs one", where,
              "take order = \"zeroth\", or write a problem whose value() fills the gradient");
}

template <class Real>
void mark_unset(std::span<Real> gradient) {
  std::ranges::fill(gradient, std::bit_cast<Real>(mark<Real>));
}

template <class Real>
void require_set(int client, std::span<const Real> gradient) {
  const auto unset = std::ranges::count_if(
      gradient, [](Real number) { return std::bit_cast<Bits<Real>>(number) == mark<Real>; });
  if (unset > 0)
    throw Error(fmt::format("the problem's value() left {} of {} numbers of the gradient unset", unset,
                            gradient.size()),
                fmt::format("client {}", client),
                "fill all of it, or use order = \"zeroth\", which asks for no gradient");
}

template <class Real>
void check_gradient(const Problem<Real>& problem, int client, Index batch, std::span<const Real> x) {
  if (has_state(problem)) return;
  std::vector<Index> samples(static_cast<std::size_t>(std::min(batch, problem.samples(client))));
  std::iota(samples.begin(), samples.end(), Index{0});
  std::vector<Real> gradient(x.size());
  mark_unset<Real>(gradient);
  problem.value(client, samples, x, gradient);
  require_set<Real>(client, gradient);
}

template bool has_state(const Problem<float>&);
template bool has_state(const Problem<double>&);
template void mark_unset(std::span<float>);
template void mark_unset(std::span<double>);
template void require_set(int, std::span<const float>);
template void require_set(int, std::span<const double>);
template void check_gradient(const Problem<float>&, int, Index, std::span<const float>);
template void check_gradient(const Problem<double>&, int, Index, std::span<const double>);

}  // namespace doc2s
