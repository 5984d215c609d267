// SPDX-License-Identifier: Apache-2.0
#include "changing_rounds.hpp"

#include "tuning.hpp"

namespace doc2s {

template <class Real>
ChangingRounds<Real>::ChangingRounds(const NetworkChange& change, std::uint64_t seed)
    : P_(change),
      rounds_(std::clamp<Index>(tuning::most_kept_terms / std::max<Index>(1, 2 * change.graph().edges()), 1,
                                tuning::most_rounds_at_once)),
      probe_(change.graph().clients(), seed) {
  for (auto& round : rounds_) {
    round.offsets.reserve(static_cast<std::size_t>(change.graph().clients()) + 1);
    round.terms.reserve(2 * change.graph().edges());
  }
}

template <class Real>
RoundList<Real> ChangingRounds<Real>::next(Tick first, int most) {
  const int count = static_cast<int>(std::min<Index>(most, std::ssize(rounds_)));
  edges_up_ = 0;
  for (int r = 0; r < count; ++r) {
    P_.go_to(first + r);
    fill(rounds_[r]);
    edges_up_ += P_.edges_up();
    probe_.pass(P_);
  }
  return {{rounds_.data(), static_cast<std::size_t>(count)}, count};
}

template <class Real>
void ChangingRounds<Real>::fill(Recursion<Real>& round) const {
  round.terms.clear();
  round.offsets.assign(1, 0);
  for (int i = 0; i < P_.clients(); ++i) {
    P_.each(i, [&](int j, double weight) { round.terms.push_back({j, static_cast<Real>(weight)}); });
    round.offsets.push_back(std::ssize(round.terms));
  }
}

template class ChangingRounds<float>;
template class ChangingRounds<double>;

}  // namespace doc2s
