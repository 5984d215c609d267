#include "chain.hpp"

#include <limits>

namespace doc2s {

namespace {

// Whether each client's neighbours are the next and the one before, the first being the last one's next.
template <class Real>
bool is_ring(const Recursion<Real>& recursion) {
  const int n = recursion.clients();
  const auto weight = [&](int i, int j) {  // of j with i, NaN where they are not two neighbours
    const auto terms = recursion.neighbours(i);
    for (const auto& term : terms)
      if (term.client == j && terms.size() == 2) return term.weight;
    return std::numeric_limits<Real>::quiet_NaN();
  };
  for (int i = 0; i < n; ++i)
    if (weight(i, (i + 1) % n) != weight((i + 1) % n, i)) return false;
  return n > 2;
}

}  // namespace

template <class Real>
Chain longest_chain(const Recursion<Real>& recursion) {
  const int n = recursion.clients();
  if (is_ring(recursion)) return {0, n, true};
  Chain longest, chain;
  for (int i = 0; i < n; ++i) {
    const bool links = is_link(recursion, i);
    const bool goes_on = links && chain.last == i && chain.count() > 0 &&
                         recursion.neighbours(i)[0].weight == recursion.neighbours(i - 1)[1].weight;
    chain = goes_on ? Chain{chain.first, i + 1} : Chain{i, links ? i + 1 : i};
    if (chain.count() > longest.count()) longest = chain;
  }
  return longest;
}

template Chain longest_chain(const Recursion<float>&);
template Chain longest_chain(const Recursion<double>&);

}  // namespace doc2s
