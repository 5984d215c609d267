// SPDX-License-Identifier: Apache-2.0
#include "doc2s/transport/divergence.hpp"

namespace doc2s {

namespace {

constexpr char between_words = '\0';

}  // namespace

// By rank, and so by client: what a process alone would throw.
void Divergence::throw_what_one_found() const {
  std::string mine;
  if (found_) mine = found_->problem() + between_words + found_->where() + between_words + found_->hint();
  for (const std::string& one : several_->gather(mine)) {
    if (one.empty()) continue;
    const auto first = one.find(between_words), second = one.find(between_words, first + 1);
    throw Diverged(one.substr(0, first), one.substr(first + 1, second - first - 1), one.substr(second + 1));
  }
}

}  // namespace doc2s
