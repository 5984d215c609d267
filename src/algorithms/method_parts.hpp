// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "doc2s/algorithms/kinds.hpp"
#include "doc2s/algorithms/world.hpp"
#include "doc2s/base/error.hpp"

// What several methods need.
namespace doc2s {

// min{1, D/length}, by which a vector of that length is projected onto the ball of radius D.
template <class Real>
double clip_factor(const World<Real>& world, double length, double D, int client, Tick tick) {
  if (!std::isfinite(length))
    throw Diverged("the step of client " + std::to_string(client) + " is no longer finite",
                   "iteration " + std::to_string(tick));
  if (length <= D) return 1;
  world.count_clipped(client);
  return D / length;
}

inline Option order_option(std::vector<std::string> orders = {"first", "zeroth"}) {
  const std::string fallback = orders.front();
  return text_option("order", fallback, "what a client may ask: gradients (first) or values (zeroth)")
      .one_of(std::move(orders));
}

// The options of methods with epochs.
inline Option epochs_option() {
  return integer_option("K", 40, "epochs").at_least(1).at_most(1e9).changeable();
}
inline Option epoch_length_option() {
  return integer_option("T", 100, "iterations per epoch").at_least(1).at_most(1e9);
}
// Of a learner that restarts with every epoch. Noisy estimates want a small eta, a large D and an epoch to
// match.
inline Option learner_length_option() { return epoch_length_option().tuned_in_zeroth(10, 1000); }
inline Option radius_option() {
  return real_option("D", 0.01, "longest step: the radius to which Delta is clipped")
      .above(0)
      .tuned(1e-4, 1)
      .tuned_in_zeroth(1e-3, 1);
}
inline Option step_size_option(const std::string& help) {
  return real_option("eta", 0.01, help).above(0).tuned(1e-4, 1).tuned_in_zeroth(1e-5, 1);
}

struct MethodWords {
  std::string name, title, summary, guarantee, spends;
};

// A kind whose algorithm is AnAlgorithm<Real>(world, settings).
template <template <class> class AnAlgorithm>
MethodKind method_kind(MethodWords words, std::vector<Option> options, const std::vector<Option>& more = {}) {
  MethodKind kind;
  kind.name = std::move(words.name);
  kind.title = std::move(words.title);
  kind.summary = std::move(words.summary);
  kind.guarantee = std::move(words.guarantee);
  kind.spends = std::move(words.spends);
  kind.options = std::move(options);
  kind.options.insert(kind.options.end(), more.begin(), more.end());
  kind.make_float = [](World<float>& world, const Settings& method) {
    return std::make_unique<AnAlgorithm<float>>(world, method);
  };
  kind.make_double = [](World<double>& world, const Settings& method) {
    return std::make_unique<AnAlgorithm<double>>(world, method);
  };
  return kind;
}

}  // namespace doc2s
